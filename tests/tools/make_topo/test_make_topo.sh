#!/usr/bin/env bash
# make_topo as a command: exit codes, standard output, help, and that the examples it prints work as they are printed.
# Usage: test_make_topo.sh MAKE_TOPO
set -euo pipefail

make_topo=$1/bin/make_topo
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# expect STATUS COMMAND...: runs it, with its output in $scratch/out and $scratch/err, and checks the exit code.
expect() {
  local wanted=$1 status=0
  shift
  "$@" >"$scratch/out" 2>"$scratch/err" || status=$?
  ((status == wanted)) || fail "'$*' returned $status instead of $wanted: $(<"$scratch/err")"
}

said() {
  grep -qF -- "$2" "$scratch/$1" || fail "'$2' is not in $1: $(<"$scratch/$1")"
}

expect 0 "$make_topo" --help
said out 'Usage: make_topo'
expect 0 "$make_topo" mesh --help
said out '--kill-links'
said out 'Example: make_topo mesh'
expect 0 "$make_topo" --version
said out 'make_topo '
expect 0 "$make_topo" torus --help
for option in '--hosts' '--parallel' '--ports' '--kill-switches' '--allow-islands' '--seed' '--shuffle-guids' '--lids' '--lmc' '--rate' \
  '--output'; do
  said out "$option"
done
expect 2 "$make_topo" mesh 3x3 --colour blue
said err '--colour'
expect 2 "$make_topo" mesh 3x3 -o ''
expect 8 bash -c "'$make_topo' --list >/dev/full"
expect 8 bash -c "'$make_topo' mesh --help >/dev/full"
expect 0 bash -c "'$make_topo' mesh 3x3 -o '$scratch/quiet.net' 2>/dev/full"
expect 0 "$make_topo" --list
cp "$scratch/out" "$scratch/list"

expect 2 "$make_topo"
said err 'no kind of topology'
expect 2 "$make_topo" moebius
said err 'moebius'
expect 2 "$make_topo" mesh 0x4
said err "'0' in '0x4'"
[[ ! -s $scratch/out ]] || fail 'an error wrote to standard output'
expect 2 "$make_topo" mesh 4x4 --kill-links 100 -o "$scratch/never.net"
[[ ! -e $scratch/never.net ]] || fail 'an error left a file'
expect 8 "$make_topo" mesh 4x4 -o "$scratch/no/such/folder.net"
said err 'folder.net'

expect 0 "$make_topo" mesh 3x3 --hosts 2
cp "$scratch/out" "$scratch/standard.net"
said err '18 hosts, 9 switches, 12 links between switches'
expect 0 "$make_topo" mesh 3x3 --hosts 2 -o "$scratch/file.net"
[[ ! -s $scratch/out ]] || fail 'standard output is not empty although a file was named'
cmp "$scratch/standard.net" "$scratch/file.net"
(($(grep -c '^Switch' "$scratch/file.net") == 9)) || fail 'not 9 switches in the file'
(($(grep -c '^Ca' "$scratch/file.net") == 18)) || fail 'not 18 adapters in the file'

# The examples, each twice: they work, and give the same bytes.
examples=0
while read -ra words; do
  # "e.g. make_topo KIND ..."
  expect 0 "$make_topo" "${words[@]:2}"
  cp "$scratch/out" "$scratch/first.net"
  expect 0 "$make_topo" "${words[@]:2}"
  cmp "$scratch/out" "$scratch/first.net"
  examples=$((examples + 1))
done < <(grep 'e\.g\. make_topo' "$scratch/list")
((examples >= 16)) || fail "only $examples examples in the list"
