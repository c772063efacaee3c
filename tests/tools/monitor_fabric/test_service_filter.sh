#!/usr/bin/env bash
# The daemon can do all of its work with the system calls that its unit allows: history, jobs of a scheduler, advice, capacities,
# a recording, pages, a new configuration, notifications by webhook and mail.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl python3 systemd-analyze
filter=$PSSP_BUILD_DIR/tests/under_filter
[[ -x $filter ]] || skip 'under_filter is not built: libseccomp-dev is missing'
unit=$PSSP_SOURCE_DIR/monitor/systemd/monitor_fabric.service.in

# ---- the system calls that the unit allows ----
# calls_of NAME: prints the calls of a group, or the call itself.
calls_of() {
  local line
  if [[ $1 != @* ]]; then
    printf '%s\n' "$1"
    return
  fi
  systemd-analyze --no-pager syscall-filter "$1" | sed -n 's/^ *\([@a-z_0-9-]*\)$/\1/p' | while read -r line; do
    [[ $line == "$1" ]] || calls_of "$line"
  done
}
# Applies the lines of the unit one after the other; lines with ~ remove calls.
: >allowed
while read -r line; do
  for each in ${line#\~}; do calls_of "$each"; done | sort -u >group
  if [[ $line == '~'* ]]; then comm -23 allowed group >next; else sort -u allowed group >next; fi
  mv next allowed
done < <(sed -n 's/^SystemCallFilter=//p' "$unit")
(($(wc -l <allowed) > 200)) || fail "the unit allows $(wc -l <allowed) calls"
action='kill'
if grep -qx 'SystemCallErrorNumber=EPERM' "$unit"; then action=1; fi
if "$filter" "$action" chroot / true <allowed 2>err; then fail 'the filter refuses nothing'; fi
"$filter" "$action" true <allowed || fail 'no program runs under the filter'

# ---- the daemon with all of its threads ----
make_tree 4 2 3 2 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
echo take >mode
: >calls
# shellcheck disable=SC2119  # without a certificate
begin_hook
trap 'end_hook 2>"$scratch/null"; end_all' EXIT
mkdir bin
cat >bin/squeue <<END
#!/bin/sh
for format; do :; done
echo "\${format%%|*}|4711|RUNNING|$(($(date +%s) - 100))|NONE|h[0-1]|anna|job"
END
cat >bin/monitor_under_filter <<END
#!/bin/sh
exec "$filter" $action "$monitor" "\$@" <"$scratch/allowed"
END
cat >bin/sendmail <<END
#!/bin/sh
cat >"$scratch/mail"
END
chmod +x bin/squeue bin/sendmail bin/monitor_under_filter
unfiltered=$monitor
monitor=$scratch/bin/monitor_under_filter
printf '%032d\n' 1 >token
chmod 600 token
: >maintenance
cat >serve.conf <<END
[sweep]
interval_s = 1
[server]
listen = 127.0.0.1:0
token_file = $scratch/token
[jobs]
source = slurm
poll_s = 1
[verdicts]
capacity_file = $scratch/capacities
ignore_file = $scratch/maintenance
[notifications]
webhook = http://localhost:$hook_port/hook
mail_to = ops@example.org
sendmail = $scratch/bin/sendmail
delay_s = 0
END
with_token() { curl -sf --compressed -H "Authorization: Bearer $(<token)" "$@"; }
ask() { with_token "$url/api/v1/$1"; }
sweep_is_behind() { [[ $(ask status | jq ".sweep >= $1") == true ]]; }
PATH=$scratch/bin:$PATH serve "$dir" H0 --config serve.conf --database history.sqlite
eventually jobs_are_said fresh 2>null
eventually sweep_is_behind 3
# A name in the URL of the webhook is resolved, which needs system calls of its own.
printf 'PerformanceSet "L1"[5] PortCounters.PortRcvErrors=40\n' >settings
set_counters "$dir" "$scratch/settings"
eventually test -s calls
eventually test -s mail
# The advice thread has a lower priority.
expect_equal 'threads at a lower priority' "$(cut -d ' ' -f 19 "/proc/$daemon"/task/*/stat | grep -cx 10)" 1
ask 'advice?engines=pssp' >null
is_made() { ask advice | jq -e '.running == false and (.made != null or .problem != null)' >null; }
eventually is_made
with_token -X POST "$url/api/v1/recordings?name=run" >null
eventually sweep_is_behind "$(($(ask status | jq .sweep) + 2))"
with_token -X POST "$url/api/v1/recordings/end" >null
expect_equal 'recordings' "$(ask recordings | jq .total)" 1
sed -i 's/interval_s = 1/interval_s = 2/' serve.conf
kill -HUP "$daemon"
eventually grep -q 'sweep.interval_s is now 2' said
kill -USR1 "$daemon"
for page in metrics healthz '' api/v1/topology api/v1/verdicts; do
  with_token -o page "$url/$page" || fail "no answer: /$page"
done
curl -sN -m 200 -H "Authorization: Bearer $(<token)" "$url/api/v1/stream" >stream &
streaming=$!
eventually grep -q '^: welcome' stream
builtin kill "$streaming"
wait "$streaming" || true
[[ -s capacities ]] || fail 'no capacities are written'
expect_equal 'state of the history' "$(ask status | jq -r .database.state)" writing
end_daemon
"$unfiltered" jobs -d history.sqlite >told
expect_line told '^4711 '
