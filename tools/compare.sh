#!/usr/bin/env bash
# Runs two builds of perfdump over the fixtures, and over what ../shared has, and shows
# the command lines whose output, exit code or errors differ. Run it from the top of
# the checkout before a change of the code that must change no output, and after.
#
#   tools/compare.sh OLD NEW [REGEX]    only command lines that match REGEX
set -uo pipefail
export OLD NEW ONLY WORK
OLD=$(realpath "$1") NEW=$(realpath "$2") ONLY=${3:-.} WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

# FILE is each input, OTHER the one after it in its directory, CUT its first half.
lines='info FILE|info -o json FILE|info --mode salvage -o json FILE|check FILE|check -o json FILE
check --mode strict -o json FILE|check --mode salvage -o json FILE|check -o json CUT
dump FILE|dump -o json FILE|dump -o jsonl FILE|dump -o csv FILE|dump -o parquet FILE|dump -o checkmk FILE
dump -o sql FILE|dump -o openmetrics FILE|dump --mode salvage -o json FILE|dump --mode salvage -o json CUT
dump --query 238 -o csv FILE|dump -c \*(*)\* -o csv FILE|cook FILE|cook FILE OTHER|cook -o pdh-csv FILE OTHER
cook -o csv FILE OTHER|cook -o jsonl FILE|cook -o sql FILE|cook -o influx FILE|cook -o openmetrics FILE
cook -o parquet FILE OTHER|cook --summary FILE OTHER|cook --interval 10s -o csv FILE FILE
cook --derive ndis --english --key pid -o jsonl FILE OTHER|cook --mode salvage -o jsonl CUT
hexdump FILE|hexdump --mode salvage CUT|diff FILE OTHER|diff -o json FILE OTHER|diff -o jsonl FILE OTHER|diff FILE CUT
titles FILE|titles -o reg FILE|titles -o json FILE|titles --repair -o multisz FILE|doctor FILE|doctor -o json FILE
lodctr -o json FILE|unlodctr -o json App --reg FILE|analyze FILE|analyze -o json FILE|plot FILE OTHER|report FILE
compare -o jsonl FILE OTHER|encode FILE|encode DOCUMENT'
export lines=${lines//$'\n'/|}

# said runs a build and prints all that it says, without the texts of JSON messages.
said() {
  local -
  set -f
  if [[ $2 == *DOCUMENT* ]]; then
    "$OLD" dump -o json "$file" 2>/dev/null | timeout 60 "$1" encode - 2>&1
  else
    # shellcheck disable=SC2086 # the words of a line are its arguments
    timeout 60 "$1" ${2//FILE/$file} </dev/null 2>&1
  fi | sed -E 's/"message":"([^"\\]|\\.)*"/"message":""/g'
  echo "exit code ${PIPESTATUS[0]}"
}

# one compares the builds over an input.
one() {
  file=$1
  local cut=$WORK/$BASHPID/${file##*/} line all
  mkdir -p "${cut%/*}"
  head -c $(($(stat -c %s "$file") / 2)) "$file" >"$cut"
  IFS='|' read -ra all <<<"$lines"
  for line in "${all[@]}"; do
    line=${line//OTHER/$2}
    line=${line//CUT/$cut}
    [[ $line =~ $ONLY ]] || continue
    if ! diff <(said "$OLD" "$line") <(said "$NEW" "$line") >"$cut.diff"; then
      printf 'differs: perfdump %s\n%s\n\n' "${line//FILE/$file}" "$(head -n 6 "$cut.diff" | cut -c -200)"
    fi
  done
}
export -f said one

# Names with blanks would be several arguments of a line.
find testdata ../shared/corpus ../shared/captures -type f -size -600k ! -name '* *' 2>/dev/null | sort |
  awk 'NR > 1 { print last; print $0 } { last = $0 } END { print last; print last }' |
  xargs -r -d '\n' -n 2 -P "$(nproc)" bash -c 'one "$1" "$2"' one | tee "$WORK/found"
echo "$(grep -c '^differs:' "$WORK/found") command lines differ"
[[ ! -s $WORK/found ]]
