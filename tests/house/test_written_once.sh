#!/usr/bin/env bash
# Functionality that is easily duplicated exists in one place that all others use. The plugin contains no code that opens foreign
# file formats.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
cd "$PSSP_SOURCE_DIR"

find . -path './build*' -prune -o -path ./tests -prune -o -path ./dist -prune -o -type f \( -name '*.h' -o -name '*.cpp' -o -name '*.c' \) -printf '%P\n' |
  sort >"$scratch/files"
[[ -s $scratch/files ]] || fail 'no sources found'

# elsewhere PATTERN FILES FILE...: prints each FILE that matches PATTERN outside comments and is not one of FILES (both are
# regular expressions).
elsewhere() { grep -lE "^([^/]|/[^/])*($1)" "${@:3}" | grep -vE "^($2)\$"; }
mapfile -t sources <"$scratch/files"

# stands_in WHAT PATTERN FILES: only FILES may match PATTERN, and each of them must.
stands_in() {
  local others file
  others=$(elsewhere "$2" "$3" "${sources[@]}" || true)
  [[ -z $others ]] || fail "$1: $(paste -sd ' ' <<<"$others"); only $3 may do this, and other files must call it"
  for file in ${3//|/ }; do
    grep -qE "$2" "${file//\\/}" || fail "$1: ${file//\\/} does not do this any more: update the rule"
  done
}

# The check detects code elsewhere, and ignores comments.
printf '// fork()\nint child = fork();\n' >"$scratch/other.cpp"
expect_equal 'code that is found elsewhere' "$(elsewhere '\bfork\(' 'a\.cpp' "$scratch/other.cpp")" "$scratch/other.cpp"
echo '// fork(), as others do' >"$scratch/other.cpp"
expect_equal 'code in a comment' "$(elsewhere '\bfork\(' 'a\.cpp' "$scratch/other.cpp")" ''

stands_in 'starts a program' '\bposix_spawnp?\(|\bexec[lv][pe]*\(|\bpopen\(' 'base/child_process\.cpp|ibsim_harness/process\.cpp|tools/pssp/start\.cpp'
stands_in 'divides itself in two' '\b(v?fork|clone3?)\(\)' 'ibsim_harness/process\.cpp'
stands_in 'runs gnuplot' '"gnuplot", "--' 'evaluator/pictures/drawing_programs\.cpp'
stands_in 'joins sets' 'parent_?\[[^]]*\] = parent_?\[' 'base/disjoint_sets\.h|routing/mesh/mesh_cuts\.cpp'
stands_in 'counts processors' 'hardware_concurrency' 'base/workers\.cpp'
stands_in 'doubles quotes of a field' "== '\"'\\) [a-z]+ \\+= '\"'" 'base/csv_rows\.cpp'
# A format string with four columns of fixed width is a table. Benchmarks may print tables while they run.
tables=$(elsewhere '(\{[^}"]*:[<>][0-9{][^}"]*\}+[^{"]*){4}' 'benchmarks/.*' "${sources[@]}" || true)
[[ -z $tables ]] || fail "lays out a table of text: $(paste -sd ' ' <<<"$tables"); base/text_table.h does"
# The archive for other systems needs glibc 2.34 (docs/how-to/install.md).
newer=$(elsewhere '\bhypot\(' '' "${sources[@]}" || true)
[[ -z $newer ]] || fail "calls std::hypot, which needs glibc 2.35: $(paste -sd ' ' <<<"$newer"); use std::sqrt"

plugin=$PSSP_BUILD_DIR/lib/libosmpssp.so
if [[ -f $plugin ]] && grep -q pssp < <(nm "$plugin" 2>/dev/null); then
  nm -C "$plugin" | grep -E 'pssp::.*(Omnet|omnet|[^a-z]dot_|_dot|read_fabric)' >"$scratch/foreign" || true
  [[ ! -s $scratch/foreign ]] || fail "the plugin is linked with readers that it does not need: $(head -n 3 "$scratch/foreign")"
fi
