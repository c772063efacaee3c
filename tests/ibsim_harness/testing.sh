# shellcheck shell=bash
# What the harness tests share: checks, fabrics small enough to know by heart, and a folder that goes away. Sourced by
# each test_*.sh. Environment: PSSP_SOURCE_DIR, PSSP_BUILD_DIR (CMakeLists.txt sets both).
set -euo pipefail

# shellcheck disable=SC2034  # for the tests
harness=$PSSP_SOURCE_DIR/ibsim_harness
scratch=$(mktemp -d)
# Instances of tests must not meet those of a person, nor of another test.
TMPDIR=$scratch
export TMPDIR
trap 'rm -rf "$scratch"' EXIT

fail() {
  printf '%s:%d: %s\n' "${BASH_SOURCE[1]##*/}" "${BASH_LINENO[0]}" "$*" >&2
  exit 1
}

# For tests of what comes before the evaluation: a build whose eval_lft only says that it was called.
use_stand_in_build() {
  export PSSP_BUILD_DIR=$scratch/build
  mkdir -p "$PSSP_BUILD_DIR/bin"
  printf '#!/bin/sh\necho evaluated "$@"\n' >"$PSSP_BUILD_DIR/bin/eval_lft"
  chmod +x "$PSSP_BUILD_DIR/bin/eval_lft"
}

# expect STATUS COMMAND...: runs it, with its output in $scratch/stdout and $scratch/stderr, and checks the exit
# status.
expect() {
  local wanted=$1 status=0
  shift
  "$@" >"$scratch/stdout" 2>"$scratch/stderr" </dev/null || status=$?
  if ((status != wanted)); then
    printf '%s:%d: status %d instead of %d from: %s\n' "${BASH_SOURCE[1]##*/}" "${BASH_LINENO[0]}" "$status" "$wanted" "$*" >&2
    cat "$scratch/stdout" "$scratch/stderr" >&2
    exit 1
  fi
}

# said stdout|stderr REGEX: checks what the last command of expect printed.
said() {
  grep -Eq -- "$2" "$scratch/$1" || fail "no line on $1 matches '$2':"$'\n'"$(<"$scratch/$1")"
}

# An ibsim net file: a mesh of WIDTH x HEIGHT switches with one host each. Ports: 1 host, 2 and 3 along x, 4 and 5
# along y.
mesh() {
  local width=$1 height=$2 x y
  for ((x = 0; x < width; x++)); do
    for ((y = 0; y < height; y++)); do
      printf 'Switch\t8 "S%d_%d"\n[1]\t"H%d_%d"[1]\n' "$x" "$y" "$x" "$y"
      ((x + 1 == width)) || printf '[2]\t"S%d_%d"[3]\n' "$((x + 1))" "$y"
      ((x == 0)) || printf '[3]\t"S%d_%d"[2]\n' "$((x - 1))" "$y"
      ((y + 1 == height)) || printf '[4]\t"S%d_%d"[5]\n' "$x" "$((y + 1))"
      ((y == 0)) || printf '[5]\t"S%d_%d"[4]\n' "$x" "$((y - 1))"
      printf '\nHca\t1 "H%d_%d"\n[1]\t"S%d_%d"[1]\n\n' "$x" "$y" "$x" "$y"
    done
  done
}

# Switch GUID, LID and port of every entry of an LFT dump, whichever program wrote it, sorted.
entries() {
  sed -n 's/.* guid 0x\([0-9a-f]*\) .*/S \1/p; s/^0x\([0-9a-f]*\) \([0-9]*\).*/\1 \2/p' "$1" |
    awk '$1 == "S" { guid = $2; next } { print guid, $1, $2 }' | sort
}

same_entries() { diff <(entries "$1") <(entries "$2") >"$scratch/difference" || fail "$1 and $2 differ: $(head -n 3 "$scratch/difference")"; }

# Waits up to half a minute for a condition; a client that lost its simulator takes its time to end.
eventually() {
  local tries
  for ((tries = 0; tries < 600; tries++)); do
    if "$@"; then return 0; fi
    sleep 0.05
  done
  fail "never true: $*"
}

# Prints the ids of what was started for the test: simulators and their clients with the test's scratch folder in
# their environment.
processes_of_test() {
  local folder name
  for folder in /proc/[0-9]*; do
    name=
    read -r name 2>/dev/null <"$folder/comm" || true
    if [[ $name =~ ^(ibsim|opensm|sleep|dump_fts)$ ]] && grep -qszx "TMPDIR=$scratch" "$folder/environ"; then
      printf '%s\n' "${folder#/proc/}"
    fi
  done
}

nothing_runs() { [[ -z $(processes_of_test) ]]; }
