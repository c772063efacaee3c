#!/usr/bin/env bash
# Messages of deploy_tables if the process of opensm is wrong: which process was checked, why it is not opensm, and what to do.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
deploy=$PSSP_BUILD_DIR/bin/deploy_tables
[[ -x $deploy ]] || skip 'deploy_tables is not built'
cd "$scratch"
mkdir state
printf 'routing_engine file,minhop\n' >opensm.conf

# expects REGEX OPTION...: check-setup must print one line about the process, which matches.
expects() {
  expect 7 "$1" "${as[@]}" "$deploy" check-setup --state "$scratch/state" --opensm-conf "$scratch/opensm.conf" "${@:2}"
  expect_equal "lines from: ${*:2}" "$(grep -c -e '--opensm-pid' -e 'CAP_SYS_PTRACE' -e 'as the user that runs opensm' stdout)" 1
}
as=(env)
name_it='start opensm, or name its process with --opensm-pid, --pid-file or --unit$'
expects "^TO DO +process 4194303: no such process runs: $name_it" --opensm-pid 4194303
expects "^TO DO +process $$ runs .*bash and not opensm, and gets no signal: name opensm's process with --opensm-pid" --opensm-pid $$
echo 'not a number' >opensm.pid
expects "opensm.pid: expected the process ID of opensm, found 'not a number': $name_it" --pid-file opensm.pid
expects "no opensm runs in the systemd unit opensm@0x1.service: $name_it" --unit opensm@0x1.service

# A process that this user may not inspect; root without the capability is refused as well.
if ((EUID == 0)); then
  chmod 711 "$scratch"
  chown 65534 state
  cp "$deploy" deploy_tables
  deploy=$scratch/deploy_tables
  as=(setpriv --reuid 65534 --regid 65534 --clear-groups)
  expects "process $$: cannot see which program it runs: /proc/$$/exe: Permission denied: run pssp deploy as root, or as the user that runs opensm\$" \
    --opensm-pid $$
  if ! setpriv --bounding-set=-sys_ptrace --inh-caps=-sys_ptrace --reuid 0 true 2>/dev/null; then
    echo 'capabilities cannot be dropped here: the messages for root are not checked'
    exit
  fi
  setpriv --reuid 65534 --regid 65534 --clear-groups sleep 1000 &
  other=$!
  trap 'kill "$other" 2>/dev/null || true; clean_up' EXIT
  chown 0 state
  as=(setpriv --bounding-set=-sys_ptrace --inh-caps=-sys_ptrace)
  is_of_another_user() { [[ $(stat -c %u "/proc/$other") == 65534 && $(<"/proc/$other/comm") == sleep ]]; }
  eventually is_of_another_user
  expects "process $other: cannot see which program it runs: /proc/$other/exe: Permission denied: root needs the capability CAP_SYS_PTRACE for that" \
    --opensm-pid "$other"
fi
