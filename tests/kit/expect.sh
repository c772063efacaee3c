# shellcheck shell=bash
# What all test scripts share: where sources and programs are, a folder that goes away, and one way to say what is
# expected. Sourced first. The environment has PSSP_SOURCE_DIR and PSSP_BUILD_DIR under ctest; by hand a script finds the
# sources by its own place and takes the programs of build-dev, or of the build that PSSP_BUILD_DIR names.
#
# A test that finds something wrong says what, with file and line, and ends with status 1. A test that cannot run here
# says why and ends with status 77, which ctest shows as skipped. The files of a test that failed stay in the build folder, in
# failed_tests/.
set -Eeuo pipefail

PSSP_SOURCE_DIR=$(readlink -f "${PSSP_SOURCE_DIR:-$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..}")
PSSP_BUILD_DIR=$(readlink -f "${PSSP_BUILD_DIR:-$PSSP_SOURCE_DIR/build-dev}")
export PSSP_SOURCE_DIR PSSP_BUILD_DIR
# A test may give what it starts another build.
readonly build_of_test=$PSSP_BUILD_DIR
# shellcheck disable=SC2034  # for the tests
bin=$PSSP_BUILD_DIR/bin
# shellcheck disable=SC2034
here=$(dirname "$(readlink -f "$0")")
scratch=$(mktemp -d)

# A test that has more to clean up sets a trap of its own, which calls clean_up.
clean_up() {
  [[ -z $has_failed ]] || keep_files
  rm -rf "$scratch"
}
trap clean_up EXIT

# clean_up cannot see the exit status of the test behind what a test's own trap does before it, so that each way to fail is noted.
has_failed=
exit() {
  (($# == 0 || $1 == 0 || $1 == 77)) || has_failed=1
  builtin exit "$@"
}
# Whatever `set -e` ends the test for. In a subshell the command that started it fails in turn.
trap 'note_failure $? "$BASH_COMMAND"' ERR
note_failure() {
  [[ $- == *e* && $BASH_SUBSHELL == 0 ]] || return 0
  has_failed=1
  printf 'FAILED: %s: status %d from: %s\n' "$(caller_line)" "$1" "$2" >&2
}

# Copies the files of the test into the build folder, in place of those of an earlier run; pipes, sockets and what is larger than 4 MiB
# are left out.
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
expect_line() { grep -aEq -- "$2" "$1" || fail "$1 has no line that matches '$2':"$'\n'"$(tail -n 20 -- "$1" | head -c 20000 || true)"; }

# same_bytes FILE FILE: for conditions; what must be the same or different is for expect_same and expect_different to say.
same_bytes() { cmp -s -- "$1" "$2"; }

# expect_same FILE FILE [WHAT]: the same bytes; the files may be pipes.
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

# expect_different FILE FILE [WHAT]
expect_different() { ! same_bytes "$1" "$2" || fail "${3:+$3: }$1 and $2 are the same"; }

# first_difference FILE FILE: where they first differ, and five lines of each from there, from its line's last 80 characters before it.
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

# open_lost_pipe: descriptor 9 is a pipe whose reader has gone, at once and for certain.
open_lost_pipe() {
  mkfifo "$scratch/lost_pipe"
  exec 8<>"$scratch/lost_pipe"
  exec 9>"$scratch/lost_pipe"
  exec 8<&-
}

# eventually COMMAND...: waits for a condition, for a minute or longer, so that a loaded machine does not matter.
eventually() {
  local tries
  for ((tries = 0; tries < 1200; tries++)); do
    if "$@"; then return 0; fi
    sleep 0.05
  done
  fail "never true: $*"
}

is_listening() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# free_ports COUNT: prints the first of so many TCP ports in a row on which nobody listens, below those that the kernel gives to clients
# (32768 on). Somebody else may take them before they are used: a test that can tries again.
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
