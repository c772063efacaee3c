#!/usr/bin/env bash
# The pages in a real Chromium: each page loads without an error on the console and without a request to another server, shows the state of the
# fabric, runs no script from names of the fabric, and can be reached with the keyboard.
# shellcheck source=tests/monitor/server/pages.sh
. "$(dirname "$(readlink -f "$0")")/pages.sh"

# ---- no module parses text as markup ----
! grep -nE 'innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function' \
  "$PSSP_SOURCE_DIR"/monitor/web/pages/*.{js,html} || fail 'a page parses text of the fabric as markup'

printf '%s\n' '<script>window.ran = 1</script>' '<img src=x onerror="window.ran = 2">' '"><svg onload=window.ran=3>' \
  'javascript:window.ran=4' $'=right \xe2\x80\xae left?' "$(printf '\xff%.0s' {1..64})" >"$scratch/names"
cat >"$scratch/advice" <<'END'
{"since": 1699999400000, "until": 1700000000000, "seconds": 600, "sweeps": 60, "bytes": 1.2e12, "flows": 4032, "draws": 40, "bisections": 2000,
 "busiest": {"channel": "<b>leaf 1</b> port 9 -> top 1 port 1", "share_of_time": 0.62}, "lanes": 1, "recommended": "pssp", "remarks": ["<i>a remark</i>"],
 "proposals": [{"tables": "pssp", "recommended": true, "same": false, "reason": "pssp is better than the tables in force",
   "busiest_channel": {"in_force": 0.62, "proposed": 0.25, "gain": 0.596, "lower": 0.501, "upper": 0.692},
   "mean_congestion": {"in_force": 0.4, "proposed": 0.3, "gain": 0.25, "lower": 0.2, "upper": 0.3},
   "bisection_bandwidth": {"in_force": 0.3, "proposed": 0.29, "gain": -0.01, "lower": -0.02, "upper": 0.01},
   "entries": 336, "blocks": 16, "switches": 8, "pairs": 4032, "pairs_moved": 2688, "bytes_moved": 0.667, "lanes": null,
   "opensm": "routing_engine pssp", "command": "route_lft --engine pssp fabric.net -o new.lft"},
  {"tables": "stable", "recommended": false, "same": true, "reason": "no change: the tables of stable are already in force"}],
 "channel": {"name": "<b>leaf 1</b> port 9 -> top 1 port 1", "flows": 2, "bytes": 3e9, "busy": 0.5,
   "pairs": [{"from": "<b>leaf 1</b>", "to": "leaf 2", "job": null, "flows": 2, "bytes": 3e9}],
   "avoiding": [{"tables": "pssp", "flows": 1, "bytes": 0.4, "busy": 0.6}],
   "cables": [{"from": "<b>leaf 1</b>", "to": "leaf 2", "parallel": false, "flows": 1, "bytes": 1e9, "entries": 1, "busy": 0.66, "cable_busy": 0.33,
     "gain": 0.12, "free_ports": [1, 2]}], "cables_without_ports": 0}}
END
begin_monitor 'xgft 6,6 1,3' 0.5 "ADVICE=$scratch/advice" "HOSTILE_NAMES=$scratch/names"

begin_browser 1280 720
guid=$(curl -s "$url/api/v1/nodes?kind=switch&limit=1" | jq -r '.nodes[0].guid')
# open HASH CONDITION: calls open_page, checks that the page shows no missing value (null, NaN), and records its requests.
open() {
  open_page "$@"
  ! grep -qE '\\n(null|undefined)\\n|NaN|\[object' < <(script 'return document.body.innerText') || fail "$1 shows a missing value: $(script 'return document.body.innerText')"
  browser_log performance | jq -r '.message | fromjson | .message | select(.method == "Network.requestWillBeSent") | .params.request.url' >>"$scratch/requests"
}
text() { script "return document.querySelector('$1').textContent"; }
open overview "document.querySelectorAll('.tile').length == 8 && document.querySelector('tbody tr')"
expect_line <(text .answer) 'Most urgent: Link down: '
# Three charts of the last hour fill the width of the page and are updated with each sweep.
eventually is_true "document.querySelectorAll('.hour canvas').length == 3"
expect_equal 'curves side by side' "$(script "return new Set([...document.querySelectorAll('.hour canvas')].map((c) => c.getBoundingClientRect().top)).size")" 1
points() { curl -s "$url/api/v1/activity" | jq '[.time_ms, .bytes_per_s, .errors_per_minute, .hot_channels, .held_up_channels] | map(length) | unique | if length == 1 then .[0] else -1 end'; }
some=$(points)
more_points() { (($(points) > some)); }
eventually more_points
check jq -e '(.bytes_per_s | max) > 0 and (.time_ms | . == (sort | unique))' <(curl -s "$url/api/v1/activity") >"$scratch/null"
expect_equal 'limited number of points' "$(curl -s "$url/api/v1/activity?points=2" | jq '.time_ms | length')" 2
open links "document.querySelectorAll('tbody tr').length == 50"
expect_equal 'rows of the list' "$(text .more | grep -oE 'Rows 1 to 50 of [0-9]+')" "Rows 1 to 50 of $(curl -s "$url/api/v1/links" | jq .total)"
# ---- lists: the server sorts and filters, the address keeps the state, and the keyboard is enough ----
# column TITLE: prints the cells of the column, one per line.
column() { script "return [...document.querySelectorAll('tbody td[data-title=\"$1\"]')].map((td) => td.textContent).join('\\n')" | jq -r .; }
key() { jq -n --arg key "$1" '{actions: [{type: "key", id: "k", actions: [{type: "keyDown", value: $key}, {type: "keyUp", value: $key}]}]}' | curl -s -d @- "$session/actions" >"$scratch/null"; }
script "document.querySelector('th[data-title=From] a').focus()" >"$scratch/null"
key $'\ue007'
eventually is_true "location.hash == '#/links?sort=name' && document.querySelector('th[aria-sort=ascending]')?.dataset.title == 'From'"
check is_true "document.activeElement.closest('th')?.dataset.title == 'From'"
key $'\ue007'
eventually is_true "location.hash == '#/links?sort=name&order=desc' && document.querySelector('th[aria-sort=descending]')?.dataset.title == 'From'"
# The heading keeps the focus even after a sweep.
cost=$(text '#cost')
eventually is_true "document.querySelector('#cost').textContent != $cost"
check is_true "document.activeElement.closest('th')?.dataset.title == 'From'"
open 'links?sort=name&order=desc&name=leaf&after=50' "document.querySelector('.more')?.textContent.startsWith('Rows 51 to')"
curl -s "$url/api/v1/links?sort=name&order=desc&name=leaf&limit=50&after=50" | jq -r '.links[] | "\(.name) port \(.port)"' >"$scratch/wanted"
column From >"$scratch/found"
expect_same "$scratch/found" "$scratch/wanted"
script "document.querySelector('.more a').click()" >"$scratch/null"
eventually is_true "location.hash == '#/links?sort=name&order=desc&name=leaf' && document.querySelector('.more')?.textContent.startsWith('Rows 1 to 50')"
open "links?node=$guid" "document.querySelector('.note a[href=\"#/node/$guid\"]')"
open 'nodes?kind=hca' "document.querySelector('tbody .verdict[title]')"
expect_equal 'adapters that are not fit' "$(script "return [...document.querySelectorAll('td[data-title=\"Fit for jobs\"]')].filter((td) => td.textContent.endsWith(' no')).length")" \
  "$(curl -s "$url/api/v1/nodes?kind=hca" | jq '[.nodes[] | select(.fit == "no")] | length')"
open nodes "document.querySelector('tbody tr')"
expect_line <(text main) '<script>window.ran = 1</script>'
open "node/$guid" "document.querySelector('h1') && document.querySelectorAll('tbody tr').length > 5"
open "port/$guid/1" "document.querySelector('.chart canvas') && document.querySelector('dl')"
text main >"$scratch/text"
# Bits and codes of PortInfo are shown as words, and numbers with separators.
for words in 'Supported widths' 'Enabled speeds' '[0-9]{1,3},[0-9]{3},[0-9]{3}'; do
  expect_line "$scratch/text" "$words"
done
open "port/$guid/1?counters=transmit_bytes,symbol_errors&also=$guid:2" "document.querySelectorAll('.chart .u-legend tr').length == 5"
# Each chart also has a curve of the previous week.
open "port/$guid/1?period=3600&compare=1" "document.querySelector('.u-legend')?.textContent.includes('a week earlier')"
check is_true "document.querySelectorAll('.chart .u-legend tr').length == 5"
open health "document.querySelectorAll('.cards .fault').length > 2"
# There is one card per faulty cable, with both ends, and one group for all waiting ports instead of a row for each.
curl -s "$url/api/v1/incidents" >"$scratch/incidents"
expect_equal 'cards' "$(script "return document.querySelectorAll('.cards .fault').length")" "$(jq '.faults | length' "$scratch/incidents")"
expect_line <(text .answer) "Not healthy: $(jq .faults_by_level.bad "$scratch/incidents") bad faults.* \(1 link down\), .*congestion cause"
check jq -e '[.faults[].level] | . == (sort_by({bad: 0, watch: 1, unknown: 2}[.]))' "$scratch/incidents" >"$scratch/null"
text .health >"$scratch/text"
for words in 'Link down' 'Symbol errors' 'port [0-9]+' 'symbol errors \(SymbolErrorCounter\)' '31 in 1 h' 'Limit' 'In order of repair' 'What to do: reseat the cable, then swap it' 'First seen' 'Jobs on either direction'; do
  expect_line "$scratch/text" "$words"
done
! grep -qE '\b(hot|held up|silent)\b' "$scratch/text" || fail "undefined words: $(<"$scratch/text")"
expect_equal 'ports that wait, before the group is opened' "$(script "return document.querySelectorAll('details .scroll').length")" 0
script "[...document.querySelectorAll('.fault summary')].pop().click()" >"$scratch/null"
eventually is_true "document.querySelectorAll('details[open] tbody tr').length == $(jq '.congestion[-1] | .waiting_ports + .saturated_links' "$scratch/incidents")"
# The definition of a term can also be opened with the keyboard, and closed with Escape.
script "document.querySelector('details[open] .info').focus()" >"$scratch/null"
eventually is_true "document.querySelector('#tip:popover-open')?.textContent.includes('PortXmitWait')"
key $'\ue00c'
check is_true "!document.querySelector('#tip:popover-open')"
# ---- an incident has its own page, with a timeline and a text for a ticket ----
id=$(jq -r '[.faults[] | select(.kind == "errors")][0].id' "$scratch/incidents")
open "incident/$id" "document.querySelectorAll('.incident .hour canvas').length == 2"
counted=$(jq -r '.faults[] | select(.id == "'"$id"'") | .findings[0] | "\(.name) port \(.port)"' "$scratch/incidents")
expect_equal 'the end that counted' "$(script "return [...document.querySelectorAll('dl div')].find((d) => d.firstChild.textContent == 'Counted at').lastChild.textContent" | jq -r .)" "$counted"
check is_true "document.querySelector('h1').textContent.startsWith('Symbol errors: ' + $(jq -n --arg at "$counted" '$at') + ' to ')"
text .incident >"$scratch/text"
for words in 'Timeline' 'Open for [0-9]+ [a-z].*, since ' 'verdict (bad|watch)' 'not acknowledged' 'needs a database and a token'; do
  expect_line "$scratch/text" "$words"
done
# The text for a ticket comes before the timeline.
check is_true "document.querySelector('textarea').compareDocumentPosition(document.querySelector('.incident table')) & Node.DOCUMENT_POSITION_FOLLOWING"
script "return document.querySelector('textarea').value" | jq -r . >"$scratch/ticket"
for words in '^Symbol errors: .* port [0-9]+ to .* port [0-9]+$' '^What to do: reseat the cable' '^Jobs on either direction: none' "#/incident/$id\$" 'symbol errors: '; do
  expect_line "$scratch/ticket" "$words"
done
# Traffic continues, so the congestion may have another cause by now.
open_congestion() {
  visit "$url/#/incident/$(curl -s "$url/api/v1/incidents" | jq -r '.congestion[0].id')"
  is_true "document.querySelector('.incident details[open] tbody tr')"
}
eventually open_congestion
visit "$url/#/incident/00000000000000ff-1"
eventually is_true "document.querySelector('.incident').textContent.includes('This incident is over')"
browser_log browser >"$scratch/console"  # the expected 404

# ---- the search box: "/" moves the focus to it, and arrow keys select a result; tables can be saved as CSV ----
open overview "document.querySelector('.tile')"
key /
jq -n '{actions: [{type: "key", id: "k", actions: ("leaf 3 port 2\ue007" | split("") | map({type: "keyDown", value: .}, {type: "keyUp", value: .}))}]}' |
  curl -s -d @- "$session/actions" >"$scratch/null"
eventually is_true "location.hash.startsWith('#/search?q=leaf') && document.activeElement.textContent == 'leaf 3 port 2'"
key $'\ue015'
check is_true "document.activeElement.tagName == 'A' && document.activeElement.textContent != 'leaf 3 port 2'"
open "search?q=$guid" "document.querySelector('td a').href.endsWith('/#/node/$guid')"
open 'links?only=hot' "document.querySelector('.page.links')"
script "window.csv = ''; const make = URL.createObjectURL; URL.createObjectURL = (blob) => { blob.text().then((t) => { window.csv = t; }); return make(blob); };
  location.hash = '#/nodes?kind=hca'" >"$scratch/null"
eventually is_true "document.querySelector('.page.nodes .csv')"
script "document.querySelector('.csv').click()" >"$scratch/null"
eventually is_true "window.csv"
script 'return window.csv' | jq -r . | tr -d '\r' >"$scratch/csv"
expect_equal 'first line' "$(head -n 1 "$scratch/csv")" '"Node","Kind","LID","Active ports","Sends","Receives","Verdict","Fit for jobs"'
# A name is not a formula in a spreadsheet, and is complete.
expect_line "$scratch/csv" "^\"'=right .* left\?\","
expect_equal 'lines' "$(grep -c '^"' "$scratch/csv")" "$(($(curl -s "$url/api/v1/nodes?kind=hca" | jq .total) + 1))"
# The CSV has the order of the table.
sed -n '2,$s/","adapter".*/"/p' "$scratch/csv" >"$scratch/found"
curl -s "$url/api/v1/nodes?kind=hca&sort=name" | jq -r '.nodes[].name | (if test("^[=+@-].") then "\u0027" + . else . end) | gsub("\""; "\"\"") | "\"\(.)\""' >"$scratch/wanted"
expect_same "$scratch/found" "$scratch/wanted"
open manager "document.querySelector('tbody tr')"
expect_line <(text main) 'master'
open reroutes "document.querySelectorAll('tbody tr').length == 2"
text main >"$scratch/text"
# The end time is that of the event; counts are integers.
for words in '4711 <b>: 18 of 240 moved' '2 jobs affected, 1 of them without a path now' '420 of 46,440' '420 \(at most 1\.3 s\)' '[0-9]:[0-9]{2}.* to [0-9]+:[0-9]{2}'; do
  expect_line "$scratch/text" "$words"
