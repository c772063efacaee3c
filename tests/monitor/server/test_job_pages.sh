#!/usr/bin/env bash
# The pages of jobs and recordings in a real Chromium, for known traffic: the list, a job with its links and its time, its links on the map, the
# users of a link, and the map of a past time. The name of a job contains markup, which pages must not interpret.
# shellcheck source=tests/monitor/server/pages.sh
. "$(dirname "$(readlink -f "$0")")/pages.sh"

"$PSSP_BUILD_DIR/tests/write_traffic" "$scratch" phases 30 "$(($(date +%s) - 305))"
begin_monitor 'xgft 8,8 1,4 --rate 4xEDR' 1 "HISTORY=$scratch/history.db"
ask() { curl -s "$url/api/v1/$1"; }

# ---- the interface: bounds and refused requests ----
expect_equal 'jobs' "$(ask jobs | jq -c '[.total, (.jobs | length), .jobs[0].id]')" '[6,6,"105"]'
expect_equal 'a job' "$(ask jobs/101 | jq -c '[.job.id, .job.unmatched]')" '["101",["elsewhere"]]'
read -r _ guid port job _ < <(sort -k4,4 -rn "$scratch/truth" | awk '{print 0, $0}' | head -n 1)
expect_equal 'the largest user' "$(ask "links/$guid/$port/users" | jq -r '.jobs[0].id')" "$job"
ask jobs/100/links >"$scratch/links"
check jq -e 'all(.links[]; .sure_low <= .share and .share <= .sure_high) and (.timeline.time | length) > 10' "$scratch/links" >"$scratch/null"
for wrong in 'jobs/4711 404' 'jobs/4711/links 404' "links/$guid/$port/users?since=9&until=8 400" 'jobs?since=-1 400' \
  "jobs/100'%20OR%201 404" "links/$guid/99/users 400" 'jobs?limit=0 400' 'jobs/100/links?fields=x 400'; do
  expect_equal "status of ${wrong% *}" "$(curl -s -o "$scratch/null" -w '%{http_code}' "$url/api/v1/${wrong% *}")" "${wrong##* }"
done

# ---- pages ----
begin_browser 1280 720
text() { script "return document.querySelector('$1').textContent" | jq -r .; }
# shot NAME: takes a picture if pictures were requested.
shot() {
  [[ -z ${PSSP_SCREENSHOTS-} ]] || screenshot "$PSSP_SCREENSHOTS/$1.png"
}
open_page jobs "document.querySelectorAll('tbody tr').length == 6"
# The traffic of each job, from the counters of its hosts; the largest sender comes first.
ask 'jobs?sort=sent' >"$scratch/sorted"
check jq -e '[.jobs[].traffic.sent_bytes_per_s // -1] | . == (sort | reverse) and .[0] > 0' "$scratch/sorted" >"$scratch/null"
check jq -e 'all(.jobs[]; .traffic == null and .traffic_reason != null or
  (.traffic | .received_bytes_per_s >= 0 and .hot_links >= 0 and .held_up_links >= 0))' "$scratch/sorted" >"$scratch/null"
check jq -e '[.jobs[].nodes] | . == (sort | reverse)' <(ask 'jobs?sort=nodes') >"$scratch/null"
expect_equal 'traffic without a request for it' "$(ask jobs | jq 'any(.jobs[]; has("traffic"))')" false
expect_equal 'an unknown order' "$(curl -s -o "$scratch/null" -w '%{http_code}' "$url/api/v1/jobs?sort=colour")" 400
open_page 'jobs?sort=sent' "document.querySelector('th[aria-sort]')?.textContent.startsWith('Sends')"
# The period of five minutes moves, so the order may have changed since the last request.
is_busiest() {
  ask 'jobs?sort=sent' >"$scratch/sorted"
  [[ $(script "return document.querySelector('tbody td').textContent" | jq -r . | cut -d ' ' -f 1) == "$(jq -r '.jobs[0].id' "$scratch/sorted")" ]]
}
eventually is_busiest
open_page jobs "document.querySelectorAll('tbody tr').length == 6"
expect_line <(text main) 'a\|b <x>"'
shot jobs
open_page job/101 "document.querySelectorAll('.chart canvas').length == 1 && document.querySelectorAll('tbody tr').length > 10"
expect_line <(text main) 'elsewhere'
expect_line <(text .answer) '^Network: .*\.$'
unfit=$(ask jobs/101 | jq '[.job.nodes[] | select(.fit != "yes") | .job_name] | unique | length')
((unfit > 0)) || fail 'all nodes of the job are fit'
expect_equal 'nodes of the job that are not fit' "$(script "return [...document.querySelectorAll('table')].find((t) => t.caption.textContent.includes('not fit')).tBodies[0].rows.length")" "$unfit"
expect_line <(text main) '<b>leaf</b>\[7\] "symbol" errors'
shot job
# The ports that wait for the links that the job fills.
change_answer incidents 'body.congestion = [["101", "n7"], ["102", "n8"]].map(([job, name]) => ({ id: "congestion-1", kind: "congestion", job,
  summary: "job " + job + " saturates 1 link to leaf 1 (3 hosts waiting)", waiting_ports: 3, waiting: [{ guid: "0x7", port: 1, name, value: 0.62, since: 1 }] }))'
visit "$url/#/job/100"
eventually is_true "document.querySelector('h1').textContent.startsWith('Job 100')"
check is_true "!document.body.textContent.includes('because of this job')"
visit "$url/#/job/101"
eventually is_true "document.querySelector('h1').textContent.startsWith('Job 101')"
text main >"$scratch/text"
for words in 'waited because of this job, by the verdicts of .*: 1 of 3' 'n7 port 1 *62 %' 'Job 101 saturates 1 link'; do
  expect_line "$scratch/text" "$words"
