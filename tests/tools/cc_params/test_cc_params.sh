#!/usr/bin/env bash
# cc_params in a shell: its output and exit codes; files are written completely or not at all.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"

cc_params=$bin/cc_params
cd "$scratch"

# run STATUS ARGUMENTS...: cc_params must end with this status.
run() { expect "$1" '' "$cc_params" "${@:2}"; }

run 0 list
(($(wc -l <stdout) == 3)) || fail "not three profiles: $(cat stdout)"
said_text stdout 'thesis-mesh: '
said_text stdout 'thesis-start: '
said_text stdout 'off: '

for profile in thesis-mesh thesis-start off; do
  run 0 check "$profile"
  said_text stdout "$profile: correct; CCTI_Limit"
  run 0 print "$profile" -o "$profile.cc"
  [[ ! -s stdout && ! -s stderr ]] || fail "print -o said something"
  run 0 diff "$profile" "$profile.cc"
  [[ ! -s stdout ]] || fail "$profile differs from its printed form: $(cat stdout)"
  run 0 print "$profile.cc"
  expect_same stdout "$profile.cc" "$profile, printed twice"
  run 0 explain "$profile"
  run 0 explain --json "$profile"
done

run 0 explain thesis-mesh
said_text stdout '244 units of 1.024 us: the index falls by one every 249.856us'
said_text stdout 'with OpenSM: table.ccti_limit = 128 needs 129 entries, but OpenSM keeps 128'
# Entry 64 of 128: half of 49 packet times of 2074 ns; 1/25.5 of 8 Gbit/s.
grep -Eq '^ +64 +1:49 +24\.500 +\+0\.0000 +50813\.0 ns +3\.922 % +0\.3137$' stdout || fail "entry 64: $(grep '^ *64 ' stdout)"

run 0 emit-opensm-conf thesis-mesh
said_text stderr 'cc_params: warning: switch.victim_mask = host differs from switch to switch'
said_text stdout 'congestion_control TRUE'

run 1 diff thesis-start thesis-mesh
[[ $(cat stdout) == 'adapter.ccti_timer: 20 (20.480us) | 244 (249.856us)' ]] || fail "diff: $(cat stdout)"
run 1 diff off thesis-mesh
said_text stdout 'table: 128 entries differ, first table.entry[1]: none | 3:3, last table.entry[128]: none | 0:49'
run 1 diff --all off thesis-mesh
(($(grep -c '^table.entry' stdout) == 128)) || fail 'diff --all does not show 128 entries'
run 1 diff --json off thesis-mesh
said_text stdout '"name": "adapter.ccti_timer"'
run 0 diff --json off off
[[ $(cat stdout) == '[]' ]] || fail "diff --json of one set: $(cat stdout)"

run 0 check --table-blocks 3 thesis-mesh
run 3 check --table-blocks 2 thesis-mesh
said_text stderr 'the table has 129 entries (CCTI_Limit 128), more than the 128 of 2 blocks of 64'
run 2 check --table-blocks 256 thesis-mesh

# Errors name file, line and allowed values.
printf '\nswitch.treshold = 2\n' >unknown.cc
run 3 check unknown.cc
said_text stderr 'cc_params: unknown.cc:2: switch.treshold: unknown parameter; expected switch.control_map'
printf 'switch.threshold = 16\n' >range.cc
run 3 explain range.cc
said_text stderr "cc_params: range.cc:1: switch.threshold: '16' is not allowed here; expected a whole number, 0 .. 15"
printf 'table.block.0 = 0:0,0:5,0:4\n' >falling.cc
run 3 print falling.cc
said_text stderr 'falling.cc:1: entry 2 of the table is 0:4, a delay of 4 packet times, less than the 5'
printf 'table.capacity = 1\ntable.ccti_limit = 64\ntable.law = linear\ntable.flows = 9\n' >long.cc
run 3 emit-opensm-conf long.cc
said_text stderr 'long.cc:1: table.capacity: the table has 65 entries (CCTI_Limit 64), more than the 64 of 1 blocks of 64'
head -c 100000 /dev/zero >zero.cc
run 3 check zero.cc
run 3 check no-such-set
said_text stderr 'neither a profile nor a file; profiles are thesis-mesh, thesis-start, off'
run 3 check .
run 3 check /dev/null

"$cc_params" check - <thesis-mesh.cc >stdout 2>stderr || fail 'a set on standard input is refused'

run 2
run 2 check
run 2 frobnicate thesis-mesh
run 2 diff off
run 2 check --frobnicate off
run 0 --help
for command in list check explain print emit-opensm-conf diff; do
  said_text stdout "$command"
done
run 0 check --help
run 0 --version

# Files are written completely or not at all.
printf 'old\n' >kept
run 3 print falling.cc -o kept
[[ $(cat kept) == old ]] || fail 'a set that is refused replaced a file'
run 8 print off -o no/such/folder/set.cc
if [[ -c /dev/full ]]; then
  status=0
  "$cc_params" explain off >/dev/full 2>stderr || status=$?
  ((status == 8)) || fail "a full disk gives $status"
fi

echo passed
