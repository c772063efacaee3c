# shellcheck shell=bash
# Functions for tests of the pages: a monitor of a synthetic fabric, and a real browser that shows its pages.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../kit/expect.sh"
# shellcheck source=tests/kit/browser.sh
. "$PSSP_SOURCE_DIR/tests/kit/browser.sh"
skip_without chromium chromedriver curl jq
[[ -x $bin/synthetic_monitor ]] || skip 'synthetic_monitor is not built'

# begin_monitor TOPOLOGY INTERVAL [NAME=VALUE...]: starts the monitor with these environment variables; sets url and monitor, its process.
begin_monitor() {
  mkfifo "$scratch/input"
  env "${@:3}" "$bin/synthetic_monitor" "$1" "$2" <"$scratch/input" >"$scratch/port" 2>"$scratch/errors" &
  # shellcheck disable=SC2034  # for tests that end it
  monitor=$!
  # The monitor ends when its input ends.
  exec 9>"$scratch/input"
  eventually test -s "$scratch/port"
  url=http://localhost:$(<"$scratch/port")
  eventually curl -sf -o "$scratch/index" "$url/"
  [[ -s $scratch/index ]] || skip 'the program was built without pages'
}
clean_up_all() {
  exec 9>&- || true
  end_browser
  clean_up
}
trap clean_up_all EXIT

# open_page HASH CONDITION: opens a page, waits for the condition, and checks that the console is empty.
open_page() {
  visit "$url/#/$1"
  eventually is_true "$2"
  browser_log browser >"$scratch/console"
  [[ ! -s $scratch/console ]] || fail "the console of $1: $(<"$scratch/console")"
}

# change_answer PATH STATEMENT: from now on, the page gets the answers of /api/v1/PATH after a JavaScript statement has changed `body`.
change_answer() {
  script "const ask = window.fetch; window.fetch = async (url, options) => {
    const answer = await ask(url, options);
    if (!String(url).startsWith('/api/v1/$1') || !answer.ok) return answer;
    const body = await answer.json();
    $2;
    return new Response(JSON.stringify(body));
  };" >"$scratch/null"
}