done
! grep -qF 'n8 port 1' "$scratch/text" || fail 'a port waits because of another job'
visit about:blank
open_page 'map?by=job&job=101' "window.fabricMap && window.fabricMap.edges().some((e) => e.numericStyle('width') > 2)"
shot job-map
open_page "who/$guid/$port" "document.querySelectorAll('tbody tr').length > 0"
expect_line <(text main) 'only user|time series|estimate'
shot who
who=$guid
open_page links "document.querySelector('tbody a[href^=\"#/who/\"]')"

# ---- recordings: the list, one recording, and a comparison of two ----
open_page record "document.querySelectorAll('tbody tr').length == 2"
expect_line <(text main) '<b>first</b> half.*\./job "a"'
open_page 'record?id=1' "document.querySelectorAll('tbody tr').length > 10 && document.querySelectorAll('th').length == 5"
open_page 'record?id=1&with=2&sort=difference' "document.querySelectorAll('tbody tr').length > 10 && document.querySelectorAll('th').length == 8"
expect_line <(text main) 'Compared withsecond half'
differences() { ask 'recordings/1?with=2&sort=difference' | jq -c '[.links[] | (.use.bytes_per_s - .use_with.bytes_per_s) | fabs] | . == (sort | reverse)'; }
expect_equal 'in the order of differences' "$(differences)" true
shot record
visit "$url/#/record?id=9"
eventually is_true "document.querySelector('main').textContent.includes('unknown recording')"
browser_log browser >"$scratch/null" # the console reports the answer 404
[[ $(script 'return window.ran') == null ]] || fail 'the name of a job was run'

# ---- the map of a past time: the slider with the keyboard, the address, the colors, the link to the list of that time, and back ----
# The times of the sweeps come from the database.
newest=$(ask "recordings" | jq '[.recordings[].end] | max')
then=$((newest - 100000))
widths() { script 'return window.fabricMap.edges().map((e) => e.numericStyle("width")).join()'; }
# key CODE: presses a key in the focused element.
key() {
  jq -n --arg key "$1" '{actions: [{type: "key", id: "k", actions: [{type: "keyDown", value: $key}, {type: "keyUp", value: $key}]}]}' |
    curl -s -d @- "$session/actions" >/dev/null
}
expect_equal 'level and length' "$(ask "topology?at=$then" | jq -c '[.level, .until - .since, .until >= '"$then"' and .since < '"$then"']')" '["raw",10000,true]'
expect_equal 'links of that time' "$(ask "links?at=$then&limit=1" | jq -c '[.level, .links[0].utilisation > 0]')" '["raw",true]'
etag=$(curl -s -D - -o "$scratch/null" "$url/api/v1/topology?at=$then" | tr -d '\r' | sed -n 's/^ETag: //p')
expect_equal 'the same again' "$(curl -s -o "$scratch/null" -w '%{http_code}' -H "If-None-Match: $etag" "$url/api/v1/topology?at=$then")" 304
expect_equal 'before the history' "$(curl -s -o "$scratch/null" -w '%{http_code}' "$url/api/v1/topology?at=1000")" 404
open_page map "window.fabricMap && document.querySelector('.timeline .of').textContent == 'live'"
script "document.querySelector('.timeline input').focus()" >/dev/null
for _ in {1..12}; do key $'\ue012'; done # left
eventually is_true "location.hash.includes('at=') && document.querySelector('.timeline .of').textContent.includes('the 10.0 s before, between two sweeps')"
[[ $(script 'return document.activeElement.type') == '"range"' ]] || fail 'the slider lost the focus'
open_page "map?at=$then" "window.fabricMap && document.querySelector('.timeline .of').textContent.includes('between two sweeps')"
past=$(widths)
before=$(text '#cost')
eventually is_true "document.querySelector('#cost').textContent != '$before'"
expect_equal 'the past map after a sweep' "$(widths)" "$past"
shot map-past
script "document.querySelector('.timeline button').click()" >/dev/null
eventually is_true "!location.hash.includes('at=') && document.querySelector('.timeline .of').textContent == 'live'"
[[ $(widths) != "$past" ]] || fail 'the current map has the colors of the past time'
guid=$(ask "topology?at=$then" | jq -r '.nodes[0].guid')
open_page "map?at=$then&node=$guid" "document.querySelector('.side a[href*=\"at=$then\"]')"
script "document.querySelector('.side a[href*=\"at=$then\"]').click()" >/dev/null
eventually is_true "location.hash == '#/links?node=$guid&at=$then' && document.querySelectorAll('tbody tr').length > 5 && document.querySelector('.past')"
open_page "who/$guid/1?at=$newest" "document.querySelector('.past') && document.querySelectorAll('tbody tr').length > 0"
for page in map links; do
  visit "$url/#/$page?at=1000"
  eventually is_true "document.querySelector('.timeline .of, .past')?.textContent.includes('Nothing was read')"
done
browser_log browser >"$scratch/null" # the console reports the answers 404

# ---- a narrow screen, and a dark one ----
devtools Emulation.setDeviceMetricsOverride '{"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": true}'
devtools Emulation.setEmulatedMedia '{"features": [{"name": "prefers-color-scheme", "value": "dark"}]}'
for page in jobs job/101 "who/$who/$port" record "map?at=$then" "links?at=$then"; do
  open_page "$page" "document.querySelector('h1') && document.querySelector('tbody tr, .timeline')"
  width=$(script 'return document.documentElement.scrollWidth')
  ((width <= 390)) || fail "$page is $width pixels wide on a screen of 390"
  shot "narrow-${page%%/*}"
done
end_session
