#!/usr/bin/env bash
# The report of a period is one HTML file that a browser shows without loading other files. Without sweeps, no report is written.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
monitor=$bin/monitor_fabric
cd "$scratch"
"$PSSP_BUILD_DIR/tests/write_history" history.sqlite 30 0 0x200000:5:symbol_errors 0x200001:6:width >stdout
period=(--since 2023-11-14 --until 2023-11-15)
expect 0 '' "$monitor" report -d history.sqlite "${period[@]}" -o week.html
expect_line week.html '^<h1>Fabric report</h1>$'
expect_line week.html '<dt>links</dt><dd>32</dd>'
expect_line week.html '<td>leaf 1 port 5 - .*<span class="bad">bad</span></td><td>symbol errors</td>'
expect_line week.html '<dt>availability of links</dt><dd>100.00 %</dd>'
expect 3 'the history has no sweep in this period' "$monitor" report -d history.sqlite -o none.html
[[ ! -e none.html ]] || fail 'a report without sweeps was written'
expect 3 '' "$monitor" report -d week.html -o none.html
! grep -E '<script|src=|href=|url\(|https?:' week.html >found || fail "the report loads something: $(<found)"
skip_without chromium
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$scratch/profile" --dump-dom "file://$scratch/week.html" >dom 2>"$scratch/null"
expect_line dom '<h2>Worst cables</h2>'
