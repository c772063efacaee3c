#!/usr/bin/env bash
# The pages of a job and of the jobs on a link compare a time with the same time a week earlier, and say so if the history has no data of it.
# shellcheck source=tests/monitor/server/pages.sh
. "$(dirname "$(readlink -f "$0")")/pages.sh"

now=$(date +%s)
week=604800
"$PSSP_BUILD_DIR/tests/write_traffic" "$scratch" phases 30 "$((now - 305 - week))"
"$PSSP_BUILD_DIR/tests/write_traffic" "$scratch" phases 30 "$((now - 305))"
begin_monitor 'xgft 8,8 1,4 --rate 4xEDR' 1 "HISTORY=$scratch/history.db"
ask() { curl -s "$url/api/v1/$1"; }
read -r _ guid port job _ < <(sort -k4,4 -rn "$scratch/truth" | awk '{print 0, $0}' | head -n 1)
times="since=$(((now - 305) * 1000))&until=$(((now - 5) * 1000))"

# ---- the interface: both weeks had the same traffic ----
ask "links/$guid/$port/users?week_before=1&$times" >"$scratch/users"
check jq -e '.week_before.window.until < .window.since and (.week_before.jobs | length) > 0' "$scratch/users" >"$scratch/null"
check jq -e '(.bytes / .window.seconds) / (.week_before.bytes / .week_before.window.seconds) | . > 0.9 and . < 1.1' "$scratch/users" >"$scratch/null"
ask "jobs/$job/links?week_before=1&$times" >"$scratch/links"
check jq -e '.week_before | .hosts > 0 and .sent > 0 and (.timeline.time | length) > 10 and (.jobs | type) == "array"' "$scratch/links" >"$scratch/null"
check jq -e 'all(.links[]; .week_before.bytes >= 0 and .week_before.utilisation >= 0)' "$scratch/links" >"$scratch/null"
check jq -e '(.sent / .window.seconds) / (.week_before.sent / .week_before.window.seconds) | . > 0.9 and . < 1.1' "$scratch/links" >"$scratch/null"
expect_equal 'without a request for it' "$(ask "jobs/$job/links" | jq 'has("week_before")')" false
old="since=$(((now - 305 - week) * 1000))&until=$(((now - 5 - week) * 1000))"
check jq -e '.week_before == null and (.week_before_reason | length) > 0 and .bytes > 0' <(ask "links/$guid/$port/users?week_before=1&$old") >"$scratch/null"
expect_equal 'a value other than yes and no' "$(curl -s -o "$scratch/null" -w '%{http_code}' "$url/api/v1/links/$guid/$port/users?week_before=maybe")" 400

# ---- pages ----
begin_browser 1280 720
open_page "job/$job" "document.querySelector('.filters a')?.textContent == 'compare with a week earlier'"
script "document.querySelector('.filters a').click()" >"$scratch/null"
eventually is_true "location.hash.endsWith('?compare=1') && document.querySelector('.u-legend')?.textContent.includes('sent a week earlier')"
check is_true "document.querySelector('main').textContent.includes('Jobs on these hosts a week earlier')"
check is_true "document.querySelector('td[data-title=Utilization]').textContent.includes('a week earlier')"
open_page "who/$guid/$port?compare=1" "[...document.querySelectorAll('caption')].some((caption) => caption.textContent.startsWith('Jobs a week earlier'))"
check is_true "[...document.querySelectorAll('td[data-title=Time]')].map((td) => td.textContent).join() == 'this period,a week earlier'"
open_page "who/$guid/$port?compare=1&at=$(((now - 100 - week) * 1000))" "document.querySelector('main').textContent.includes('No data of a week earlier')"
devtools Emulation.setDeviceMetricsOverride '{"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": true}'
for page in "job/$job?compare=1" "who/$guid/$port?compare=1"; do
  open_page "$page" "document.querySelector('tbody tr')"
  width=$(script 'return document.documentElement.scrollWidth')
  ((width <= 390)) || fail "$page is $width pixels wide on a screen of 390"
done
end_session
