#!/usr/bin/env bash
# The stock opensm accepts the lines of cc_params emit-opensm-conf: its own dump of its options has the same values. With
# congestion control on, it brings up a fabric whose nodes do not support congestion control.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run

cc_params=$PSSP_BUILD_DIR/bin/cc_params
cd "$scratch"

# options_of CONF: prints the cc_ options that opensm dumps after it has read CONF.
options_of() {
  rm -f dumped.conf
  opensm -F "$1" -f "$scratch/opensm.log" -c dumped.conf >opensm.out 2>&1 || fail "opensm -c ended with status $?: $(tail_of opensm.out)"
  grep -E '^(congestion_control|cc_)' dumped.conf | grep -Ev '^cc_(key|max_outstanding_mads) ' || true
}

# accepted SET: opensm's options must be the emitted ones.
accepted() {
  "$cc_params" emit-opensm-conf "$1" -o emitted.conf 2>/dev/null
  grep -v '^#' emitted.conf >expected
  options_of emitted.conf >found
  ! grep -aq 'Unrecognized token\|-E-\|invalid' opensm.out || fail "$1: opensm complained: $(grep -a 'Unrecog\|-E-\|invalid' opensm.out)"
  # opensm's dump omits a service level whose values are all 0, unless it is the only one.
  grep -Ev '^cc_ca_cong_setting_(ccti_timer|ccti_increase|trigger_threshold|ccti_min) [0-9]+ 0$' expected >expected.set || true
  grep -Ev '^cc_ca_cong_setting_(ccti_timer|ccti_increase|trigger_threshold|ccti_min) [0-9]+ 0$' found >found.set || true
  expect_same found.set expected.set
}

accepted thesis-mesh
accepted thesis-start
accepted off

# Every field has its maximum, ports are at both ends of the masks, and service levels differ.
cat >edges.cc <<'SET'
switch.victim_mask = 0,1,254
switch.credit_mask = 7-63,128
switch.threshold = 15
switch.packet_size = 255
switch.credit_starvation_threshold = 15
switch.credit_starvation_return_delay = 3:16383
switch.marking_rate = 65535
adapter.port_control = sl
adapter.control_map = 0x8001
adapter.ccti_timer = 65535
adapter.ccti_increase = 255
adapter.trigger_threshold = 255
adapter.ccti_min = 1
adapter.sl7.ccti_timer = 250us
adapter.sl15.ccti_min = 2
table.block.0 = 0:0,3:1,2:1,1:1,0:1,0:16383
SET
accepted edges.cc

# table_of SHORT: writes a set whose table has 128 entries, of which SHORT are one byte shorter than the others.
table_of() {
  awk -v short="$1" 'BEGIN { for (i = 0; i < 128; i++) print i < short ? "3:1638" : "3:16383" }' >values.txt
  printf 'table.values = values.txt\n' >long.cc
}

# The longest line that opensm reads, and one byte more, which cc_params refuses.
table_of 8
accepted long.cc
expect_equal 'length of the longest line' "$(grep '^cc_cct' emitted.conf | tr -d '\n' | wc -c)" 1022
table_of 7
if "$cc_params" emit-opensm-conf long.cc >/dev/null 2>err; then fail 'a line of 1023 bytes is emitted'; fi
expect_line err 'the line cc_cct would have 1023 bytes, but OpenSM reads only 1022'
printf 'cc_cct %s\n' "$(paste -sd, values.txt)" >cut.conf
options_of cut.conf >found
if grep -qxF -f cut.conf found; then fail 'opensm reads 1023 bytes of a line after all'; fi

# Nodes without congestion control: opensm brings up the fabric although it is on.
make_tree 2 2 2 1 >tree.net
"$cc_params" emit-opensm-conf thesis-mesh -o extra.conf 2>/dev/null
extra_conf=$scratch/extra.conf
route "$scratch/run" minhop tree.net
expect_line "$scratch/run/opensm.log" 'SUBNET UP'
expect_line "$scratch/run/opensm.out" 'Loading Cached Option:congestion_control = TRUE'
expect_line "$scratch/run/opensm.log" 'osm_congestion_control_bind'

echo passed
