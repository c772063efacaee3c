# shellcheck shell=bash
# What the harness tests share. Sourced by each test_*.sh.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../kit/expect.sh"
# shellcheck source=tests/kit/fabric.sh
. "$PSSP_SOURCE_DIR/tests/kit/fabric.sh"

# shellcheck disable=SC2034  # for the tests
harness=$PSSP_SOURCE_DIR/ibsim_harness
# Instances of tests must not meet those of a person, nor of another test.
TMPDIR=$scratch
export TMPDIR

# For tests of what comes before the evaluation: a build whose eval_lft only says that it was called.
use_stand_in_build() {
  export PSSP_BUILD_DIR=$scratch/build
  mkdir -p "$PSSP_BUILD_DIR/bin"
  ln -s "$bin/ibsim_files" "$PSSP_BUILD_DIR/bin/"
  printf '#!/bin/sh\necho evaluated "$@"\n' >"$PSSP_BUILD_DIR/bin/eval_lft"
  chmod +x "$PSSP_BUILD_DIR/bin/eval_lft"
}

# Prints the ids of what was started for the test: programs that the expression names, with the test's scratch folder in
# their environment.
processes_of_test() {
  local folder name wanted=${1:-'^(ibsim|opensm|sleep|dump_fts)$'}
  for folder in /proc/[0-9]*; do
    name=
    read -r name 2>/dev/null <"$folder/comm" || true
    if [[ $name =~ $wanted ]] && grep -qszx "TMPDIR=$scratch" "$folder/environ"; then
      printf '%s\n' "${folder#/proc/}"
    fi
  done
}

nothing_runs() { [[ -z $(processes_of_test) ]]; }

# Nor does a script of the harness, which may outlive its simulator by a moment and holds the lock of its folder for as
# long. Shells of the test itself began before the folder was in the environment.
nothing_is_left() { [[ -z $(processes_of_test '.') ]]; }
