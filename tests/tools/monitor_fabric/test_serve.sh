#!/usr/bin/env bash
# The daemon in a simulated fabric: its figures match the fabric, it stores a history, handles signals, and refuses invalid options.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl

# ---- options that are refused before the daemon starts ----
expect 2 'would expose the fabric' "$monitor" serve --listen 0.0.0.0:0
expect 2 'invalid listen address .localhost.' "$monitor" serve --listen localhost
echo 'much too open, this token' >token
chmod 644 token
expect 2 'chmod 600' "$monitor" serve --token-file token
printf '[sweep]\ninterval_s = 0\n' >wrong.conf
expect 3 'wrong.conf:2' "$monitor" serve --config wrong.conf
printf '[sweep]\ninterval_s = 2\n[server]\nlisten = 127.0.0.1:0\n' >serve.conf
expect 0 '^interval_s = 1 ' "$monitor" serve --config serve.conf --interval 1 --check-config

make_tree 4 2 3 2 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"

# A daemon that needs half a minute hangs.
end_daemon_soon() {
  local began=$SECONDS
  end_daemon
  ((SECONDS - began < 30)) || fail "SIGTERM took $((SECONDS - began)) s"
}

serve "$dir" H0 --config serve.conf --interval 1 --database history.sqlite
expect_equal 'switches' "$(ask 'nodes?kind=switch' | jq .total)" 6
expect_equal 'active ports' "$(ask 'ports?state=active' | jq .total)" "$((2 * (12 + 16)))"

# ---- a counter that is set appears in the next sweep ----
printf 'PerformanceSet "L0"[1] PortCounters.SymbolErrorCounter=77\n' >settings
set_counters "$dir" "$scratch/settings"
guid=$(ask 'nodes?name=L0' | jq -r '.nodes[0].guid')
errors_are() { [[ $(ask "ports/$guid/1" | jq .item.counters.symbol_errors) == "$1" ]]; }
eventually errors_are 77
# The errors occurred within a second, so the cable is bad.
expect_equal 'verdict on 77 symbol errors' \
  "$(ask 'verdicts?level=bad' | jq -r '.verdicts[] | "\(.name)[\(.port)] \(.what)"' | sed -n 1p)" 'L0[1] symbol_errors'
# ---- the history in the database is also served ----
level_is() { [[ $(ask "ports/$guid/1/history?counters=symbol_errors" | jq -r .level) == "$1" ]]; }
eventually level_is raw
expect_equal 'state of the history' "$(ask status | jq -r .database.state)" writing
eventually test "$(ask manager | jq '[.managers[] | .state] | length')" -ge 1
curl -s "$url/metrics" >"$scratch/page"
expect_line page '^infiniband_switch_port_symbol_error_total\{.*switch="L0"\} 77$'
if command -v promtool >/dev/null; then promtool check metrics <page >"$scratch/promtool" || fail 'promtool refuses the metrics'; fi

# ---- signals ----
kill -HUP "$daemon"
eventually grep -q 'SIGHUP: the configuration is unchanged' said
sed -i 's/interval_s = 2/interval_s = 2\nverify_nodes = 7/; s/listen = .*/listen = 127.0.0.1:1/' serve.conf
printf '[fabric]\nwindow = 64\n[store]\nraw_hours = 3\n' >>serve.conf
kill -HUP "$daemon"
eventually grep -q 'SIGHUP: store.raw_hours is now 3, was 6' said
expect_line said 'SIGHUP: sweep.verify_nodes is now 7, was 30'
expect_line said 'SIGHUP: fabric.window is now 64, was 128'
expect_line said 'SIGHUP: server.listen = 127.0.0.1:1 takes effect after a restart; until then 127.0.0.1:0 is used'
kill -HUP "$daemon"
reported_twice() { (($(grep -c 'takes effect after a restart' said) == 2)); }
eventually reported_twice
expect_equal 'messages about an adopted setting' "$(grep -c 'raw_hours is now 3' said)" 1
sed -i 's/interval_s = 2/interval_s = 0/' serve.conf
kill -HUP "$daemon"
eventually grep -q 'the configuration in use stays in force' said
kill -USR1 "$daemon"
curl -sf -o "$scratch/health" "$url/healthz" || fail 'no longer healthy after signals'

# ---- the history file is renamed: a new one is written, and pages read the new one ----
mv history.sqlite renamed.sqlite
reports_renaming() { ask status | jq -e 'any(.problems[]; test("removed or renamed .*history.sqlite"))' >null; }
eventually reports_renaming
eventually test -s history.sqlite
eventually level_is raw
expect_equal 'state of the new history' "$(ask status | jq -r .database.state)" writing
end_daemon_soon
expect_equal 'integrity of the renamed history' "$(sqlite3 history.sqlite 'PRAGMA integrity_check' 2>/dev/null || echo ok)" ok

# ---- without a database; the sweep interval is changed during the run ----
sed -i 's/interval_s = 0/interval_s = 60/; s/listen = .*/listen = 127.0.0.1:0/' serve.conf
serve "$dir" H0 --config serve.conf
sed -i 's/interval_s = 60/interval_s = 1/' serve.conf
kill -HUP "$daemon"
# Without the change, the third sweep would come a minute later.
third_sweep_is_over() { (($(ask status | jq .sweep) >= 3)); }
eventually third_sweep_is_over
expect_line said 'SIGHUP: sweep.interval_s is now 1, was 60'
end_daemon_soon

# ---- a Unix socket: the socket of a dead process is replaced, another file is not touched ----
echo mine >here
expect 2 'exists and is not a socket' "$monitor" serve --listen "unix:$scratch/here"
expect_equal 'a file at the path' "$(<here)" mine
expect 2 'an absolute path' "$monitor" serve --listen unix:relative
serve_at_socket() { serve "$dir" H0 --config serve.conf --listen "unix:$scratch/http"; }
of_socket() { curl -sf --unix-socket "$scratch/http" "http://localhost/$1"; }
serve_at_socket
eventually of_socket healthz >health
expect_equal 'mode of the socket' "$(stat -c '%a %F' http)" '660 socket'
expect_equal 'switches by the socket' "$(of_socket 'api/v1/nodes?kind=switch' | jq .total)" 6
expect 2 'another process already listens on' "$monitor" serve --listen "unix:$scratch/http"
kill -KILL "$daemon"
wait "$waiter" 2>"$scratch/null" || true
check test -S http
serve_at_socket
eventually of_socket healthz >health
end_daemon_soon
check test ! -e http

serve "$dir" H0 --config serve.conf
expect_equal 'database' "$(ask status | jq .database)" null
level_is memory || fail 'no history in memory'
end_daemon_soon
