# shellcheck shell=bash disable=SC2154  # expect.sh sets scratch
# Controls Chromium through chromedriver's W3C WebDriver interface with curl and jq. Sourced after expect.sh. The caller's exit
# trap must call end_browser.

browser=
# begin_browser WIDTH HEIGHT [light|dark]: starts a session with this window size and color scheme.
begin_browser() {
  skip_without chromium chromedriver curl jq
  local port answer root=
  if [[ -z $browser ]]; then
    HOME=$scratch chromedriver --port=0 >"$scratch/chromedriver" 2>&1 &
    browser_pid=$!
    eventually grep -q 'started successfully on port' "$scratch/chromedriver"
    port=$(sed -n 's/.*started successfully on port \([0-9]*\).*/\1/p' "$scratch/chromedriver")
    browser=http://127.0.0.1:$port
  fi
  ((EUID != 0)) || root=--no-sandbox
  answer=$(jq -n --arg size "--window-size=$1,$2" --arg root "$root" --arg profile "$scratch/profile.$RANDOM" '
    {capabilities: {alwaysMatch: {"goog:loggingPrefs": {browser: "ALL", performance: "ALL"}, "goog:chromeOptions":
      {args: (["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--user-data-dir=" + $profile, $size] + [$root | select(. != "")])}}}}' |
    curl -s -m 60 -d @- "$browser/session")
  session=$browser/session/$(jq -re .value.sessionId <<<"$answer") || fail "no session: $answer"
  devtools Emulation.setDeviceMetricsOverride "{\"width\": $1, \"height\": $2, \"deviceScaleFactor\": 1, \"mobile\": false}"
  devtools Emulation.setEmulatedMedia "{\"features\": [{\"name\": \"prefers-color-scheme\", \"value\": \"${3:-light}\"}]}"
}

# devtools METHOD PARAMETERS: executes a command of the Chrome DevTools protocol.
devtools() {
  jq -n --arg cmd "$1" --argjson params "$2" '{cmd: $cmd, params: $params}' | curl -s -m 60 -d @- "$session/goog/cdp/execute" >/dev/null
}

visit() { jq -n --arg url "$1" '{url: $url}' | curl -s -m 60 -d @- "$session/url" >"$scratch/visited"; }

# script TEXT: runs JavaScript in the page and prints the returned value as JSON.
script() { jq -n --arg script "$1" '{script: $script, args: []}' | curl -s -m 60 -d @- "$session/execute/sync" | jq -c .value; }
# is_true EXPRESSION: succeeds if a JavaScript expression is true; for use with eventually.
is_true() { [[ $(script "return Boolean($1)") == true ]]; }

screenshot() { curl -s -m 60 "$session/screenshot" | jq -r .value | base64 -d >"$1"; }

# browser_log KIND: prints the log entries since the last call, one per line.
browser_log() { jq -n --arg type "$1" '{type: $type}' | curl -s -m 60 -d @- "$session/se/log" | jq -c '.value[]'; }

end_session() { curl -s -m 60 -X DELETE "$session" >/dev/null || true; }
end_browser() {
  [[ -n $browser ]] || return 0
  kill "$browser_pid" 2>/dev/null || true
  wait "$browser_pid" 2>/dev/null || true
}
