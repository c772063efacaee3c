#!/usr/bin/env bash
# Changes by requests and pages, and the necessary permission: recordings on the page Record, acknowledgements on the page of an incident.
# shellcheck source=tests/monitor/server/pages.sh
. "$(dirname "$(readlink -f "$0")")/pages.sh"

token=0123456789abcdef0123456789abcdef
"$PSSP_BUILD_DIR/tests/write_history" "$scratch/history.db" 12
mkfifo "$scratch/input"
HISTORY=$scratch/history.db "$bin/synthetic_monitor" 'xgft 4,4 1,2' 0.5 "$token" <"$scratch/input" >"$scratch/port" 2>"$scratch/errors" &
exec 9>"$scratch/input"
eventually test -s "$scratch/port"
url=http://localhost:$(<"$scratch/port")
bearer="Authorization: Bearer $token"
eventually curl -sf -o "$scratch/null" -H "$bearer" "$url/api/v1/recordings"
curl -sf -o "$scratch/null" "$url/login.html" || skip 'the program was built without pages'

# ---- requests: is WANTED CURL_ARGUMENT... ----
is() {
  local wanted=$1
  shift
  expect_equal "status of $*" "$(curl -s -m 10 -o "$scratch/body" -w '%{http_code}' "$@")" "$wanted"
}
recordings=$url/api/v1/recordings
is 401 -X POST "$recordings"
is 401 -X POST -H 'Authorization: Bearer wrong' "$recordings"
is 403 -X POST -H "$bearer" -H 'Origin: https://evil.example' "$recordings"
is 403 -X POST -H "$bearer" -H 'Host: evil.example' "$recordings"
is 409 -X POST -H "$bearer" "$recordings/end"
is 400 -X POST -H "$bearer" "$recordings?name=$(printf 'a%.0s' {1..101})"
is 405 -X DELETE -H "$bearer" "$recordings/1"
is 405 -X POST -H "$bearer" "$url/api/v1/status"
is 200 -H "$bearer" "$recordings"
expect_equal 'recordings so far' "$(jq -c '[.total, .may_record, .running]' "$scratch/body")" '[0,true,null]'
cookie=$(curl -s -D - -o "$scratch/null" -H "$bearer" "$url/api/v1/session" | sed -n 's/^Set-Cookie: \([^;]*\).*/\1/p')
is 403 -X POST -b "$cookie" "$recordings"
is 403 -X POST -b "$cookie" -H 'Origin: null' "$recordings"
is 403 -X POST -b "$cookie" -H "Origin: http://localhost:1" "$recordings"
is 201 -X POST -b "$cookie" -H "Origin: $url" "$recordings?name=by%20a%20page"
is 409 -X POST -H "$bearer" "$recordings"
is 200 -X POST -H "$bearer" "$recordings/end"
expect_equal 'the stored recording' "$(curl -s -H "$bearer" "$recordings" | jq -c '[.recordings[0].name, .running]')" '["by a page",null]'
id=$(curl -s -H "$bearer" "$url/api/v1/incidents" | jq -r '.faults[0].id')
incident=$url/api/v1/incidents/$id
is 401 -X POST "$incident/acknowledge?comment=known"
is 403 -X POST -b "$cookie" "$incident/acknowledge?comment=known"
is 400 -X POST -H "$bearer" "$incident/acknowledge"
is 200 -X POST -H "$bearer" "$incident/acknowledge?comment=known&hours=1"
expect_equal 'acknowledged for' "$(curl -s -H "$bearer" "$incident" | jq -c '.item.acknowledged | [.comment, .until - .since]')" '["known",3600000]'

# ---- the pages ----
begin_browser 1280 720
visit "$url/login.html"
eventually is_true "document.getElementById('token')"
script "document.getElementById('token').value = '$token'; document.querySelector('#form button').click()" >/dev/null
eventually is_true "document.querySelector('.tile')"
browser_log browser >"$scratch/null" # the login page has no icon yet
open_page record "document.querySelector('.control input')"
name='<img src=x onerror=window.ran=1>'
script "document.querySelector('.control input').value = '$name'; document.querySelector('.control button').click()" >/dev/null
eventually is_true "document.querySelector('.control [role=status]')?.textContent.includes('$name')"
[[ -z ${PSSP_SCREENSHOTS-} ]] || screenshot "$PSSP_SCREENSHOTS/record-runs.png"
script "document.querySelector('.control button').click()" >/dev/null
eventually is_true "document.querySelector('.control input') && document.querySelectorAll('tbody tr').length == 2"
expect_equal 'the newest' "$(script "return document.querySelector('tbody a').textContent" | jq -r .)" "$name"
[[ $(script 'return window.ran') == null ]] || fail 'the name of a recording was run'
open_page "incident/$id" "document.querySelector('.incident form [name=comment]')?.value == 'known'"
script "document.querySelector('[name=comment]').value = '$name'; document.querySelector('.incident form button').click()" >/dev/null
eventually is_true "document.querySelector('.incident').textContent.includes('until') && document.querySelector('.incident').textContent.includes('$name')"
[[ $(script 'return window.ran') == null ]] || fail 'a comment was run'
browser_log browser >"$scratch/console"
[[ ! -s $scratch/console ]] || fail "the console: $(<"$scratch/console")"
devtools Emulation.setDeviceMetricsOverride '{"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": true}'
width=$(script 'return document.documentElement.scrollWidth')
((width <= 390)) || fail "the page is $width pixels wide on a screen of 390"
[[ -z ${PSSP_SCREENSHOTS-} ]] || screenshot "$PSSP_SCREENSHOTS/record-narrow.png"
end_session
