#!/usr/bin/env bash
# Everything that must hold before a change is good, on a fresh Debian 12, in one command: installs what is missing,
# builds, runs all tests, the unit tests once more under sanitizers, and the static checks. Stops at the first step
# that fails. clang-tidy needs nothing that is built: it takes what the other steps leave of the processors.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"

jobs=$(nproc)
current='before the first step'
linter=
report=$(mktemp)
finish() {
  local status=$?
  ((status == 0)) || printf '\nrun_tests.sh: FAILED: %s (status %d)\n' "$current" "$status" >&2
  [[ -z $linter ]] || kill -- "-$linter" 2>/dev/null || true
  rm -f "$report"
}
trap finish EXIT

step() {
  current=$1
  printf '\n==== %s\n' "$current"
  shift
  "$@"
}

# sources REGEX: the project's files whose ending matches; in every folder, so that none is forgotten when a folder is added.
sources() {
  find . -path './build*' -prune -o -path ./.git -prune -o -path ./dist -prune -o -type f -regextype posix-extended -regex ".*\.($1)" -print0
}

check_scripts() {
  { sources sh && printf '%s\0' ./check .ci/run; } | xargs -0 -n 16 -P "$jobs" shellcheck -x
}
check_format() { sources 'c|cpp|h' | xargs -0 clang-format --dry-run -Werror; }

# Where there is ccache, what was compiled before of the same text is not compiled again, in whichever clone that was.
remember_objects() {
  command -v ccache >/dev/null || return 0
  export CMAKE_C_COMPILER_LAUNCHER=$1 CMAKE_CXX_COMPILER_LAUNCHER=$1
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1
}

build() {
  cmake --preset "$1" >/dev/null
  cmake --build --preset "$1" --parallel "$jobs"
}

# In a process group of its own, so that all of it ends with this script, but in the same session: the kernel shares its time
# among sessions first, and niceness counts only within one.
begin_lint() {
  set -m
  nice -n 19 cmake/clang_tidy.sh >"$report" 2>&1 </dev/null &
  set +m
  linter=$!
}
end_lint() {
  local status=0
  wait "$linter" || status=$?
  linter=
  cat "$report"
  return "$status"
}

step 'packages' ./install_dependencies.sh --tests
begin_lint
step 'shellcheck' check_scripts
step 'clang-format' check_format
remember_objects ccache
step 'build' build programs
step 'tests of programs and plugin' ctest --preset programs --parallel "$jobs"
remember_objects "$PWD/cmake/ccache_clang.sh"
step 'build with AddressSanitizer and UndefinedBehaviorSanitizer' build sanitize
step 'unit tests with sanitizers' ctest --preset sanitize --parallel "$jobs"
step 'clang-tidy' end_lint
printf '\nrun_tests.sh: all steps passed\n'
