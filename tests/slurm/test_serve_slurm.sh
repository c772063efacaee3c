#!/usr/bin/env bash
# The monitor with Slurm: its jobs are those of scontrol. When the controller is killed, the jobs remain but are marked stale, and
# the monitor keeps running. When the controller is back, the jobs are current, and a job that ended in between is shown as ended.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/../tools/monitor_fabric/common.sh"
# shellcheck source=tests/slurm/cluster.sh
. "$PSSP_SOURCE_DIR/tests/slurm/cluster.sh"
skip_without curl

stop_all() {
  if [[ -n ${controller-} ]] && kill -0 "$controller" 2>/dev/null; then end_jobs; fi
  end_slurm
  end_all
}
trap stop_all EXIT

make_tree 2 1 2 1 | sed 's/"H\([0-9]*\)"/"n\1"/g' >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
start_slurm
wide=$(submit 3 'wide <b>')
short=$(submit 1 short)
both_run() { [[ $(squeue --noheader --states=RUNNING --format %A | wc -l) == 2 ]]; }
wait_until both_run

# shellcheck disable=SC2119
configuration >serve.conf
serve "$dir" n0 --config serve.conf --database history.sqlite
jobs_are() { [[ $(ask jobs | jq -c '[.jobs[] | .id] | sort') == "[\"$wide\",\"$short\"]" ]]; }
eventually jobs_are_said fresh
eventually jobs_are

# as_scontrol JOB: state, user, start and nodes must be those of scontrol.
as_scontrol() {
  local found record nodes
  found=$(ask "jobs/$1" | jq -r '.job | [.state, .user, .start / 1000, ([.nodes[].name] | sort | join(" "))] | join("|")')
  record=$(SLURM_TIME_FORMAT=%s scontrol show job "$1")
  nodes=$(scontrol show hostnames "$(sed -n 's/^   NodeList=\(.*\)/\1/p' <<<"$record")" | sort | paste -sd ' ')
  expect_equal "job $1" "$found" "$(sed -n 's/^   JobState=\([A-Z_]*\) .*/\1/p' <<<"$record")|$(
    sed -n 's/^   UserId=\([^(]*\)(.*/\1/p' <<<"$record")|$(sed -n 's/^   StartTime=\([0-9]*\) .*/\1/p' <<<"$record")|$nodes"
}
as_scontrol "$wide"
as_scontrol "$short"
expect_equal 'name' "$(ask "jobs/$wide" | jq -r .job.name)" 'wide <b>'

# ---- the controller is killed ----
end_process "$controller"
unset 'started[0]'
eventually jobs_are_said stale
jobs_are || fail "jobs of a controller that is gone: $(ask jobs)"
ask status >answer
check jq -e 'any(.problems[]; test("jobs are stale"))' answer >null
sweep=$(jq .sweep answer)
goes_on() { (($(ask status | jq .sweep) > sweep + 1)); }
eventually goes_on
curl -sf -o health "$url/healthz" || fail 'the daemon is not healthy without a scheduler'
expect_equal 'events' "$(ask 'events?kind=jobs_stale' | jq '.events | length')" 1
expect 0 '^stale: slurm has not responded since' "$monitor" jobs -d history.sqlite

# ---- and is back ----
start_controller
answers() { squeue --noheader >/dev/null; }
wait_until answers
eventually jobs_are_said fresh
jobs_are || fail "jobs of a controller that is back: $(ask jobs)"
scancel "$short"
has_ended() { [[ $(ask "jobs/$short" | jq -r '[.job.state, .job.end != null] | join(" ")') == 'CANCELLED true' ]]; }
eventually has_ended
as_scontrol "$wide"
expect_equal 'events' "$(ask 'events?kind=jobs_fresh' | jq '.events | length')" 1
end_daemon
