#!/usr/bin/env bash
# Errors in a file are reported before the program searches for the adapter, so the exit code does not depend on the machine. A plugin whose
# line cannot be written ends with status UNKNOWN, whatever the line.
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

# ---- plugins: one line on standard output, and UNKNOWN if the line cannot be written ----
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

# If other output cannot be written, the exit code is 8.
status=0
"$monitor" serve --check-config >/dev/full 2>err || status=$?
expect_equal 'status of other output without room' "$status" 8
