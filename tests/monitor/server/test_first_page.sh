#!/usr/bin/env bash
# The first page of a fabric of 3,675 hosts transfers less than 300 kB, and only pages that draw load the libraries for charts and the map.
# Measured on 2 cores that also ran compilers: 85 kB in 21 requests, tables after 0.5 to 0.8 s; the map 246 kB, other lists 20 to 33 kB.
# shellcheck source=tests/monitor/server/pages.sh
. "$(dirname "$(readlink -f "$0")")/pages.sh"

begin_monitor 'xgft 25,147 1,12' 10
begin_browser 1280 900
# first_page HASH CONDITION: opens the page as the first one of a new document.
first_page() {
  visit about:blank
  open_page "$@"
}
entries='[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]'
first_page overview "document.querySelectorAll('.tile').length == 8 && document.querySelectorAll('.hour canvas').length == 3 && document.querySelector('tbody tr')"
expect_equal 'hosts' "$(script "return document.querySelector('.tile a[href*=\"kind=hca\"] .big').textContent" | jq -r .)" 3675
bytes=$(script "return $entries.reduce((sum, entry) => sum + entry.transferSize, 0)")
((bytes > 10000 && bytes < 300000)) || fail "the first page transfers $bytes bytes: $(script "return $entries.map((entry) => entry.name + ' ' + entry.transferSize)")"
libraries() { script "return $entries.map((entry) => new URL(entry.name).pathname).filter((path) => /uPlot.*js|cytoscape.*js/.test(path)).join()" | jq -r .; }
expect_equal 'libraries of the overview' "$(libraries)" /uPlot.esm.js
for page in links nodes health manager reroutes 'search?q=leaf'; do
  first_page "$page" "document.querySelector('.page h1')"
  expect_equal "libraries of $page" "$(libraries)" ''
done
first_page map 'window.fabricMap'
expect_equal 'libraries of the map' "$(libraries)" /cytoscape.min.js
end_session
