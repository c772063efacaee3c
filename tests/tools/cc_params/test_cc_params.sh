#!/usr/bin/env bash
# cc_params as it is called from a shell: what it prints, its exit codes, and that files are written whole or not at all.
# Usage: test_cc_params.sh BUILD_DIR
set -euo pipefail

cc_params=$(readlink -f "${1:?usage: $0 BUILD_DIR}")/bin/cc_params
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

fail() {
  printf 'FAILED: %s\n' "$*" >&2
  exit 1
}

# run STATUS ARGUMENTS...: cc_params ends with this status; its output is in out and err.
run() {
  local expected=$1 status=0
  shift
  "$cc_params" "$@" >out 2>err </dev/null || status=$?
  ((status == expected)) || fail "cc_params $* ended with $status instead of $expected: $(cat err)"
}

# says FILE TEXT: some line has the text in it.
says() { grep -qF -- "$2" "$1" || fail "'$2' is not in $1:"$'\n'"$(cat "$1")"; }

run 0 list
(($(wc -l <out) == 3)) || fail "not three profiles: $(cat out)"
says out 'thesis-mesh: '
says out 'thesis-start: '
says out 'off: '

for profile in thesis-mesh thesis-start off; do
  run 0 check "$profile"
  says out "$profile: correct; CCTI_Limit"
  run 0 print "$profile" -o "$profile.cc"
  [[ ! -s out && ! -s err ]] || fail "print -o said something"
  run 0 diff "$profile" "$profile.cc"
  [[ ! -s out ]] || fail "$profile is not what it prints: $(cat out)"
  run 0 print "$profile.cc"
  cmp -s out "$profile.cc" || fail "printing $profile twice gives two texts"
  run 0 explain "$profile"
  run 0 explain --json "$profile"
done

run 0 explain thesis-mesh
says out '244 units of 1.024 us: the index falls by one each 249.856us'
says out 'with OpenSM: table.ccti_limit = 128 needs 129 entries, and OpenSM keeps 128'
# Entry 64 of 128: half of 49 packet times of 2074 ns; 1/25.5 of 8 Gbit/s.
grep -Eq '^ +64 +1:49 +24\.500 +\+0\.0000 +50813\.0 ns +3\.922 % +0\.3137$' out || fail "entry 64: $(grep '^ *64 ' out)"

run 0 emit-opensm-conf thesis-mesh
says err 'cc_params: warning: switch.victim_mask = host differs from switch to switch'
says out 'congestion_control TRUE'

run 1 diff thesis-start thesis-mesh
[[ $(cat out) == 'adapter.ccti_timer: 20 (20.480us) | 244 (249.856us)' ]] || fail "diff: $(cat out)"
run 1 diff off thesis-mesh
says out 'table: 128 entries differ, first table.entry[1]: none | 3:3, last table.entry[128]: none | 0:49'
run 1 diff --all off thesis-mesh
(($(grep -c '^table.entry' out) == 128)) || fail 'diff --all does not show 128 entries'
run 1 diff --json off thesis-mesh
says out '"name": "adapter.ccti_timer"'
run 0 diff --json off off
[[ $(cat out) == '[]' ]] || fail "diff --json of one set: $(cat out)"

run 0 check --capacity 3 thesis-mesh
run 3 check --capacity 2 thesis-mesh
says err 'the table has 129 entries (CCTI_Limit 128), more than the 128 of 2 blocks of 64'
run 2 check --capacity 256 thesis-mesh

# What is wrong is named with file, line and what is allowed.
printf '\nswitch.treshold = 2\n' >unknown.cc
run 3 check unknown.cc
says err 'cc_params: unknown.cc:2: switch.treshold: there is no such parameter; known are switch.control_map'
printf 'switch.threshold = 16\n' >range.cc
run 3 explain range.cc
says err "cc_params: range.cc:1: switch.threshold: '16' is not allowed here; expected a whole number, 0 .. 15"
printf 'table.block.0 = 0:0,0:5,0:4\n' >falling.cc
run 3 print falling.cc
says err 'falling.cc:1: entry 2 of the table is 0:4, a delay of 4 packet times, less than the 5'
printf 'table.capacity = 1\ntable.ccti_limit = 64\ntable.law = linear\ntable.flows = 9\n' >long.cc
run 3 emit-opensm-conf long.cc
says err 'long.cc:1: table.capacity: the table has 65 entries (CCTI_Limit 64), more than the 64 of 1 blocks of 64'
head -c 100000 /dev/zero >zero.cc
run 3 check zero.cc
run 3 check no-such-set
says err 'neither a profile nor a file; profiles are thesis-mesh, thesis-start, off'
run 3 check .
run 3 check /dev/null

"$cc_params" check - <thesis-mesh.cc >out 2>err || fail 'a set on standard input is refused'

run 2
run 2 check
run 2 frobnicate thesis-mesh
run 2 diff off
run 2 check --frobnicate off
run 0 --help
for command in list check explain print emit-opensm-conf diff; do
  says out "$command"
done
run 0 check --help
run 0 --version

# A file is written whole or not at all.
printf 'old\n' >kept
run 3 print falling.cc -o kept
[[ $(cat kept) == old ]] || fail 'a set that is refused replaced a file'
run 8 print off -o no/such/folder/set.cc
if [[ -c /dev/full ]]; then
  status=0
  "$cc_params" explain off >/dev/full 2>err || status=$?
  ((status == 8)) || fail "a full disk gives $status"
fi

echo passed
