#!/usr/bin/env bash
# reproduction/expected.tsv is the output of `reproduce --tsv` after a full run. This test runs the items that take seconds and
# compares their complete rows. For other items it compares the columns that are not results. The tables of
# docs/explanation/reproduction.md have the counts and the differing items of items.tsv and expected.tsv.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
skip_without jq
folder=$PSSP_SOURCE_DIR/reproduction page=$PSSP_SOURCE_DIR/docs/explanation/reproduction.md
reproduce=$folder/reproduce expected=$folder/expected.tsv items=$folder/items.tsv
cd "$scratch"

# ---- the rows ----

cheap=(O04 O05 O06 O07 O11 M02 M03 M18 M24 C01 C02 C11 C12)
only=()
for id in "${cheap[@]}"; do only+=(--only "$id"); done
"$reproduce" --out R --jobs 2 "${only[@]}" >run 2>&1 || fail "$(<run)"
"$reproduce" --out R --tsv >computed.tsv
expect_equal 'rows of expected.tsv' "$(tail -n +2 "$expected" | wc -l)" "$("$reproduce" --list | wc -l)"
for id in "${cheap[@]}"; do
  expect_equal "row of $id in expected.tsv (computed by: reproduction/reproduce --out R --only $id --tsv)" \
    "$(grep "^$id"$'\t' "$expected")" "$(grep "^$id"$'\t' computed.tsv)"
done
# The columns are id, source, place, what and published.
cut -f 1-5 computed.tsv >computed.columns
cut -f 1-5 "$expected" >expected.columns
expect_same computed.columns expected.columns

# ---- the page ----

# page_table SECTION: prints the cells of the table in this section of the page, separated by tabs.
page_table() {
  awk -v section="## $1" '/^## / { inside = $0 == section } inside && /^\|/ && !/^\|-/ { gsub(/^\| | \|$/, ""); gsub(/ *\| */, "\t"); print }' "$page" | tail -n +2
}

# Prints source, number of items, and the number for each status; the last row has the totals.
awk -F '\t' -v OFS='\t' '
  function row(source,    i, text) {
    text = source "\t" count[source]
    for (i = 1; i <= n; ++i) text = text "\t" count[source, status[i]] + 0
    return text
  }
  BEGIN { n = split("done like differs definition hardware", status, " ") }
  FNR == 1 { next }
  !($2 in count) { sources[++n_sources] = $2 }
  { ++count[$2]; ++count[$2, $6]; ++count["all"]; ++count["all", $6] }
  END { for (i = 1; i <= n_sources; ++i) print row(sources[i]); print row("all") }' "$items" >status.items
page_table 'Results by source' | tr -d '`' | cut -f 1,3- >status.page
expect_same status.page status.items 'source, items, done, like, differs, definition, hardware: the table "Results by source" of the page, and items.tsv'

tail -n +2 "$expected" | cut -f 8 | sort | uniq -c | awk '{ count = $1; $1 = ""; print substr($0, 2) "\t" count }' >verdict.expected
page_table 'Verdicts of the recorded run' | cut -f 1,2 | sort >verdict.page
expect_same verdict.page verdict.expected 'verdict, items: the table "Verdicts of the recorded run" of the page, and expected.tsv'

{
  awk -F '\t' '$6 == "differs" { print $1 }' "$items"
  awk -F '\t' '$8 ~ /^(differs|order fails|failed)$/ { print $1 }' "$expected"
} | sort -u >differing.data
page_table 'Items that differ' | cut -f 1 | tr -d ' ' | tr ',' '\n' | sort >differing.page
expect_same differing.page differing.data 'the table "Items that differ" of the page, and the items that differ by items.tsv or expected.tsv'
