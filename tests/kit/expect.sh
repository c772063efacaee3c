# shellcheck shell=bash
# Functions that all test scripts share: paths of sources and programs, a temporary folder, and checks. Scripts source this file
# first. ctest sets PSSP_SOURCE_DIR and PSSP_BUILD_DIR. A script that is started by hand uses its own source tree, and the
# programs of PSSP_BUILD_DIR or else of build-dev.
#
# A failing test prints the reason with file and line, and ends with status 1. A test that cannot run on this machine prints why
# and ends with status 77, which ctest reports as skipped. The files of a failed test are kept in failed_tests/ of the build
# folder.
set -Eeuo pipefail

PSSP_SOURCE_DIR=$(readlink -f "${PSSP_SOURCE_DIR:-$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..}")
PSSP_BUILD_DIR=$(readlink -f "${PSSP_BUILD_DIR:-$PSSP_SOURCE_DIR/build-dev}")
export PSSP_SOURCE_DIR PSSP_BUILD_DIR
# A test may set PSSP_BUILD_DIR to another build for the programs that it starts.
readonly build_of_test=$PSSP_BUILD_DIR
# shellcheck disable=SC2034  # for the tests
bin=$PSSP_BUILD_DIR/bin
# shellcheck disable=SC2034
here=$(dirname "$(readlink -f "$0")")
scratch=$(mktemp -d)

# A test that needs more cleanup replaces this trap by one that calls clean_up.
clean_up() {
  [[ -z $has_failed ]] || keep_files
  rm -rf "$scratch"
}
trap clean_up EXIT

# If a test's own trap runs other commands first, clean_up cannot see the exit status of the test, so every failure sets a
# variable.
has_failed=
exit() {
  (($# == 0 || $1 == 0 || $1 == 77)) || has_failed=1
  builtin exit "$@"
}
# Reports the command for which `set -e` ends the test. A failure in a subshell is reported by the command that started the
# subshell.
trap 'note_failure $? "$BASH_COMMAND"' ERR
note_failure() {
  [[ $- == *e* && $BASH_SUBSHELL == 0 ]] || return 0
  has_failed=1
  printf 'FAILED: %s: status %d from: %s\n' "$(caller_line)" "$1" "$2" >&2
}

# Copies the files of the test into the build folder and replaces those of an earlier run. Omits pipes, sockets and files larger
# than 4 MiB.
keep_files() {
  local name folder=$build_of_test/failed_tests
  name=${here##*/}-$(basename "$0" .sh)
  mkdir -p "$folder" 2>/dev/null && [[ -w $folder ]] || return 0
  rm -rf "${folder:?}/$name"
  find "$scratch" -xdev \( -type d -o -type f -size -4097k -o -type l \) -printf '%P\0' |
    tar -C "$scratch" --null --no-recursion --ignore-failed-read -cf - -T - 2>/dev/null |
    { mkdir "$folder/$name" && tar -C "$folder/$name" -xf - 2>/dev/null; } || true
  printf 'files of the test: %s\n' "$folder/$name" >&2
}

# Prints file and line of the caller outside this file, for messages.
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

# skip_without PROGRAM...: skips the test unless all programs are installed.
skip_without() {
  local tool
  for tool; do
    PATH=$PATH:/usr/sbin:/sbin command -v "$tool" >/dev/null || skip "$tool is not installed"
  done
}

# expect STATUS REGEX COMMAND...: the command, without input, must end with STATUS, and a line on its standard output or standard
# error must match the extended regular expression ('' accepts any output). The output stays in $scratch/stdout and
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

# said stdout|stderr REGEX: the last command of expect must have printed a matching line there.
said() { expect_line "$scratch/$1" "$2"; }

# said_text stdout|stderr TEXT: the same for literal text.
said_text() { grep -aqF -- "$2" "$scratch/$1" || fail "'$2' is not on $1:"$'\n'"$(head -c 20000 "$scratch/$1")"; }

# said_nothing stdout|stderr: the last command of expect must have printed nothing there.
said_nothing() { [[ ! -s $scratch/$1 ]] || fail "something on $1:"$'\n'"$(head -c 20000 "$scratch/$1")"; }

# check COMMAND...: the command, usually a condition, must succeed.
check() { "$@" || fail "not so: $*"; }

# expect_equal WHAT FOUND EXPECTED: the two strings must be equal; WHAT names them in the message.
expect_equal() { [[ $2 == "$3" ]] || fail "$1: found '$2', expected '$3'"; }

# expect_line FILE REGEX: a line of the file must match the extended regular expression.
expect_line() { grep -aEq -- "$2" "$1" || fail "$1 has no line that matches '$2':"$'\n'"$(tail -n 20 -- "$1" | head -c 20000 || true)"; }

# same_bytes FILE FILE: compares two files, for use in conditions. Assertions should use expect_same and expect_different, which
# print a message.
same_bytes() { cmp -s -- "$1" "$2"; }

# expect_same FILE FILE [WHAT]: the files, which may be pipes, must be identical.
expect_same() {
  local one=$1 other=$2
  if [[ -p $one ]]; then
    cat "$one" >"$scratch/one_side"
    one=$scratch/one_side
  fi
  if [[ -p $other ]]; then
    cat "$other" >"$scratch/other_side"
    other=$scratch/other_side
  fi
  same_bytes "$one" "$other" || fail "${3:+$3: }$1 and $2 differ"$'\n'"$(first_difference "$one" "$other")"
}

# expect_different FILE FILE [WHAT]: the files must differ.
expect_different() { ! same_bytes "$1" "$2" || fail "${3:+$3: }$1 and $2 are the same"; }

# first_difference FILE FILE: prints where the files first differ, and five lines of each from there, with at most 80 characters
# before the difference.
first_difference() {
  local where byte file
  where=$(LC_ALL=C cmp -- "$1" "$2" 2>&1) || true
  byte=$(sed -n 's/.* \(byte\|char\) \([0-9]*\).*/\2/p' <<<"$where")
  byte=${byte:-1}
  printf '%s\n' "$where"
  for file; do
    printf -- '---- %s\n' "$file"
    {
      head -c "$byte" -- "$file" | head -c -1 | tail -c 80 | tail -n 1
      tail -c "+$byte" -- "$file" | head -n 5 | head -c 800 || true
    } 2>/dev/null | cat -v
    echo
  done
}

# open_lost_pipe: makes descriptor 9 a pipe whose reader is closed, without a race.
open_lost_pipe() {
  mkfifo "$scratch/lost_pipe"
  exec 8<>"$scratch/lost_pipe"
  exec 9>"$scratch/lost_pipe"
  exec 8<&-
}

# eventually COMMAND...: waits until a condition is true. The limit of a minute or more leaves room for loaded machines.
eventually() {
  local tries
  for ((tries = 0; tries < 1200; tries++)); do
    if "$@"; then return 0; fi
    sleep 0.05
  done
  fail "never true: $*"
}

is_listening() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# free_ports COUNT: prints the first of COUNT consecutive free TCP ports, below the range that the kernel assigns to clients (from
# 32768). Another process may take the ports before they are used, so tests should retry if they can.
free_ports() {
  local first port
  while true; do
    first=$((20000 + RANDOM % 12000))
    for ((port = first; port < first + $1; port++)); do
      ! is_listening "$port" || continue 2
    done
    printf '%d\n' "$first"
    return
  done
}
