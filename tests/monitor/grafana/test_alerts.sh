#!/usr/bin/env bash
# Each alert is silent for a healthy fabric and fires for its fault; Grafana can load the dashboard.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
rules=$PSSP_SOURCE_DIR/monitor/grafana/pssp-alerts.yml
dashboard=$PSSP_SOURCE_DIR/monitor/grafana/pssp-fabric.json

# ---- the dashboard: rows, variables, at least one query per panel, no plug-in, no fixed data source ----
check jq -e '.title and .schemaVersion and ([.panels[].id] | length == (unique | length))' "$dashboard" >"$scratch/null"
expect_equal 'rows' "$(jq -r '[.panels[] | select(.type == "row").title] | join(", ")' "$dashboard")" \
  'Overview, Links, Errors, Subnet manager, Monitor'
expect_equal 'variables' "$(jq -r '[.templating.list[].name] | join(", ")' "$dashboard")" 'datasource, switch, port'
expect_equal 'kinds of panels' "$(jq -r '[.panels[].type] | unique | join(", ")' "$dashboard")" 'row, stat, table, timeseries'
# shellcheck disable=SC2016  # a variable of Grafana
check jq -e 'all(.panels[] | select(.type != "row"); .datasource.uid == "${datasource}" and (.targets | length > 0))' "$dashboard" >"$scratch/null"

# ---- every metric in a query exists ----
jq -r '.panels[].targets[]?.expr' "$dashboard" >"$scratch/queries"
grep -h 'expr:\|infiniband_' "$rules" >>"$scratch/queries"
grep -ohE '\b(pssp|infiniband)_[a-z_0-9]+' "$scratch/queries" | sort -u |
  sed -E 's/^infiniband_(switch|hca)_//; s/^port_(.*)_total$/\1/' | while read -r name; do
  [[ $name == port_ || -z $name ]] || grep -rqF "$name" "$PSSP_SOURCE_DIR/monitor/api" "$PSSP_SOURCE_DIR/monitor/counters" ||
    fail "there is no metric for $name"
done

skip_without promtool amtool
expect 0 'SUCCESS' promtool check rules "$rules"
expect 0 'SUCCESS: 8 rules' promtool check rules "$PSSP_SOURCE_DIR/monitor/grafana/pssp-compat.yml"
cp "$rules" "$here/alerts_test.yml" "$scratch/"
expect 0 'SUCCESS' promtool test rules "$scratch/alerts_test.yml"

# ---- the example for Alertmanager ----
routes=$PSSP_SOURCE_DIR/monitor/grafana/alertmanager.yml
expect 0 'SUCCESS' amtool check-config "$routes"
# receiver_of LABEL=VALUE...: prints the receiver of an alert with these labels.
receiver_of() { amtool config routes test --config.file="$routes" "$@" 2>"$scratch/null"; }
expect_equal 'receiver of faults' "$(receiver_of severity=warning alertname=FabricWidth)" operators
expect_equal 'receiver of critical alerts' "$(receiver_of severity=critical alertname=FabricNoManager)" on-call

sed -n 's/^ *- alert: //p' "$rules" | while read -r alert; do
  grep -q "name: $alert\$" "$here/alerts_test.yml" || fail "alert $alert has no test"
done
