#!/usr/bin/env bash
# No accepted part of the configuration is unused: the program uses each key, reads each configured file, and shows labels as node names
# everywhere.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl

# ---- each key is used outside the folder that parses the configuration ----
"$monitor" serve --check-config >whole
# Lines "SECTION KEY WORDS", where the words describe the values.
sed -nE 's/^\[(.*)\]$/\1/p; s/^(# )?([a-z0-9_]+) = .*\(([^()]*)\)$/ \2 \3/p' whole |
  awk '/^[a-z]/ { section = $1; next } { print section, $0 }' >keys
(($(wc -l <keys) > 60)) || fail "few keys: $(<keys)"
while read -r section key _; do
  grep -rqE --include='*.cpp' --include='*.h' --exclude-dir=configuration \
    "\\b($section|settings_?|limits_?|store|jobs)(\\.|->)$key\\b" "$PSSP_SOURCE_DIR/monitor" "$PSSP_SOURCE_DIR/tools/monitor_fabric" ||
    fail "no code uses $key of [$section]"
done <keys

# ---- each file is read: a missing file ends the daemon, or is a problem in the status ----
make_tree 2 2 2 1 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
awk '$3 ~ /FILE/ { print $1 "." $2 }' keys | sort >files
refused='cabling.plan_file fabric.labels fabric.mkey_file fabric.topology notifications.ca_file notifications.sendmail notifications.token_file server.token_file store.database verdicts.ignore_file'
said_as_problem='jobs.file verdicts.capacity_file'
expect_equal 'keys that name a file' "$(paste -sd ' ' files)" "$(tr ' ' '\n' <<<"$refused $said_as_problem" | sort | paste -sd ' ')"
for each in $refused; do
  printf '[%s]\n%s = /nonexistent/it\n' "${each%.*}" "${each#*.}" >one.conf
  status=0
  in_fabric "$dir" H0 "$monitor" serve --listen 127.0.0.1:0 --config one.conf >out 2>err || status=$?
  ((status != 0 && status < 64)) || fail "status $status with $each"
  expect_line err '/nonexistent/it'
done
cat >serve.conf <<END
[fabric]
labels = $scratch/labels
[server]
listen = 127.0.0.1:0
[sweep]
interval_s = 1
[jobs]
source = file
file = /nonexistent/jobs
[verdicts]
capacity_file = /nonexistent/capacity
END
guid_of() { in_fabric "$dir" H0 "$monitor" once --interval 0.1 --json | jq -r --arg name "$1" 'first(.ports[] | select(.name == $name)) | .guid'; }
switch=$(guid_of L0)
host=$(guid_of H3)
printf '# names\n%s "the <first> leaf"\n%s "renamed HCA-1"\n' "$switch" "$host" >labels
serve "$dir" H0 --config serve.conf --database history.sqlite
has_problem() { ask status | jq -e --arg file "$1" 'any(.problems[]; contains($file))' >null; }
for each in jobs capacity; do eventually has_problem "/nonexistent/$each"; done

# ---- labels ----
name_is() { [[ $(ask "nodes/$1" | jq -r .item.name) == "$2" ]]; }
name_is "$switch" 'the <first> leaf' || fail "the switch is $(ask "nodes/$switch")"
name_is "$host" 'renamed HCA-1' || fail "the host is $(ask "nodes/$host")"
ask 'ports?limit=1000' >ports
check jq -e '[.ports[] | .name, .peer.name] | (index("the <first> leaf") != null) and (index("L0") == null) and (index("L1") != null)' ports >null
curl -sf "$url/metrics" >page
check grep -q 'switch="the <first> leaf"' page
check grep -q 'uplink="renamed HCA-1"' page
! grep -q '"L0"' page || fail 'the metrics have the old name'
printf '%s "another"\n' "$switch" >labels
kill -HUP "$daemon"
eventually name_is "$switch" another
# A node without a label has its own name again.
eventually name_is "$host" H3
# Commands without a daemon get labels from the configuration or from an option.
names() { jq -r --arg guid "$switch" '[.ports[] | select(.guid == $guid) | .name] | unique[]'; }
expect_equal 'the name by once' "$(in_fabric "$dir" H0 "$monitor" once --interval 0.1 --node-name-map labels --json | names)" another
printf 'PerformanceSet "L0"[4] PortCounters.LinkDownedCounter=9\n' >settings
set_counters "$dir" "$scratch/settings"
printf 'LinkDownedCounter=1\n' >thresholds
bad_names() { in_fabric "$dir" H0 "$monitor" check --totals --thresholds thresholds "$@" --json | jq -r '[.verdicts[] | select(.level == "bad") | .name] | unique[]'; }
expect_equal 'the name by check' "$(bad_names --config serve.conf)" another
printf '%s "by hand"\n' "$switch" >other_labels
expect_equal 'the name by check with another file' "$(bad_names --config serve.conf --node-name-map other_labels)" 'by hand'
printf 'nonsense\n' >labels
kill -HUP "$daemon"
eventually grep -q 'SIGHUP: .*labels:1: .*the settings of .fabric. in use stay in force' said
name_is "$switch" another || fail 'a file that cannot be read took the names away'
end_daemon

# ---- new labels while the topology file is missing: the last map stays, and the daemon continues ----
in_fabric "$dir" H0 ibnetdiscover >fabric.topo
printf '%s "from a file"\n' "$switch" >labels
printf '[fabric]\ntopology = %s\nlabels = %s\n[server]\nlisten = 127.0.0.1:0\n[sweep]\ninterval_s = 1\n' "$scratch/fabric.topo" "$scratch/labels" >file.conf
serve "$dir" H0 --config file.conf --database file.sqlite
eventually name_is "$switch" 'from a file'
printf '%s "again"\n' "$switch" >labels
kill -HUP "$daemon"
eventually name_is "$switch" again
mv fabric.topo gone.topo
printf '%s "too late"\n' "$switch" >labels
kill -HUP "$daemon"
has_failed() { ask events | jq -e 'any(.events[]; .text | contains("fabric.topo"))' >null; }
eventually has_failed
name_is "$switch" again || fail 'a topology file that is gone took the names away'
end_daemon
