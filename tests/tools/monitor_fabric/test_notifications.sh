#!/usr/bin/env bash
# A fault causes one call of the webhook and one mail when it begins, and one of each when it ends: with a receiver that hangs, floods and
# refuses for some time, across restarts of the daemon, and with TLS. Sweeps continue all the time.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl python3 openssl

make_tree 4 2 3 2 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"

trap 'end_hook 2>"$scratch/null"; end_all' EXIT
: >calls
echo take >mode
begin_hook
printf '%032d\n' 7 >token
chmod 600 token
cat >sendmail <<END
#!/bin/sh
{ printf '%s ' "\$@" && echo && cat; } >"$scratch/mail.\$\$"
END
chmod +x sendmail
# configure URL [LINE...]
configure() {
  cat <<END
[server]
listen = 127.0.0.1:0
[sweep]
interval_s = 1
discovery_interval_s = 1
[notifications]
webhook = $1
token_file = $scratch/token
page_url = https://monitor.example.org/
delay_s = 0
mail_to = ops@example.org
sendmail = $scratch/sendmail
END
  printf '%s\n' "${@:2}"
}
configure "http://127.0.0.1:$hook_port/hook" >serve.conf
begin_daemon() { serve "$dir" H0 --config serve.conf --database history.sqlite; }

# calls MODE: prints the calls that were made in this mode, one line each: status, kind, level, text.
calls() { jq -r --arg mode "$1" 'select(.mode == $mode) | .body | "\(.status) \(.kind) \(.level) \(.text)"' calls; }
calls_are() { [[ $(calls "$1") == "$2" ]]; }
mails_are() { [[ $(find . -maxdepth 1 -name 'mail.*' | wc -l) == "$1" ]]; }
# peer_of NODE PORT: prints the other end of the cable.
peer_of() { ask "ports?name=$1&limit=100" | jq -r --argjson port "$2" '.ports[] | select(.port == $port) | .peer | "\(.name) port \(.port)"'; }
# count_errors NODE PORT NUMBER
count_errors() {
  printf 'PerformanceSet "%s"[%d] PortCounters.PortRcvErrors=%d\n' "$@" >settings
  set_counters "$dir" "$scratch/settings"
}
begin_daemon
sweeps_pass 3
[[ ! -s calls ]] || fail "calls for a fabric without faults: $(<calls)"

# ---- errors at a port: one call and one mail, however often the counter rises ----
for errors in 40 60 90; do
  count_errors L1 5 "$errors"
  sweeps_pass 2
done
cable="L1 port 5 - $(peer_of L1 5)"
first="opened errors bad $cable: receive errors (PortRcvErrors)"
eventually calls_are take "$first"
eventually mails_are 1
expect_equal 'request' "$(jq -r '"\(.path) \(.authorization)"' calls)" "/hook Bearer $(<token)"
expect_line mail.* '^-i ops@example.org $'
expect_line mail.* "^Subject: \[fabric\] $cable: receive errors .PortRcvErrors.$"
id=$(jq -r .body.id calls)
expect_equal 'page' "$(jq -r .body.url calls)" "https://monitor.example.org/#/incident/$id"

# ---- the receiver fails in every way: sweeps continue, and the status gives the reason ----
has_problem() { ask status | jq -e --arg text "$1" 'any(.problems[]; startswith("the webhook: 1 notification waiting: ") and contains($text))' >null; }
echo hang >mode
second="opened errors bad L2 port 4 - $(peer_of L2 4): receive errors (PortRcvErrors)"
count_errors L2 4 40
was_called() { grep -q "\"mode\": \"$1\"" calls; }
eventually was_called hang
sweeps_pass 5
for mode in flood redirect 503 401; do
  echo "$mode" >mode
  eventually was_called "$mode"
done
eventually has_problem 'HTTP status 401'
end_hook
eventually has_problem 'cannot be reached'
echo take >mode
expect_equal 'accepted calls' "$(calls take)" "$first"

# ---- after a restart, notifications are sent that were not sent before, and no others ----
end_daemon
begin_hook
configure "http://127.0.0.1:$hook_port/hook" >serve.conf
begin_daemon
eventually calls_are take "$first"$'\n'"$second"
no_problem() { ask status | jq -e '.problems == []' >null; }
eventually no_problem
end_daemon
begin_daemon
sweeps_pass 3
expect_equal 'calls after a restart' "$(calls take)" "$first"$'\n'"$second"

# ---- a refused call is not repeated ----
echo 400 >mode
count_errors L0 5 40
eventually grep -q "the webhook: notification '.*' was refused and will not be repeated: .*400" said
sweeps_pass 3
expect_equal 'refused calls' "$(calls 400 | wc -l)" 1
echo take >mode

# ---- the fault ends because its port is in maintenance: one call and one mail ----
: >calls
guid=$(ask 'nodes?name=L1' | jq -r '.nodes[0].guid')
printf '%s 5 2099-01-01 cable ordered\n' "$guid" >maintenance
end_daemon
configure "http://127.0.0.1:$hook_port/hook" '[verdicts]' "ignore_file = $scratch/maintenance" >serve.conf
mails=$(find . -maxdepth 1 -name 'mail.*' | wc -l)
begin_daemon
eventually calls_are take "cleared errors bad cleared: $cable: receive errors (PortRcvErrors)"
eventually mails_are "$((mails + 1))"
expect_equal 'id of the call' "$(jq -r .body.id calls)" "$id"
end_daemon
end_hook

# ---- TLS: a certificate that is not trusted is a problem, and there is no call ----
openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out certificate -days 2 -subj /CN=127.0.0.1 -addext 'subjectAltName = IP:127.0.0.1' 2>null
: >calls
begin_hook "$scratch/certificate" "$scratch/key"
configure "https://127.0.0.1:$hook_port/hook" >serve.conf
begin_daemon
sweeps_pass 3
count_errors L1 5 200
eventually has_problem 'certificate'
[[ ! -s calls ]] || fail "calls to a receiver that is not trusted: $(<calls)"
end_daemon
configure "https://127.0.0.1:$hook_port/hook" "ca_file = $scratch/certificate" >serve.conf
begin_daemon
eventually grep -q '"mode": "take"' calls
end_daemon

# ---- the URL may contain a secret, so nothing prints it ----
configure http://127.0.0.1:1/secret >serve.conf
expect 0 '^webhook = \(hidden\) ' "$monitor" serve --check-config --config serve.conf
! grep -q secret stdout stderr || fail "the URL was printed: $(what_was_said)"
begin_daemon
configure http://127.0.0.1:1/another_secret >serve.conf
kill -HUP "$daemon"
eventually grep -q 'SIGHUP: notifications.webhook = (hidden) takes effect after a restart; until then (hidden) is used' said
! grep -q secret said || fail "the URL was printed: $(<said)"
end_daemon

# ---- settings that contradict each other ----
# refuses REGEX LINE...
refuses() {
  printf '%s\n' '[notifications]' "${@:2}" >wrong.conf
  expect 2 "$1" "$monitor" serve --listen 127.0.0.1:0 --config wrong.conf
}
refuses 'webhook in .notifications. is not a URL' 'webhook = ftp://h/secret'
! grep -q secret stdout stderr || fail "the URL was printed: $(what_was_said)"
refuses "'-oQ/tmp' is not a mail address" 'mail_to = -oQ/tmp' "sendmail = $scratch/sendmail"
refuses 'needs both mail_to and sendmail' 'mail_to = a@b'
refuses 'sendmail in .notifications. must be a file that the monitor can run' 'mail_to = a@b' "sendmail = $scratch/token"
