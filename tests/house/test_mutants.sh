#!/usr/bin/env bash
# mutants.sh, which is not a test itself, refuses builds in which it could not tell whether a change is noticed.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
export PSSP_BUILD_DIR=$scratch
expect 2 'no build in ' "$here/mutants.sh" 1 1
printf 'build x.o: CXX x.cpp\n  FLAGS = -O2 -fsanitize=address,undefined\n' >"$scratch/build.ninja"
expect 2 'has sanitizers; PSSP_BUILD_DIR names one without' "$here/mutants.sh" 1 1
said_nothing stdout