done
open advice "document.querySelectorAll('tbody tr').length == 5"
expect_line <(text main) 'leaf 2 *1 *66 %'
expect_line <(text main) 'Recommended: pssp'
expect_line <(text main) '59.6 % \[50.1 .. 69.2\]'
script "document.querySelector('form button').click()" >/dev/null
eventually is_true "document.querySelector('.advice [role=status]').textContent.startsWith('Comparing best,cassp,pssp since')"
expect_equal 'a second request for advice at the same time' "$(curl -s -o "$scratch/null" -w '%{http_code}' "$url/api/v1/advice?engines=best")" 429
expect_equal 'unknown engines' "$(curl -s -o "$scratch/null" -w '%{http_code}' "$url/api/v1/advice?engines=nonsense")" 400
for wrong in "channel=$guid:1" 'engines=best&channel=here' "engines=best&channel=$guid:0"; do
  expect_equal "status of $wrong" "$(curl -s -o "$scratch/null" -w '%{http_code}' "$url/api/v1/advice?$wrong")" 400
done
open map "window.fabricMap && window.fabricMap.nodes().length > 0"
expect_equal 'switches on the map' "$(script 'return window.fabricMap.nodes().length')" \
  "$(curl -s "$url/api/v1/nodes?kind=switch" | jq .total)"
