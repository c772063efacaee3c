#!/usr/bin/env bash
# Installs missing packages, builds, and runs all tests on a fresh Debian 12. With --full, which every change must pass, it runs
# the unit tests with sanitizers instead, and the static checks. Stops at the first step that fails.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")"

usage() {
  cat <<'EOF'
usage: ./run_tests.sh [--full]

Installs the missing packages, builds the programs, the plugin and the tests,
and runs all tests.

  --full      also run shellcheck, clang-format and clang-tidy, and run the
              unit tests with AddressSanitizer and UndefinedBehaviorSanitizer,
              compiled by clang
  -h, --help  print this text

Exit codes: 0 all steps passed, 2 usage, else the exit code of the step that
failed.
EOF
}

full=0
for argument in "$@"; do
  case $argument in
    --full) full=1 ;;
    -h | --help)
      usage
      exit 0
      ;;
    *)
      printf "run_tests.sh: unknown argument '%s'; see --help\n" "$argument" >&2
      exit 2
      ;;
  esac
done

jobs=$(nproc)
# Tests that start opensm and ibsim mostly wait: two for each processor keep the processors busy.
tests=$((2 * jobs))
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

durations=
step() {
  local begin=$SECONDS
  current=$1
  printf '\n==== %s\n' "$current"
  shift
  "$@"
  durations+=$(printf '%5d s  %s' "$((SECONDS - begin))" "$current")$'\n'
}

# sources REGEX: prints the project's files with a matching extension, in all folders, so that new folders are included.
sources() {
  find . -path './build*' -prune -o -path ./.git -prune -o -path ./dist -prune -o -type f -regextype posix-extended -regex ".*\.($1)" -print0
}

check_scripts() {
  { sources sh && printf '%s\0' scripts/check .ci/run; } | xargs -0 -n 16 -P "$jobs" shellcheck -x
}
check_format() { sources 'c|cpp|h' | xargs -0 clang-format --dry-run -Werror; }

# Uses ccache, if it is installed, so that a source that any clone has compiled before is not compiled again.
remember_objects() {
  command -v ccache >/dev/null || return 0
  export CMAKE_C_COMPILER_LAUNCHER=$1 CMAKE_CXX_COMPILER_LAUNCHER=$1
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1
}

# build PRESET [OPTION...]: configures with the OPTIONs for CMake, and builds.
build() {
  cmake --preset "$@" >/dev/null
  cmake --build --preset "$1" --parallel "$jobs"
}

# Starts clang-tidy in its own process group, so that all its processes end with this script, but in the same session: the kernel
# first divides the processor time among sessions, and niceness has an effect only within a session.
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

step 'packages' scripts/install_dependencies.sh --tests
if ((full)); then
  # clang-tidy needs no build, so it runs in the background on processor time that the other steps leave.
  begin_lint
  step 'shellcheck' check_scripts
  step 'clang-format' check_format
  remember_objects ccache
  step 'build' build programs -DPSSP_BUILD_UNIT_TESTS=OFF
  step 'tests of programs and plugin' ctest --preset programs --parallel "$tests"
  remember_objects "$PWD/cmake/ccache_clang.sh"
  step 'build with AddressSanitizer and UndefinedBehaviorSanitizer' build sanitize
  step 'unit tests with sanitizers' ctest --preset sanitize --parallel "$jobs"
  step 'clang-tidy' end_lint
else
  remember_objects ccache
  step 'build' build programs -DPSSP_BUILD_UNIT_TESTS=ON
  step 'tests' ctest --preset programs --parallel "$tests"
fi
printf '\n%srun_tests.sh: all steps passed in %d s\n' "$durations" "$SECONDS"
