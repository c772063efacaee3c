#!/usr/bin/env bash
# Every installed program, with command lines and files that are nearly right: none ends by a signal, hangs, takes all memory, leaves
# half an output or ends with a status that no page knows. PSSP_HOSTILE_COMMANDS, _INPUTS and _SEED for more of it; docs/explanation/fuzzing.md.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"

"$here/programs/make_playground.sh" "$bin" "$scratch/files" 2>"$scratch/log" || fail "the files: $(<"$scratch/log")"
# hostile PAGE OPTION..: into $scratch/report.
hostile() {
  "$bin/hostile_programs" --bin "$bin" --playground "$scratch/files" --lines "$here/programs/commands.txt" --statuses "$1" "${@:2}" >"$scratch/report"
}
# The page names programs by their commands.
readonly page=$scratch/statuses.md
# shellcheck disable=SC2016  # the marks of Markdown
sed -nE 's/^\{"[^"]*", "([^"]+)", "([^"]+)",.*/s@`pssp \1\\([ `]\\)@`\2\\1@g/p' "$PSSP_SOURCE_DIR/tools/pssp/commands.inc" |
  sed -f - "$PSSP_SOURCE_DIR/docs/reference/exit-codes.md" >"$page"
hostile "$page" --commands "${PSSP_HOSTILE_COMMANDS:-10}" --inputs "${PSSP_HOSTILE_INPUTS:-20}" --seed "${PSSP_HOSTILE_SEED:-1}" || fail "$(<"$scratch/report")"
cat "$scratch/report"
# What has no line is asked nothing: only programs that start subnet managers, or change a fabric, have none.
for folder in "$PSSP_SOURCE_DIR"/tools/*/; do
  name=$(basename "$folder")
  [[ -e $folder/$name.cpp && ' bench_opensm compare_engines dry_run play_traffic cc_query pssp ' != *" $name "* ]] || continue
  grep -q "^[0-9]* $name " "$here/programs/commands.txt" || fail "commands.txt has no line of $name"
done
# The page is what counts: without its rows of wrong options, and with that of cc_params diff as another program's, these endings are findings.
sed -e '/^| 2 |/d' -e '/^| 1 |/s/cc_params/route_lft/' "$page" >"$scratch/page.md"
hostile "$scratch/page.md" --commands 40 --inputs 0 cc_params && fail 'a page without the status of wrong options does as well'
grep -q 'status 2, which no page knows' "$scratch/report" || fail "other findings than the page's: $(<"$scratch/report")"
