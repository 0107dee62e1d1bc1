package page_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// browser is a headless Chromium that is driven by its DevTools protocol over
// a pair of pipes: objects of JSON, each with a NUL behind it.
type browser struct {
	t       testing.TB
	to      *os.File
	from    *os.File
	answers *bufio.Reader
	id      int
	events  []message // that came before the last answer
	session string
}

type message struct {
	ID     int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  any
}

// patience is how long the browser may take for an answer.
const patience = 60 * time.Second

// chromium returns the browser's file. Tests that need one skip without it.
func chromium(t testing.TB) string {
	if runtime.GOOS == "windows" {
		t.Skip("the browser is driven over pipes that Windows does not hand on")
	}
	if testing.Short() {
		t.Skip("starts a browser")
	}
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); name != "" && err == nil {
			return path
		}
	}
	t.Skip("no Chromium here: apt-get install chromium, or name one in CHROMIUM")
	return ""
}

// open starts a browser with an empty page.
func open(t testing.TB) *browser {
	t.Helper()
	path := chromium(t)
	toRead, to, err := os.Pipe()
	require.NoError(t, err)
	from, fromWrite, err := os.Pipe()
	require.NoError(t, err)
	cmd := exec.Command(path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars",
		"--disable-extensions", "--disable-background-networking", "--remote-debugging-pipe", "--user-data-dir="+t.TempDir())
	cmd.ExtraFiles = []*os.File{toRead, fromWrite} // 3 and 4
	cmd.Env = append(os.Environ(), "TZ=America/New_York")
	require.NoError(t, cmd.Start())
	_ = toRead.Close()
	_ = fromWrite.Close()
	b := &browser{t: t, to: to, from: from, answers: bufio.NewReader(from)}
	t.Cleanup(func() {
		_, _ = fmt.Fprintf(to, `{"id":0,"method":"Browser.close"}`+"\x00")
		late := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait()
		late.Stop()
		_ = to.Close()
		_ = from.Close()
	})
	var target struct{ TargetID string }
	b.call("Target.createTarget", map[string]any{"url": "about:blank"}, &target)
	var attached struct{ SessionID string }
	b.call("Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &attached)
	b.session = attached.SessionID
	for _, domain := range []string{"Page", "Runtime", "Log", "Network"} {
		b.call(domain+".enable", nil, nil)
	}
	b.size(1280, 900)
	return b
}

func (b *browser) size(width, height int) {
	b.call("Emulation.setDeviceMetricsOverride", map[string]any{"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}, nil)
}

// call calls a method and waits for its answer.
func (b *browser) call(method string, params, result any) {
	b.t.Helper()
	b.id++
	request := map[string]any{"id": b.id, "method": method}
	if params != nil {
		request["params"] = params
	}
	if b.session != "" {
		request["sessionId"] = b.session
	}
	line, err := json.Marshal(request)
	require.NoError(b.t, err)
	_, err = b.to.Write(append(line, 0))
	require.NoError(b.t, err)
	require.NoError(b.t, b.from.SetReadDeadline(time.Now().Add(patience)))
	for {
		line, err := b.answers.ReadBytes(0)
		require.NoError(b.t, err, method)
		var m message
		require.NoError(b.t, json.Unmarshal(line[:len(line)-1], &m))
		if m.ID != b.id {
			b.events = append(b.events, m)
			continue
		}
		require.Nil(b.t, m.Error, method)
		if result != nil {
			require.NoError(b.t, json.Unmarshal(m.Result, result))
		}
		return
	}
}

// load opens a page from the disk and waits until it is ready. It returns how
// long that took, from before the browser was asked.
func (b *browser) load(page string) time.Duration {
	b.t.Helper()
	name := filepath.Join(b.t.TempDir(), "page.html")
	require.NoError(b.t, os.WriteFile(name, []byte(page), 0o600))
	began := time.Now()
	b.call("Page.navigate", map[string]any{"url": (&url.URL{Scheme: "file", Path: name}).String()}, nil)
	b.wait(`location.protocol === "file:" && document.documentElement?.dataset.ready`)
	return time.Since(began)
}

// eval returns what an expression of JavaScript is, as JSON has it.
func (b *browser) eval(js string) any {
	b.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails any
	}
	b.call("Runtime.evaluate", map[string]any{"expression": js, "returnByValue": true}, &r)
	require.Nil(b.t, r.ExceptionDetails, js)
	return r.Result.Value
}

// wait waits until an expression is true.
func (b *browser) wait(js string) {
	b.t.Helper()
	for deadline := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		if v := b.eval("!!(" + js + ")"); v == true {
			return
		}
		if time.Now().After(deadline) {
			b.t.Fatalf("never true: %s", js)
		}
	}
}

// middle is the middle of an element, which is brought into sight.
func (b *browser) middle(js string) (x, y float64) {
	b.t.Helper()
	at, ok := b.eval(`(() => { const e = ` + js + `; e.scrollIntoView({block: "center"}); const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; })()`).([]any)
	require.True(b.t, ok, js)
	return at[0].(float64), at[1].(float64)
}

func (b *browser) mouse(kind string, x, y float64) {
	b.t.Helper()
	params := map[string]any{"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
	if kind == "mouseMoved" {
		delete(params, "clickCount")
		params["button"] = "none"
	}
	b.call("Input.dispatchMouseEvent", params, nil)
}

// click clicks on an element as a person does: at a place of the screen.
func (b *browser) click(js string) {
	b.t.Helper()
	x, y := b.middle(js)
	b.mouse("mouseMoved", x, y)
	b.mouse("mousePressed", x, y)
	b.mouse("mouseReleased", x, y)
}

// key presses a key in what has the focus.
func (b *browser) key(key string, code int, text string) {
	b.t.Helper()
	down := map[string]any{"type": "keyDown", "key": key, "windowsVirtualKeyCode": code}
	if text != "" {
		down["text"] = text
	}
	b.call("Input.dispatchKeyEvent", down, nil)
	b.call("Input.dispatchKeyEvent", map[string]any{"type": "keyUp", "key": key, "windowsVirtualKeyCode": code}, nil)
}

// troubles returns what the page complained of, and what it asked the network
// for.
func (b *browser) troubles() (all []string) {
	b.eval("0")
	for _, e := range b.events {
		switch e.Method {
		case "Runtime.exceptionThrown", "Log.entryAdded", "Runtime.consoleAPICalled", "Page.javascriptDialogOpening":
			// The advice on canvases is for the test, which reads one.
			if !strings.Contains(string(e.Params), "willReadFrequently") {
				all = append(all, e.Method+": "+string(e.Params))
			}
		case "Network.requestWillBeSent":
			var p struct{ Request struct{ URL string } }
			if json.Unmarshal(e.Params, &p) == nil && filepath.Base(p.Request.URL) != "page.html" && p.Request.URL != "about:blank" {
				all = append(all, "asked for "+p.Request.URL)
			}
		}
	}
	return all
}
