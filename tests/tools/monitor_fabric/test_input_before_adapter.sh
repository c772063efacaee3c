#!/usr/bin/env bash
# What is wrong with a file is said before the adapter is looked for, so that its status does not depend on the machine; and a plugin's line
# that cannot be written is nothing known, whatever it would have said.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"
monitor=$bin/monitor_fabric
[[ -x $monitor ]] || skip 'monitor_fabric is not built'

mkdir folder
: >empty
head -c 3000 /dev/urandom >garbled
"$bin/make_topo" mesh 2x2 --lids 2>null | head -c 300 >"cut" || true
"$bin/make_topo" mesh 2x2 2>null >without_lids
for file in missing folder empty garbled cut without_lids; do
  expect 3 "^monitor_fabric: .*$file" "$monitor" once --topology "$file"
  expect 3 "^monitor_fabric: .*$file" "$monitor" check --topology "$file"
  expect 3 "^monitor_fabric: .*$file" "$monitor" record --for 1 --topology "$file"
  expect 3 "^monitor_fabric: .*$file" "$monitor" serve --listen 127.0.0.1:0 --topology "$file"
  expect 3 "^FABRIC UNKNOWN - .*$file" "$monitor" check --nagios --topology "$file"
  said stdout UNKNOWN
done
for file in missing folder; do
  expect 3 "^monitor_fabric: .*$file" "$monitor" check --mkey-file "$file"
  expect 3 "^monitor_fabric: .*$file" "$monitor" check --config "$file"
  expect 3 "^monitor_fabric: .*$file" "$monitor" check --totals --thresholds "$file"
  expect 3 "^reroute_impact: .*$file" "$bin/reroute_impact" --live --jobs "$file"
done

# ---- plugins: one line where Nagios reads, and UNKNOWN where it cannot be written ----
# plugin SUBJECT COMMAND...
plugin() {
  local subject=$1 status=0
  shift
  expect 3 '' "$@"
  expect_equal "lines from: $*" "$(wc -l <stdout)" 1
  said stdout "^$subject UNKNOWN - "
  "$@" >/dev/full 2>err || status=$?
  expect_equal "status without room for the line from: $*" "$status" 3
  expect_line err '^[a-z_]+: cannot write standard output: '
}
plugin FABRIC "$monitor" check --nagios --topology missing
plugin FIT "$monitor" fit --nagios --server unix:missing
plugin FIT "$monitor" fit --nagios --database missing
plugin TABLES "$bin/deploy_tables" guard --once --state missing
mkdir state
plugin TABLES "$bin/deploy_tables" guard --once --state state -C nonsense

# Other answers are no plugin's.
status=0
"$monitor" serve --check-config >/dev/full 2>err || status=$?
expect_equal 'status of another answer' "$status" 8
