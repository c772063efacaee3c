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

# All that is shipped, which is all that the preset default compiles; headers are looked at where they are included. Not the tests
# and benchmarks: the analyzer reports errors in the headers of Boost and Google Benchmark that they include. The compile commands are
# g++'s, and clang does not know all of its warnings; those of the preset dev would have it read g++'s precompiled headers. The
# analyzer gives up on a function after a third of the states that it would look at by itself: a third of the time of the whole step
# went into the few functions that reach the limit either way.
lint() {
  local log=build/clang-tidy.log option
  local -a analyzer=()
  for option in -Xclang -analyzer-config -Xclang max-nodes=75000; do analyzer+=("-extra-arg=$option"); done
  cmake --preset default >/dev/null
  run-clang-tidy -quiet -j "$jobs" -p build -extra-arg=-Wno-unknown-warning-option "${analyzer[@]}" >"$log" 2>&1 && return
  grep -E '(warning|error):' "$log" | sort -u >&2 || tail -n 20 "$log" >&2
  return 1
}

step 'packages' ./install_dependencies.sh --tests
step 'shellcheck' check_scripts
step 'clang-format' check_format
step 'build' build dev
step 'tests' ctest --preset dev --parallel "$jobs"
step 'build with AddressSanitizer and UndefinedBehaviorSanitizer' build sanitize
step 'unit tests with sanitizers' ctest --preset sanitize --parallel "$jobs"
step 'clang-tidy' lint
printf '\nrun_tests.sh: all steps passed\n'
