# shellcheck shell=bash
# What all test scripts share: where sources and programs are, a folder that goes away, and one way to say what is
# expected. Sourced first. The environment has PSSP_SOURCE_DIR and PSSP_BUILD_DIR under ctest; by hand a script finds the
# sources by its own place and takes the programs of build-dev, or of the build that PSSP_BUILD_DIR names.
#
# A test that finds something wrong says what, with file and line, and ends with status 1. A test that cannot run here
# says why and ends with status 77, which ctest shows as skipped.
set -euo pipefail

PSSP_SOURCE_DIR=$(readlink -f "${PSSP_SOURCE_DIR:-$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..}")
PSSP_BUILD_DIR=$(readlink -f "${PSSP_BUILD_DIR:-$PSSP_SOURCE_DIR/build-dev}")
export PSSP_SOURCE_DIR PSSP_BUILD_DIR
# shellcheck disable=SC2034  # for the tests
bin=$PSSP_BUILD_DIR/bin
# shellcheck disable=SC2034
here=$(dirname "$(readlink -f "$0")")
scratch=$(mktemp -d)

# A test that has more to clean up sets a trap of its own, which calls clean_up.
clean_up() { rm -rf "$scratch"; }
trap clean_up EXIT

# The caller's place outside this folder, for messages.
caller_line() {
  local level
  for ((level = 1; level < ${#BASH_SOURCE[@]} - 1; level++)); do
    [[ ${BASH_SOURCE[level]} == */kit/expect.sh ]] || break
  done
  printf '%s:%d' "${BASH_SOURCE[level]##*/}" "${BASH_LINENO[level - 1]}"
}

fail() {
  printf 'FAILED: %s: %s\n' "$(caller_line)" "$*" >&2
  exit 1
}

skip() {
  printf 'skipped: %s\n' "$*"
  exit 77
}

# skip_without PROGRAM...
skip_without() {
  local tool
  for tool; do
    PATH=$PATH:/usr/sbin:/sbin command -v "$tool" >/dev/null || skip "$tool is not installed"
  done
}

# expect STATUS REGEX COMMAND...: the command, without input, ends with the status, and some line on standard output or standard
# error matches the extended regular expression ('' for whatever it says). What it said stays in $scratch/stdout and
# $scratch/stderr.
expect() {
  local wanted=$1 pattern=$2 status=0
  shift 2
  "$@" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null || status=$?
  ((status == wanted)) || fail "status $status instead of $wanted from: $*"$'\n'"$(what_was_said)"
  [[ -z $pattern ]] || grep -aEq -- "$pattern" "$scratch/stdout" "$scratch/stderr" ||
    fail "no line matches '$pattern' from: $*"$'\n'"$(what_was_said)"
}

what_was_said() { head -q -c 10000 "$scratch/stdout" "$scratch/stderr"; }

# said stdout|stderr REGEX: the last command of expect wrote a line that matches there.
said() { expect_line "$scratch/$1" "$2"; }

# said_text stdout|stderr TEXT: the same with the text as it is.
said_text() { grep -aqF -- "$2" "$scratch/$1" || fail "'$2' is not on $1:"$'\n'"$(head -c 20000 "$scratch/$1")"; }

# said_nothing stdout|stderr
said_nothing() { [[ ! -s $scratch/$1 ]] || fail "something on $1:"$'\n'"$(head -c 20000 "$scratch/$1")"; }

# check COMMAND...: the command succeeds; for conditions.
check() { "$@" || fail "not so: $*"; }

# expect_equal WHAT FOUND EXPECTED
expect_equal() { [[ $2 == "$3" ]] || fail "$1: found '$2', expected '$3'"; }

# expect_line FILE REGEX: some line matches the extended regular expression.
expect_line() { grep -aEq -- "$2" "$1" || fail "$1 has no line that matches '$2':"$'\n'"$(tail -n 20 -- "$1" | head -c 20000)"; }

# expect_same FILE FILE: the same bytes.
expect_same() { cmp -s "$1" "$2" || fail "$1 and $2 differ:"$'\n'"$(diff -a "$1" "$2" | head -n 10)"; }

# open_lost_pipe: descriptor 9 is a pipe whose reader has gone, at once and for certain.
open_lost_pipe() {
  mkfifo "$scratch/lost_pipe"
  exec 8<>"$scratch/lost_pipe"
  exec 9>"$scratch/lost_pipe"
  exec 8<&-
}

# eventually COMMAND...: waits up to half a minute for a condition.
eventually() {
  local tries
  for ((tries = 0; tries < 600; tries++)); do
    if "$@"; then return 0; fi
    sleep 0.05
  done
  fail "never true: $*"
}
