#!/usr/bin/env bash
# The stock tools must read files that we write like their own. Needs ibsim, opensm and infiniband-diags, but no hardware and no
# privileges.
#
# For each fabric, opensm routes it on ibsim and dumps its tables; `rewrite` reads topology and dump, and writes both again. Then
#   - the new dump equals opensm's own, byte for byte, whichever of its three notations was read;
#   - opensm -R file with the new dump, in which one route was changed, dumps exactly these tables;
#   - ibsim with the new topology is the same fabric to ibnetdiscover, and opensm assigns the same LIDs and tables.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../../kit/expect.sh"

PATH=$PATH:/usr/sbin:/sbin
skip_without ibsim ibsim-run opensm dump_fts ibnetdiscover
rewrite=$PSSP_BUILD_DIR/tests/formats_rewrite
fabrics=${PSSP_FABRICS_DIR:-$PSSP_SOURCE_DIR/../shared/fabrics}
simulator=
trap '[[ -z $simulator ]] || kill "$simulator" 2>/dev/null || true; clean_up' EXIT

# Succeeds if ibsim accepts clients or has ended.
is_loaded() { grep -q "@$IBSIM_SOCKNAME:ctl" /proc/net/unix || ! kill -0 "$simulator" 2>/dev/null; }

# route NAME TOPOLOGY HOST ENGINE OPTION...: writes the dumps of opensm and infiniband-diags to $scratch/NAME.
route() {
  local name=$1 topology=$2 host=$3 engine=$4
  shift 4
  local out=$scratch/$name
  mkdir -p "$out"
  export IBSIM_SOCKNAME=round-trip-$$-$name
  ibsim -s -n -N 2000 -S 500 -P 20000 "$topology" >"$out/ibsim.log" 2>&1 &
  simulator=$!
  eventually is_loaded
  kill -0 "$simulator" 2>/dev/null || fail "ibsim does not load $topology: $(tail -n 5 "$out/ibsim.log")"
  export SIM_HOST=$host OSM_CACHE_DIR=$out OSM_TMP_DIR=$out
  ibsim-run opensm -R "$engine" -o -f "$out/opensm.log" -D 0x47 "$@" >"$out/opensm.out" 2>&1
  grep -q "$engine tables configured on all switches" "$out/opensm.log" || fail "opensm did not use $engine for $topology"
  ibsim-run dump_fts >"$out/dump_fts.lft" 2>"$out/dump_fts.err"
  ibsim-run ibnetdiscover 2>"$out/ibnetdiscover.err" | grep -v '^# Topology file' >"$out/ibnetdiscover"
  kill "$simulator"
  wait "$simulator" 2>/dev/null || true
  simulator=
}

same() { expect_same "$scratch/$1" "$scratch/$2"; }

# A fabric with realistic descriptions, LIDs that the file states or omits, adapters with two ports, inactive ports, parallel
# links, a router, and GUIDs whose order depends on the most significant byte.
write_small_fabric() {
  cat <<'NET'
switchguid=0x2c90300000101(2c90300000101)
Switch	8 "leaf one"		# "MF0;leaf-1:MQM8700/U1" base port 0 lid 0 lmc 0
[1]	"host a"[1](1001) 		# "host 'a' [rack #3] mlx5_0" lid 0 4xHDR
[2]	"host b"[1](2001) 		# "host b" lid 0 2xHDR
[7]	"leaf two"[7]		# "MF0;leaf-2:MQM8700/U1" lid 0 4xHDR
[8]	"leaf two"[8]		# "MF0;leaf-2:MQM8700/U1" lid 0 4xHDR

switchguid=0x2c90300000200(2c90300000200)
Switch	8 "leaf two"		# "MF0;leaf-2:MQM8700/U1" base port 0 lid 0 lmc 0
[1]	"host c"[1]
[2]	"host b"[2](2002) 		# "host b" lid 0 2xHDR
[3]	"gateway"[1]
[7]	"leaf one"[7]		# "MF0;leaf-1:MQM8700/U1" lid 0 4xHDR
[8]	"leaf one"[8]		# "MF0;leaf-1:MQM8700/U1" lid 0 4xHDR

caguid=0x1000
Ca	1 "host a"		# "host 'a' [rack #3] mlx5_0"
[1](1001) 	"leaf one"[1]		# lid 0 lmc 0 "MF0;leaf-1:MQM8700/U1" lid 0 4xHDR

caguid=0x2000
Ca	2 "host b"		# "host b"
[1](2001) 	"leaf one"[2]		# lid 0 lmc 0 "MF0;leaf-1:MQM8700/U1" lid 0 2xHDR
[2](2002) 	"leaf two"[2]		# lid 0 lmc 0 "MF0;leaf-2:MQM8700/U1" lid 0 2xHDR

caguid=0x100
Ca	2 "host c"
[1]	"leaf two"[1]

rtguid=0x5000
Rt	1 "gateway"		# "router to the other subnet"
[1]	"leaf two"[3]
NET
}

