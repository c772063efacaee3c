#!/usr/bin/env bash
# Everything that must hold before a change is good, on a fresh Debian 12, in one command: installs what is missing,
# builds, runs all tests, the unit tests once more under sanitizers, and the static checks. Stops at the first step
# that fails.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"

jobs=$(nproc)
current='before the first step'
report_failure() {
  local status=$?
  ((status == 0)) || printf '\nrun_tests.sh: FAILED: %s (status %d)\n' "$current" "$status" >&2
}
trap report_failure EXIT

step() {
  current=$1
  printf '\n==== %s\n' "$current"
  shift
  "$@"
}

# sources REGEX: the project's files whose ending matches.
sources() {
  find base fabric congestion routing topologies wire evaluator tools osm_plugin ibsim_harness tests benchmarks -type f -regextype posix-extended -regex ".*\.($1)" -print0
}

check_scripts() { sources sh | xargs -0 shellcheck -x ./*.sh ./check .ci/run cmake/*.sh; }
check_format() { sources 'c|cpp|h' | xargs -0 clang-format --dry-run -Werror; }

build() {
  cmake --preset "$1" >/dev/null
  cmake --build --preset "$1" --parallel "$jobs"
}

# clang_tidy FOLDER CHECKS OPTION...: all that is compiled in FOLDER.
clang_tidy() {
  local folder=$1 checks=$2
  run-clang-tidy -quiet -j "$jobs" -p "$folder" -checks="$checks" -extra-arg=-Wno-unknown-warning-option "${@:3}" \
    >"$folder/clang-tidy.log" 2>&1 && return
  grep -E '(warning|error):' "$folder/clang-tidy.log" | sort -u >&2 || tail -n 20 "$folder/clang-tidy.log" >&2
  return 1
}

# All that is shipped, which is all that the preset lint compiles; headers are looked at where they are included. Not the tests and
# benchmarks: the analyzer reports errors in the headers of Boost and Google Benchmark that they include. The compile commands are
# g++'s, and clang does not know all of its warnings. Most checks walk through all of the standard library's headers in each file, so
# they get several files at once; the analyzer and the checks that look at main files alone get each by itself. The analyzer gives
# up on a function after a third of the states that it would look at by itself: a third of its time went into the few functions that
# reach the limit either way.
lint() {
  local file_by_file='misc-unused-alias-decls,misc-unused-using-decls,clang-analyzer-*' option
  local -a analyzer=()
  for option in -Xclang -analyzer-config -Xclang max-nodes=75000; do analyzer+=("-extra-arg=$option"); done
  cmake --preset lint >/dev/null
  cmake --preset lint -B build-lint/unity -DPSSP_UNITY_BUILD=ON >/dev/null
  clang_tidy build-lint/unity "-${file_by_file//,/,-},-bugprone-suspicious-include" \
    -header-filter='/(base|fabric|congestion|routing|topologies|wire|evaluator|tools|osm_plugin|ibsim_harness)/.*\.(h|cpp)$'
  clang_tidy build-lint "-*,$file_by_file" "${analyzer[@]}"
}

step 'packages' ./install_dependencies.sh --tests
step 'shellcheck' check_scripts
step 'clang-format' check_format
step 'build' build programs
step 'tests of programs and plugin' ctest --preset programs --parallel "$jobs"
step 'build with AddressSanitizer and UndefinedBehaviorSanitizer' build sanitize
step 'unit tests with sanitizers' ctest --preset sanitize --parallel "$jobs"
step 'clang-tidy' lint
printf '\nrun_tests.sh: all steps passed\n'
