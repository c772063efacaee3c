#!/usr/bin/env bash
# make_topo as a command: exit codes, standard output, help, and examples that work as printed.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"

make_topo=$bin/make_topo

expect 0 '' "$make_topo" --help
said_text stdout 'Usage: make_topo'
expect 0 '' "$make_topo" mesh --help
said_text stdout '--kill-links'
said_text stdout 'Example: pssp make-topo mesh'
expect 0 '' "$make_topo" --version
said_text stdout 'make_topo '
expect 0 '' "$make_topo" torus --help
for option in '--hosts' '--parallel' '--ports' '--uneven-hosts' '--servers' '--absent-hosts' '--upper-hosts' '--half-spines' '--kill-switches' '--allow-islands' '--seed' '--permute-ports' \
  '--shuffle-guids' '--lids' '--lmc' '--rate' '--mixed-rate' '--output'; do
  said_text stdout "$option"
done
expect 2 '' "$make_topo" mesh 3x3 --colour blue
said_text stderr '--colour'
expect 2 '' "$make_topo" mesh 3x3 -o ''
expect 8 '' bash -c "'$make_topo' --list >/dev/full"
expect 8 '' bash -c "'$make_topo' mesh --help >/dev/full"
expect 0 '' bash -c "'$make_topo' mesh 3x3 -o '$scratch/quiet.net' 2>/dev/full"
expect 0 '' "$make_topo" --list
cp "$scratch/stdout" "$scratch/list"

expect 2 '' "$make_topo"
said_text stderr 'no kind of topology'
expect 2 '' "$make_topo" moebius
said_text stderr 'moebius'
expect 2 '' "$make_topo" mesh 0x4
said_text stderr "'0' in '0x4'"
[[ ! -s $scratch/stdout ]] || fail 'an error wrote to standard output'
expect 2 '' "$make_topo" mesh 4x4 --kill-links 100 -o "$scratch/never.net"
[[ ! -e $scratch/never.net ]] || fail 'an error left a file'
expect 8 '' "$make_topo" mesh 4x4 -o "$scratch/no/such/folder.net"
said_text stderr 'folder.net'

expect 0 '' "$make_topo" mesh 3x3 --hosts 2
cp "$scratch/stdout" "$scratch/standard.net"
said_text stderr '18 hosts, 9 switches, 12 links between switches'
expect 0 '' "$make_topo" mesh 3x3 --hosts 2 -o "$scratch/file.net"
[[ ! -s $scratch/stdout ]] || fail 'standard output is not empty although a file was named'
expect_same "$scratch/standard.net" "$scratch/file.net"
(($(grep -c '^Switch' "$scratch/file.net") == 9)) || fail 'not 9 switches in the file'
(($(grep -c '^Ca' "$scratch/file.net") == 18)) || fail 'not 18 adapters in the file'

# Each example works, and gives identical output when it is repeated.
examples=0
while read -ra words; do
  # "e.g. pssp make-topo KIND ..."
  expect 0 '' "$make_topo" "${words[@]:3}"
  cp "$scratch/stdout" "$scratch/first.net"
  expect 0 '' "$make_topo" "${words[@]:3}"
  expect_same "$scratch/stdout" "$scratch/first.net"
  examples=$((examples + 1))
done < <(grep 'e\.g\. pssp make-topo' "$scratch/list")
((examples >= 17)) || fail "only $examples examples in the list"
