#!/usr/bin/env bash
# axe-core finds no violation of its rules on any page: in light and dark, on screens 390, 768 and 1280 pixels wide. PSSP_SCREENSHOTS names
# a folder for pictures of the pages.
# shellcheck source=tests/monitor/server/pages.sh
. "$(dirname "$(readlink -f "$0")")/pages.sh"

axe=$PSSP_BUILD_DIR/tests/monitor/server/libraries/axe-core/package/axe.min.js
[[ -s $axe ]] || skip 'axe-core was not fetched (the build writes it into tests/monitor/server/libraries)'
"$PSSP_BUILD_DIR/tests/write_traffic" "$scratch" phases 30 "$(($(date +%s) - 305))"
begin_monitor 'xgft 8,8 1,4 --rate 4xEDR' 3 "HISTORY=$scratch/history.db"
guid=$(curl -s "$url/api/v1/nodes?kind=switch&limit=1" | jq -r '.nodes[0].guid')

# violations: prints the violations that axe-core finds on the current page, one per line.
violations() {
  jq -n --rawfile axe "$axe" '{args: [], script: ($axe + "\nconst done = arguments[arguments.length - 1];
    axe.run(document, { resultTypes: [\"violations\"] }).then((found) => done(found.violations.map((v) => `${v.id}: ${v.help}: ${v.nodes.map((n) => n.html.slice(0, 160)).join(\" | \")}`)));")}' |
    curl -s -m 120 -d @- "$session/execute/async" | jq -r '.value[]'
}

pages=(overview health links nodes "node/$guid" "port/$guid/1" jobs job/101 "who/$guid/9?period=21600" manager reroutes record advice map
  'search?q=leaf' "incident/$(curl -s "$url/api/v1/incidents" | jq -r '.faults[0].id')")
# Each page is loaded once for a color scheme and then gets each width, as in a window that a user resizes.
for scheme in light dark; do
  begin_browser 1280 900 "$scheme"
  for page in "${pages[@]}"; do
    open_page "$page" "document.querySelector('.page h1')"
    for width in 1280 768 390; do
      devtools Emulation.setDeviceMetricsOverride "{\"width\": $width, \"height\": 900, \"deviceScaleFactor\": 1, \"mobile\": false}"
      violations >"$scratch/violations"
      [[ -z ${PSSP_SCREENSHOTS-} ]] || screenshot "$PSSP_SCREENSHOTS/${page%%[/?]*}_${scheme}_$width.png"
      [[ ! -s $scratch/violations ]] || fail "$page, $scheme, $width pixels: $(<"$scratch/violations")"
    done
  done
  end_session
done