# At the zoom level that shows the whole map, names of switches do not overlap; closer levels show at least as many names.
expect_equal 'planned cables that are missing' "$(script "return window.fabricMap.edges('.missing').map((e) => e.style('line-style')).join()" | jq -r .)" dashed
check is_true "document.querySelector('.legend .swatch.missing')"
labels() { script "return window.fabricMap.nodes().filter((n) => n.data('label')).length"; }
named=$(labels)
((named > 0)) || fail 'no switch is named on the map'
expect_equal 'overlapping names' "$(script "const boxes = window.fabricMap.nodes().filter((n) => n.data('label')).map((n) => { const b = n.renderedBoundingBox({ includeNodes: false, includeEdges: false, includeLabels: true }); return [b.x1 + 3, b.y1 + 3, b.x2 - 3, b.y2 - 3]; });
  return boxes.filter((a, i) => boxes.some((b, j) => j < i && a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3])).length")" 0
open "map?by=errors&node=$guid" "document.querySelectorAll('.side tbody tr').length > 5"

# ---- states that this fabric does not have: full wait counters ----
visit about:blank
open overview "document.querySelector('.tile')"
change_answer status 'body.summary.held_up_channels = 0; body.summary.full_wait_counters = 1204'
change_answer links 'for (const link of body.links) link.waiting_share = null'
visit "$url/#/links"
eventually is_true "[...document.querySelectorAll('td[data-title=\"Credit wait\"]')].every((td) => td.textContent == 'unknown')"
change_answer incidents 'body.total = 14'
visit "$url/#/overview"
eventually is_true "document.querySelector('.tile.unknown .big')?.textContent == 'unknown'"
check is_true "document.querySelector('.tile.unknown').textContent.includes('unknown for 1,204 ports')"
# Incidents that do not fit on the page are replaced by a link to all incidents.
check is_true "/^(9|1[0-9]) more$/.test(document.querySelector('.more a[href=\"#/health\"]').textContent)"
change_answer incidents 'body.faults_by_level = { bad: 0, watch: 0, unknown: 0 }; body.faults = []; body.congestion = []'
change_answer status 'body.summary.lost_links = 0; body.standby_managers = 0'
visit "$url/#/health"
eventually is_true "document.querySelector('.page.health .answer')?.textContent == 'No faults. No standby subnet manager.'"
change_answer manager 'body.managers = body.managers.filter((m) => m.state == "master"); body.managers[0].since_start = true'
visit "$url/#/manager"
eventually is_true "document.querySelector('.page.manager .verdict.watch')?.textContent.includes('No standby subnet manager was found.')"
expect_line <(text main) 'before the monitor started \([0-9]'
visit about:blank

