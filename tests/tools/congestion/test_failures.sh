#!/usr/bin/env bash
# Nodes that do not answer, have another key, refuse, or have a shorter table; no port; wrong input.
# shellcheck source=tests/tools/congestion/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without jq ibccquery

make_tree 2 1 3 1 >"$scratch/tree.net"
dir=$scratch/tree

# run OUT EXPECTED_STATUS COMMAND...: runs a tool in the fabric with output to OUT.
run() {
  local out=$scratch/$1 expected=$2
  shift 2
  expect_equal "status of ${*##*/}" "$(status_of "$dir" H0 "$out" "$@")" "$expected"
}

# H1 (0x100003) does not answer, H2 (0x100005) refuses the class, H3 (0x100007) has a key, H4 (0x100009) is protected by a key,
# and the leaf L1 (0x200001) is busy.
bring_up "$dir" "$scratch/tree.net" H0 --timeout 20 --silent 0x100003 --status 0x100005=4 --key 0x100007=0xabcd \
  --protect 0x100009=0x1234567890abcdef --status 0x200001=1 --table-blocks 3
topo=$dir/fabric.topo
run apply 7 "$cc_apply" thesis-mesh "$topo" --mad-timeout 200 --retries 1
expect_line "$scratch/apply" '4 of 9 nodes set'
expect_line "$scratch/apply" 'CongestionInfo not read: no reply to 2 requests'
expect_line "$scratch/apply" 'not read: refused, MAD status 0x0004: class or class version not supported'
expect_line "$scratch/apply" 'CongestionControlTable not set: no reply'
expect_line "$scratch/apply" 'SwitchCongestionSetting not read: refused, MAD status 0x0001: busy'
expect_equal 'requests to the silent one' "$(grep -c '^0000000000100003' "$dir/requests")" 2
# Without saving, nothing is read first.
run apply 7 "$cc_apply" thesis-mesh "$topo" --mad-timeout 200 --retries 1 --node L1 --save none
expect_line "$scratch/apply" 'SwitchCongestionSetting not set: refused, MAD status 0x0001: busy'
run query 7 "$cc_query" "$topo" --profile thesis-mesh --mad-timeout 200 --retries 1
expect_line "$scratch/query" '5 read, 4 not read; 4 match thesis-mesh, 1 differ'
expect_line "$scratch/query" 'adapter .*\(H4\)'
# Both attempts with a wrong key are violations, which the stock tool shows.
in_fabric "$dir" H0 ibccquery CongestionKeyInfo "$(lid_of "$dir" H3)" | sed 's/:\.*/ /' >"$scratch/key_info"
expect_line "$scratch/key_info" '^CC_KeyViolations 2$'

# With the keys, from the command line and from a file.
run apply 0 "$cc_apply" thesis-mesh "$topo" --node H3 --cc-key 0xabcd
printf '0x1234567890abcdef\n' >"$scratch/key"
run apply 0 "$cc_apply" thesis-mesh "$topo" --node H4 --cc-key-file "$scratch/key"
run query 0 "$cc_query" "$topo" --profile thesis-mesh --node H4 --node 0x100009 --cc-key-file "$scratch/key"

# A table that is too long for an adapter is not sent.
"$PSSP_BUILD_DIR/bin/cc_params" print thesis-mesh | sed 's/^table.ccti_limit.*/table.ccti_limit = 192/' >"$scratch/long.cc"
before=$(grep -c 'method 02' "$dir/requests")
run apply 7 "$cc_apply" "$scratch/long.cc" "$topo" --node H0
expect_line "$scratch/apply" 'nothing was set: .*193.*192'
expect_equal 'settings sent' "$(grep -c 'method 02' "$dir/requests")" "$before"

# Wrong input: prints the reason, and nothing on standard output. wrong STATUS PATTERN COMMAND...: the command must fail with a
# matching message.
wrong() {
  local status=$1 pattern=$2
  shift 2
  run wrong "$status" "$@"
  expect_line "$scratch/wrong.err" "$pattern"
  expect_equal "output of ${*##*/}" "$(cat "$scratch/wrong")" ''
}
wrong 2 'PROFILE' "$cc_apply"
wrong 3 'no-such.*thesis-mesh' "$cc_apply" no-such "$topo"
wrong 3 'without LIDs.*ibnetdiscover' "$cc_query" "$scratch/tree.net"
wrong 3 'no such file|cannot' "$cc_query" "$scratch/missing.topo"
wrong 2 '--node nowhere' "$cc_query" "$topo" --node nowhere
wrong 2 '--cc-key: expected a CC_Key' "$cc_query" "$topo" --cc-key 12g
wrong 2 'fabric\.topo: expected a CC_Key' "$cc_query" "$topo" --cc-key-file "$topo"
wrong 2 '--window' "$cc_query" "$topo" --window 0
wrong 2 '--as-opensm' "$cc_query" "$topo" --as-opensm
wrong 9 "cannot open port 3 of the first InfiniBand adapter" "$cc_query" "$topo" -P 3
wrong 9 "cannot open an active port of 'mlx5_9'" "$cc_query" "$topo" -C mlx5_9
# Each kind of MADs uses its own device, and the device for the settings is opened first.
wrong 9 "cannot open an active port of 'mlx5_9'" "$cc_query" "$topo" --smi-device smi9 --gsi-device mlx5_9
wrong 9 "cannot open an active port of 'smi9'" "$cc_query" "$topo" --smi-device smi9

# Without the simulation, the commands are only tested if the machine has no InfiniBand, because they could reach a real fabric.
if [[ ! -e /sys/class/infiniband_mad ]]; then
  status=0
  "$cc_query" "$topo" >"$scratch/wrong" 2>"$scratch/wrong.err" || status=$?
  expect_equal 'status without InfiniBand' "$status" 9
  expect_line "$scratch/wrong.err" 'ib_umad|cannot open'
fi
