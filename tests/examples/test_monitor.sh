#!/usr/bin/env bash
# The monitor accepts all of examples/monitor.conf and starts with it. promtool accepts examples/prometheus.yml, whose target is
# the monitor's address.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/../tools/monitor_fabric/common.sh"
skip_without curl promtool
examples=$PSSP_SOURCE_DIR/examples

# The effective configuration must contain each line of the file unchanged.
"$monitor" serve --config "$examples/monitor.conf" --check-config >used
grep -vE '^(#|\[|$)' "$examples/monitor.conf" | while read -r line; do
  grep -qF "$line" used || fail "monitor.conf: '$line' is not what would be used"
done
address=$(sed -n 's/^listen = //p' "$examples/monitor.conf")
check grep -qF "'$address'" "$examples/prometheus.yml"

# The example refers to the rules where the package installs them.
sed "s,/usr/share/pssp-monitor/,$PSSP_SOURCE_DIR/monitor/," "$examples/prometheus.yml" >prometheus.yml
check promtool check config prometheus.yml

make_tree 2 2 2 1 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
serve "$dir" H0 --config "$examples/monitor.conf" --listen 127.0.0.1:0 --interval 1 --database history.sqlite
is_read() { curl -sf "$url/metrics" >page && grep -q '^infiniband_switch_port_transmit_data_bytes_total' page; }
eventually is_read
