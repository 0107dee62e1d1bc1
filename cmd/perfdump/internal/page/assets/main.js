// Light and dark, and the start.

const root = document.documentElement;
const system = matchMedia("(prefers-color-scheme: dark)");
const paper = matchMedia("print"); // which is always light

function dark() {
  return !paper.matches && (root.dataset.theme ? root.dataset.theme === "dark" : system.matches);
}

function themed() {
  $("theme").textContent = dark() ? "Light" : "Dark";
  if (!quiet) {
    drawVitals();
    draw();
  }
}

root.classList.add("script");
$("theme").onclick = () => {
  root.dataset.theme = dark() ? "light" : "dark";
  themed();
};
system.addEventListener("change", themed);
paper.addEventListener("change", themed);
themed();
$("series").hidden = series.length === 0;
recall();
drawVitals();
startChart();
startAnswer();
startTables();
quiet = false;
if ($("bytemap")) startBytes();
// Whoever measures finds here when the page could be used, in ms after its
// load began.
root.dataset.ready = String(Math.round(performance.now()));
