# shellcheck shell=bash
# Functions that the harness tests share. Sourced by each test_*.sh.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../kit/expect.sh"
# shellcheck source=tests/kit/fabric.sh
. "$PSSP_SOURCE_DIR/tests/kit/fabric.sh"

# shellcheck disable=SC2034  # for the tests
harness=$PSSP_SOURCE_DIR/ibsim_harness
# Instances of tests must not collide with those of users or of other tests.
TMPDIR=$scratch
export TMPDIR

# For tests that do not need the evaluation: a build whose eval_lft only prints that it was called.
use_stand_in_build() {
  export PSSP_BUILD_DIR=$scratch/build
  mkdir -p "$PSSP_BUILD_DIR/bin"
  ln -s "$bin/ibsim_files" "$PSSP_BUILD_DIR/bin/"
  printf '#!/bin/sh\necho evaluated "$@"\n' >"$PSSP_BUILD_DIR/bin/eval_lft"
  chmod +x "$PSSP_BUILD_DIR/bin/eval_lft"
}

# processes_of_test [REGEX]: prints the ids of processes that were started for the test. Their names match REGEX, and the test's
# scratch folder is in their environment.
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

# Scripts of the harness must have ended, too: they may outlive their simulator for a moment and hold the lock of the folder.
# Shells of the test itself do not count, because they started before the folder was in the environment.
nothing_is_left() { [[ -z $(processes_of_test '.') ]]; }