# ---- an address with an invalid escape shows an error ----
visit "$url/#/node/%zz"
eventually is_true "document.querySelector('main [role=alert]') && location.hash == '#/node/%zz'"
browser_log browser | grep -vF 'the server responded with a status of 4' >"$scratch/console" || true
[[ ! -s $scratch/console ]] || fail "the console of a wrong address: $(<"$scratch/console")"

# ---- live: the page shows each new sweep ----
before=$(text '#cost')
eventually is_true "document.querySelector('#cost').textContent != $before"
[[ $(script 'return window.ran') == null ]] || fail 'a name of the fabric was run'
! grep -E '^(https?|wss?):' "$scratch/requests" | grep -vF "$url/" || fail 'a page sends requests to another server'
grep -qF "$url/api/v1/status" "$scratch/requests" || fail 'the log of requests is empty'

# The age of the data grows between the answers, and continues to grow without an answer.
expect_line <(text '#age') '^"?Last sweep [0-9]+:[0-9]{2}:[0-9]{2}.*, [0-9]+ s ago \(every 0\.5 s\)\.'

# ---- the keyboard: the second tab stop is the menu, and Enter follows a link ----
open overview "document.querySelector('.tile')"
script "document.querySelector('#nav a:nth-child(3)').focus()" >/dev/null
key $'\ue007'
eventually is_true "location.hash == '#/links' && document.querySelector('h1').textContent == 'Links'"

