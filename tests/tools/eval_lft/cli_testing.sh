#!/bin/sh
# What the tests of command lines share: a folder of their own, in which they are from here on, calls with an expected
# answer, and a small fabric, topo.net. Their argument is the folder of the tools.
set -u
# shellcheck disable=SC2034  # for the tests
bin=$1/bin
# shellcheck disable=SC2034
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

failures=0

# expect CODE PATTERN COMMAND...: the command must return CODE and say PATTERN (extended regular expression) on stdout or stderr.
expect() {
  code=$1 pattern=$2
  shift 2
  "$@" >out.txt 2>err.txt </dev/null
  got=$?
  if [ "$got" -ne "$code" ]; then
    echo "FAILED: $*: exit code $got, expected $code"
    cat out.txt err.txt
    failures=$((failures + 1))
  elif ! cat out.txt err.txt | grep -Eq -- "$pattern"; then
    echo "FAILED: $*: no line matches '$pattern':"
    cat out.txt err.txt
    failures=$((failures + 1))
  fi
}

check() {
  if ! "$@"; then
    echo "FAILED: $*"
    failures=$((failures + 1))
  fi
}

# Two switches with two cables between them and two hosts each.
cat >topo.net <<'END'
Switch	4 "S1"
[1]	"H1"[1]
[2]	"H2"[1]
[3]	"S2"[3]
[4]	"S2"[4]

Switch	4 "S2"
[1]	"H3"[1]
[2]	"H4"[1]
[3]	"S1"[3]
[4]	"S1"[4]

Hca	1 "H1"
[1]	"S1"[1]

Hca	1 "H2"
[1]	"S1"[2]

Hca	1 "H3"
[1]	"S2"[1]

Hca	1 "H4"
[1]	"S2"[2]
END

# finish MESSAGE: the end of a test.
finish() {
  if [ $failures -ne 0 ]; then
    echo "$failures failures"
    exit 1
  fi
  echo "$1"
}
