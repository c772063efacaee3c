#!/usr/bin/env bash
# Runs every installed program with almost valid command lines and files. No program may die by a signal, hang, use up the memory,
# leave partial output or end with an undocumented status. PSSP_HOSTILE_COMMANDS, _INPUTS and _SEED extend the test;
# docs/explanation/fuzzing.md.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"

"$here/programs/make_playground.sh" "$bin" "$scratch/files" 2>"$scratch/log" || fail "make_playground.sh failed: $(<"$scratch/log")"
# hostile PAGE OPTION...: writes the result to $scratch/report.
hostile() {
  "$bin/hostile_programs" --bin "$bin" --playground "$scratch/files" --lines "$here/programs/commands.txt" --statuses "$1" "${@:2}" >"$scratch/report"
}
# The page names programs by their commands; replace these by the program names.
readonly page=$scratch/statuses.md
# shellcheck disable=SC2016  # the marks of Markdown
sed -nE 's/^\{"[^"]*", "([^"]+)", "([^"]+)",.*/s@`pssp \1\\([ `]\\)@`\2\\1@g/p' "$PSSP_SOURCE_DIR/tools/pssp/commands.inc" |
  sed -f - "$PSSP_SOURCE_DIR/docs/reference/exit-codes.md" >"$page"
hostile "$page" --commands "${PSSP_HOSTILE_COMMANDS:-10}" --inputs "${PSSP_HOSTILE_INPUTS:-20}" --seed "${PSSP_HOSTILE_SEED:-1}" || fail "$(<"$scratch/report")"
cat "$scratch/report"
# Programs without a line in commands.txt are not tested. Only programs that start subnet managers or change a fabric may lack
# one.
for folder in "$PSSP_SOURCE_DIR"/tools/*/; do
  name=$(basename "$folder")
  [[ -e $folder/$name.cpp && ' bench_opensm compare_engines dry_run play_traffic cc_query pssp ' != *" $name "* ]] || continue
  grep -q "^[0-9]* $name " "$here/programs/commands.txt" || fail "commands.txt has no line for $name"
done
# Verify that the page matters: if the rows of wrong options are removed, and the row of cc_params diff belongs to another
# program, these statuses must be findings.
sed -e '/^| 2 |/d' -e '/^| 1 |/s/cc_params/route_lft/' "$page" >"$scratch/page.md"
hostile "$scratch/page.md" --commands 40 --inputs 0 cc_params && fail 'no finding, although the page does not document the status of wrong options'
grep -q 'status 2, which the page does not document' "$scratch/report" || fail "no finding about the removed row: $(<"$scratch/report")"