# change_a_route DUMP A B: changes the first route through port A to port B.
change_a_route() { sed -i "0,/^\(0x[0-9a-f]*\) $2 /s//\1 $3 /" "$1"; }

# round_trip NAME TOPOLOGY HOST A B OPTION...: A and B are parallel ports of the first switch in the dump.
round_trip() {
  local name=$1 topology=$2 host=$3 port_a=$4 port_b=$5 source
  shift 5
  route "$name" "$topology" "$host" minhop "$@"
  for source in opensm-lfts.dump dump_fts.lft opensm.fdbs; do
    # The topology from ibnetdiscover has LIDs and ibsim's port GUIDs, which opensm.fdbs does not contain.
    "$rewrite" "$scratch/$name/ibnetdiscover" "$scratch/$name/$source" "$scratch/$name/new.net" "$scratch/$name/new.lft"
    same "$name/new.lft" "$name/opensm-lfts.dump"
  done

  cp "$scratch/$name/new.lft" "$scratch/$name/changed.lft"
  change_a_route "$scratch/$name/changed.lft" "$port_a" "$port_b"
  expect_different "$scratch/$name/changed.lft" "$scratch/$name/new.lft" "no route by port $port_a in $name"
  route "$name-file" "$topology" "$host" file -U "$scratch/$name/changed.lft" "$@"
  same "$name-file/opensm-lfts.dump" "$name/changed.lft"

  local new_host
  new_host=$(sed -n '/^Ca/{s/^Ca[^"]*"\([^"]*\)".*/\1/p;q}' "$scratch/$name/new.net")
  route "$name-net" "$scratch/$name/new.net" "$new_host" minhop "$@"
  same "$name-net/opensm-lfts.dump" "$name/opensm-lfts.dump"
  local side
  for side in "$name" "$name-net"; do
    # Ignore the order of nodes and the line of ibnetdiscover's own node, which depend on where it runs. Also ignore the kind of
    # port 0 and the vendor, which Fabric does not store.
    sed '/^# Initiated from/d; /^\(vendid\|devid\|sysimgguid\)=/d; s/ enhanced port 0 / base port 0 /' \
      "$scratch/$side/ibnetdiscover" | sort >"$scratch/$side/topology"
  done
  same "$name-net/topology" "$name/topology"
  printf 'passed: %s\n' "$name"
}

write_small_fabric >"$scratch/small.net"
round_trip small "$scratch/small.net" 'host a' 007 008
round_trip small-lmc2 "$scratch/small.net" 'host a' 007 008 -l 2

saved=$fabrics/ndr-40-switches.ibnetdiscover
if [[ -r $saved ]]; then
  round_trip ndr "$saved" H-e09d730300156ff6 001 002
else
  printf 'left out: no saved fabric\n'
fi
