#!/usr/bin/env bash
# The plugin's option congestion_control: the stock opensm sends the parameters, and the stock ibccquery reads them.
# shellcheck source=tests/tools/congestion/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without ibccquery

make_tree 2 2 2 1 >"$scratch/tree.net"

# sweep_with_agents DIR ENGINE: runs one sweep. DIR/settings has the settings that arrived.
sweep_with_agents() {
  simulate_with_agents "$1" "$scratch/tree.net"
  sweep_once "$1" "$2"
}

# ask DIR OPERATION LID: prints the output of ibccquery without the dots.
ask() { in_fabric "$1" H0 ibccquery "$2" "$3" | sed 's/:\.*/ /'; }

# expect_value FILE NAME VALUE: each line with this name must have the value.
expect_value() { expect_equal "$2 in $1" "$(awk -v name="$2" '$1 == name { print $2 }' "$1" | sort -u)" "$3"; }

# ---- the parameters of the thesis (table 5.1) as far as opensm supports them: no mask by the role of ports, 128 entries ----
plugin_options='congestion_control=thesis-mesh'
sweep_with_agents "$scratch/plugin" pssp
log=$scratch/plugin/opensm.log
expect_line "$log" '0x02 -> osmpssp: congestion control: thesis-mesh: .*Threshold 2, .*CCTI_Timer 244, .*CCTI_Limit 127'
expect_line "$log" 'osmpssp: congestion control: .*victim_mask = host'
expect_line "$log" 'osmpssp: congestion control: .*CCTI_Limit becomes 127'
ask "$scratch/plugin" SwitchCongestionSetting 2 >"$scratch/switch"
expect_value "$scratch/switch" Control_Map 0x00000014
expect_value "$scratch/switch" Threshold 0x02
expect_value "$scratch/switch" Packet_Size 1
expect_value "$scratch/switch" Marking_Rate 1
ask "$scratch/plugin" CACongestionSetting 1 >"$scratch/adapter"
expect_value "$scratch/adapter" Control_Map 0xffff
expect_value "$scratch/adapter" CCTI_Timer 244 # 250 us in units of 1.024 us
expect_value "$scratch/adapter" CCTI_Increase 1
expect_value "$scratch/adapter" CCTI_Min 0
ask "$scratch/plugin" CongestionControlTable 1 >"$scratch/table"
expect_value "$scratch/table" CCTI_Limit 127
expect_equal 'entries of the table' "$(grep -c '^Entry' "$scratch/table")" 128
in_fabric "$scratch/plugin" H0 ibnetdiscover >"$scratch/fabric.topo" 2>/dev/null
expect_equal 'cc_query --as-opensm' 0 \
  "$(status_of "$scratch/plugin" H0 "$scratch/query" "$cc_query" "$scratch/fabric.topo" --profile thesis-mesh --as-opensm)"
expect_equal 'cc_query of the whole set' 7 \
  "$(status_of "$scratch/plugin" H0 "$scratch/query" "$cc_query" "$scratch/fabric.topo" --profile thesis-mesh)"
expect_line "$scratch/query" 'switch\.victim_mask: none, expected 1-2'
expect_line "$scratch/query" 'table\.ccti_limit: 127, expected 128'
end_agents "$scratch/plugin"
stop_simulation "$scratch/plugin"

# ---- identical to opensm without the plugin and with the lines of cc_params ----
"$PSSP_BUILD_DIR/bin/cc_params" print thesis-mesh >"$scratch/own.cc"
printf 'switch.victim_mask = 1-2,17\nswitch.credit_mask = 0,3\nswitch.control_map = all\n' >"$scratch/masks"
grep -Ev '^(switch\.(victim_mask|credit_mask|control_map)|table\.)' "$scratch/own.cc" >"$scratch/rest"
cat "$scratch/masks" "$scratch/rest" - >"$scratch/own.cc" <<'END'
switch.credit_starvation_threshold = 9
switch.credit_starvation_return_delay = 2:77
adapter.sl3.ccti_timer = 1ms
adapter.sl15.trigger_threshold = 200
table.ccti_limit = 70
table.law = linear
table.flows = 9
END
sort -u -t ' ' -k 1,1 "$scratch/own.cc" -o "$scratch/own.cc"
plugin_options="congestion_control=$scratch/own.cc"
sweep_with_agents "$scratch/file" pssp
end_agents "$scratch/file"
stop_simulation "$scratch/file"
"$PSSP_BUILD_DIR/bin/cc_params" emit-opensm-conf "$scratch/own.cc" >"$scratch/extra.conf"
plugin_options='' extra_conf=$scratch/extra.conf
sweep_with_agents "$scratch/conf" minhop
end_agents "$scratch/conf"
stop_simulation "$scratch/conf"
expect_same "$scratch/file/settings" "$scratch/conf/settings"
expect_equal 'settings of switches' "$(grep -c '^0014 0 0000001f' "$scratch/file/settings")" 4
extra_conf=

