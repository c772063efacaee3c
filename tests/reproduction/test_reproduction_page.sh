#!/usr/bin/env bash
# docs/explanation/reproduction.md is what `reproduce --markdown` prints: rows of items that are made here in seconds are the same to the last letter; of the others
# all that is not a result is.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
skip_without jq
reproduce=$PSSP_SOURCE_DIR/reproduction/reproduce page=$PSSP_SOURCE_DIR/docs/explanation/reproduction.md
cd "$scratch"

cheap=(O04 O05 O06 O07 O11 M02 M03 M18 M24 C01 C02 C11 C12)
only=()
for id in "${cheap[@]}"; do only+=(--only "$id"); done
"$reproduce" --out R --jobs 2 "${only[@]}" >run 2>&1 || fail "$(<run)"
"$reproduce" --out R --markdown >made
rows() { grep -E '^\| [A-Z][0-9]{2} \|' "$1" || true; }
rows made >made.rows
rows "$page" >page.rows
expect_equal 'rows of the page' "$(wc -l <page.rows)" "$("$reproduce" --list | wc -l)"

for id in "${cheap[@]}"; do
  expect_equal "row of $id (made anew by: reproduction/reproduce --out R --markdown)" "$(grep "^| $id " page.rows)" "$(grep "^| $id " made.rows)"
done
# Id, source, place, what, published.
for side in made page; do
  awk -F ' [|] ' '{ print $1 " | " $2 " | " $3 " | " $4 " | " $5 }' "$side.rows" >"$side.said"
done
expect_same made.said page.said
# The last line counts what this folder has, and what the page has.
grep -v '^|' made | head -n -1 >made.text
grep -v '^|' "$page" | head -n -1 >page.text
expect_same made.text page.text