# ---- a narrow screen: no page is wider than the screen ----
devtools Emulation.setDeviceMetricsOverride '{"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": true}'
for page in overview links nodes "port/$guid/1" health reroutes map advice; do
  open "$page" "document.querySelector('h1')"
  width=$(script 'return document.documentElement.scrollWidth')
  ((width <= 390)) || fail "$page is $width pixels wide on a screen of 390"
done
end_session

# ---- the page shows its title while it waits for an answer; if the monitor does not answer, the page says so and what to do ----
begin_browser 1280 720
open overview "document.querySelector('.tile')"
devtools Network.enable '{}'
devtools Network.emulateNetworkConditions '{"offline": false, "latency": 4000, "downloadThroughput": -1, "uploadThroughput": -1}'
script "location.hash = '#/links'" >"$scratch/null"
eventually is_true "document.querySelector('.skeleton[aria-busy] h1')?.textContent == 'Links'"
devtools Network.emulateNetworkConditions '{"offline": false, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}'
eventually is_true "document.querySelector('.page.links tbody tr')"
check is_true "document.querySelector('#live').textContent == ''"
kill "$monitor"
eventually is_true "document.querySelector('#live.problem')?.textContent.includes('has not answered since')"
check is_true "document.querySelector('#live').textContent.includes('systemctl status monitor_fabric')"
older() { (($(text '#age' | grep -oE '[0-9]+ s ago' | tr -dc 0-9) > 3)); }
eventually older
script "location.hash = '#/nodes'" >"$scratch/null"
eventually is_true "document.querySelector('main [role=alert]')?.textContent.startsWith('The monitor does not answer') && document.querySelector('main button')"
end_session