# ---- SIGHUP: opensm.conf is read again, the plugin's values stay, and event_plugin_options is not read again ----
printf 'cc_sw_cong_setting_threshold 0x5\n' >"$scratch/extra.conf"
plugin_options='congestion_control=thesis-start' extra_conf=$scratch/extra.conf
simulate_with_agents "$scratch/hup" "$scratch/tree.net"
start_opensm "$scratch/hup" pssp
ask "$scratch/hup" SwitchCongestionSetting 2 >"$scratch/before"
printf 'congestion_control FALSE\ncc_sw_cong_setting_threshold 0x6\ncc_cct 0:0,1:1\n' >"$scratch/extra.conf"
plugin_options='congestion_control=off'
write_opensm_conf "$scratch/hup" pssp "$plugin_options" "$extra_conf"
kill -HUP "$opensm_pid"
wait_for_sweeps "$scratch/hup" 2
expect_line "$scratch/hup/opensm.log" 'osmpssp: congestion control: opensm.conf has other values now'
ask "$scratch/hup" SwitchCongestionSetting 2 >"$scratch/after"
expect_same "$scratch/before" "$scratch/after"
ask "$scratch/hup" CongestionControlTable 1 >"$scratch/table"
expect_equal 'entries of the table after SIGHUP' "$(grep -c '^Entry' "$scratch/table")" \
  "$(($(awk '$1 == "CCTI_Limit" { print $2 }' "$scratch/table") + 1))"
kill -HUP "$opensm_pid"
wait_for_sweeps "$scratch/hup" 3
expect_equal 'times that the values were written again' 1 "$(grep -c 'has other values now' "$scratch/hup/opensm.log")"
end_process "$opensm_pid"
end_agents "$scratch/hup"
stop_simulation "$scratch/hup"
extra_conf=

# ---- bad parameters: the reason in the log, congestion control unchanged, engines not affected ----
printf '# mine\nswitch.threshold = 16\n' >"$scratch/bad.cc"
plugin_options="congestion_control=$scratch/bad.cc"
sweep_with_agents "$scratch/bad" pssp
expect_line "$scratch/bad/opensm.log" '0x01 -> osmpssp: ERR 7A16: congestion control stays as opensm.conf sets it: .*bad\.cc:2: .*15'
expect_equal 'engine beside a bad set' "$(used_engine "$scratch/bad")" pssp
expect_equal 'requests with a bad set' "$(cat "$scratch/bad/requests")" ''
stop_simulation "$scratch/bad"
# The parameters are sent even if another engine than ours is in use.
plugin_options='congestion_control=thesis-start'
sweep_with_agents "$scratch/minhop" minhop,pssp
expect_equal 'engine of the list' "$(used_engine "$scratch/minhop")" minhop
expect_equal 'switches set beside minhop' "$(grep -c 'attribute 0014' "$scratch/minhop/requests")" 4
stop_simulation "$scratch/minhop"
plugin_options='congestion_control=no-such-profile'
sweep_with_agents "$scratch/unknown" pssp
expect_line "$scratch/unknown/opensm.log" 'osmpssp: ERR 7A16: congestion control stays as opensm.conf sets it: .*no-such-profile.*thesis-mesh'
stop_simulation "$scratch/unknown"
plugin_options='congestion_control=thesis-mesh nonsense=1'
sweep_with_agents "$scratch/nonsense" pssp
expect_line "$scratch/nonsense/opensm.log" 'osmpssp: ERR 7A11: option nonsense=1: unknown'
expect_line "$scratch/nonsense/opensm.log" 'osmpssp: congestion control: thesis-mesh: '
stop_simulation "$scratch/nonsense"

# ---- no node has congestion control: opensm comes up, and stops asking after a few sweeps ----
plugin_options='congestion_control=thesis-mesh'
simulate_with_agents "$scratch/silent" "$scratch/tree.net" --all-silent --timeout 100
start_opensm "$scratch/silent" pssp
for sweep in 2 3; do
  kill -HUP "$opensm_pid"
  wait_for_sweeps "$scratch/silent" "$sweep"
done
requests=$(awk '$5 == "0016"' "$scratch/silent/requests" | wc -l)
kill -HUP "$opensm_pid"
wait_for_sweeps "$scratch/silent" 4
expect_equal 'requests to adapters in the fourth sweep' "$(awk '$5 == "0016"' "$scratch/silent/requests" | wc -l)" "$requests"
end_process "$opensm_pid"
