#!/usr/bin/env bash
# dump_fts omits the last LID if it is a multiple of 64. dump_routes.sh must print the tables that opensm says it wrote. The
# fabric is a line of 32 switches, because packets routed by LID survive only 16 hops in ibsim.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/testing.sh"

dump_of() {
  expect 0 '' "$harness/start_ibsim.sh" "$1"
  expect 0 '' "$harness/start_osm.sh" minhop -- -D 0x47
  expect 0 '' "$harness/dump_routes.sh"
  cp "$scratch/stdout" "$2"
  same_entries "$2" "$scratch/pssp-ibsim-$UID/default/osm/opensm-lfts.dump"
  expect_note=$3
  [[ $expect_note == no-note ]] || said stderr "dump_fts lost LID $expect_note at 32 switches"
  [[ $expect_note != no-note || ! -s $scratch/stderr ]] || fail "a note where nothing was lost: $(<"$scratch/stderr")"
  expect 0 '' "$harness/stop_ibsim.sh"
}

mesh 32 1 >"$scratch/line.net"
dump_of "$scratch/line.net" "$scratch/line.lft" 64
[[ $(grep -c "^0x0040 ... : (Channel Adapter portguid 0x000000000010003f: 'H31_0')$" "$scratch/line.lft") == 32 ]] ||
  fail "LID 64 does not carry its destination: $(grep -m 1 0x0040 "$scratch/line.lft")"
[[ $(grep -c '^64 valid lids dumped' "$scratch/line.lft") == 32 ]] || fail "the counts do not tell of the restored LID"

mesh 31 1 >"$scratch/shorter.net"
dump_of "$scratch/shorter.net" "$scratch/shorter.lft" no-note

# The owners of LIDs as dump_fts prints them; an LMC of 2 gives a port four LIDs.
cat >"$scratch/discovered" <<'EOF'
vendid=0x8f1
switchguid=0x200000(200000)
Switch	8 "S-0000000000200000"		# "a "strange" # name" base port 0 lid 7 lmc 0
[1]	"H-0000000000100000"[1](100001) 		# "host" lid 60 4xQDR

caguid=0x100000
Ca	1 "H-0000000000100000"		# "host lid 7"
[1](100001) 	"S-0000000000200000"[1]		# lid 60 lmc 2 "a "strange" # name" lid 7 4xQDR
EOF
printf '0,1 3\n' >"$scratch/ports"
cat >"$scratch/lacking" <<'EOF'
Unicast lids [0x0-0x40] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000200000 (S):
  Lid  Out   Destination
       Port     Info
0x0001 005 : (Channel Adapter portguid 0x0000000000100001: 'H')
1 valid lids dumped
EOF
owner() {
  "$bin/ibsim_files" add-entries "$scratch/lacking" "$1" "$scratch/ports" "$scratch/discovered" |
    sed -n "s/^$(printf '0x%04x' "$1") 003 : (\\(.*\\))\$/\\1/p"
}
[[ $("$bin/ibsim_files" lost-entries "$scratch/lacking") == '0,1 64' ]] || fail 'the lost LID is not noticed'
[[ $(owner 7) == "Switch portguid 0x0000000000200000: 'a \"strange\" # name'" ]] || fail "LID 7: $(owner 7)"
for lid in 60 61 62 63; do
  [[ $(owner "$lid") == "Channel Adapter portguid 0x0000000000100001: 'host lid 7'" ]] || fail "LID $lid: $(owner "$lid")"
done
[[ $(owner 64) == 'Unknown node and type' && $(owner 59) == 'Unknown node and type' ]] || fail "LIDs 59 and 64 have no owner"
