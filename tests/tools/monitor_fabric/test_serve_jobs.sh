#!/usr/bin/env bash
# The daemon with a scheduler: jobs and tables are in the database and in the interface. If the scheduler does not answer, its jobs stay and
# are marked as stale, and the daemon continues.
# shellcheck source=tests/tools/monitor_fabric/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without curl

# A fake squeue that prints the content of the file `queue` with the prefix that its arguments request; without the file it fails.
mkdir bin
cat >bin/squeue <<END
#!/bin/sh
for format; do :; done
[ -e "$scratch/queue" ] || { echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1; }
sed "s,^,\${format%%|*}|," "$scratch/queue"
END
# A fake sacct that prints the content of the file `accounts` with the requested delimiter.
cat >bin/sacct <<END
#!/bin/sh
for option; do case \$option in --delimiter=*) mark=\${option#--delimiter=} ;; esac; done
[ -e "$scratch/accounts" ] || { echo 'Slurm accounting storage is disabled' >&2; exit 1; }
sed "s,|,\$mark,g" "$scratch/accounts"
END
chmod +x bin/squeue bin/sacct
begin=$(($(date +%s) - 100))
printf '4711|RUNNING|%d|NONE|h[0-1],H5,elsewhere|anna|a"b|c <x>\n4712|PENDING|N/A|NONE||bert|later\n' "$begin" >queue

make_tree 4 2 3 2 >tree.net
dir=$scratch/fabric
bring_up "$dir" "$scratch/tree.net"
configuration 'shared_hosts = H5' >serve.conf
PATH=$scratch/bin:$PATH serve "$dir" H0 --config serve.conf --database history.sqlite
has_jobs() { [[ $(ask jobs | jq .total) == 2 ]]; }
eventually has_jobs
expect_equal 'nodes of the job' "$(ask jobs/4711 | jq -c '[.job.name, .job.state, ([.job.nodes[].name] | sort), .job.unmatched]')" \
  '["a\"b|c <x>","RUNNING",["H0","H1","H5"],["elsewhere"]]'
eventually jobs_are_said fresh
# The cable of a host belongs to the job on the host; H5 also serves other jobs.
guid=$(ask 'nodes?name=H1' | jq -r '.nodes[0].guid')
users() { ask "links/$1/1/users" >users; }
eventually users "$guid"
expect_equal 'who uses the cable of H1' "$(jq -c '[.jobs[] | [.id, .evidence]]' users)" '[["4711","only user"]]'
eventually users "$(ask 'nodes?name=H5' | jq -r '.nodes[0].guid')"
check jq -e '.jobs[0].sure_low == 0 and (.jobs[0].wide_reason | test("serves other jobs"))' users >null

# A job that never ran has no links, which is not an error.
has_reason() { ask jobs/4712/links >links && jq -e '.links == [] and .timeline.time == [] and (.reason | test("did not run"))' links >null; }
eventually has_reason
expect 0 '' "$monitor" jobs -d history.sqlite --csv list.csv --json
check jq -e 'length == 2' "$scratch/stdout" >null
expect_line list.csv '^id,name,user,state,start,end,nodes,unmatched$'
expect_equal 'rows of jobs' "$(grep -c '^471[12],' list.csv)" 2
expect 2 'written twice' "$monitor" jobs -d history.sqlite --csv -

# ---- the scheduler stops answering, and answers again ----
rm queue
eventually jobs_are_said stale
expect_equal 'jobs of a scheduler that does not answer' "$(ask jobs | jq .total)" 2
ask status >answer
check jq -e 'any(.problems[]; test("jobs are stale.*Unable to contact"))' answer >null
expect_equal 'events' "$(ask 'events?kind=jobs_stale' | jq '.events | length')" 1
curl -sf -o health "$url/healthz" || fail 'the daemon is not healthy without a scheduler'
stale_line() { "$monitor" jobs -d history.sqlite >told && grep -q '^stale: slurm has not responded since' told; }
eventually stale_line
printf '4711|COMPLETED|%d|%d|h[0-1],H5,elsewhere|anna|a"b|c <x>\n' "$begin" "$(date +%s)" >queue
eventually jobs_are_said fresh
ended() { [[ $(ask jobs/4711 | jq -r '[.job.state, .job.end != null] | join(" ")') == 'COMPLETED true' ]]; }
eventually ended
# A pending job that is no longer listed never ran.
gone() { [[ $(ask jobs | jq .total) == 1 ]]; }
eventually gone

# ---- a job that ends while the daemon is down: its end comes from the accounting ----
accounting_is() { [[ $(ask status | jq -r .jobs.accounting) == "$1" ]]; }
accounting_is 'not asked' || fail "accounting: $(ask status | jq .jobs)"
printf '4713|RUNNING|%d|NONE|h2|anna|unseen\n' "$begin" >queue
is_listed() { [[ $(ask jobs/4713 | jq -r .job.state) == RUNNING ]]; }
eventually is_listed 2>null
end_daemon
if command -v sqlite3 >/dev/null; then
  sqlite3 history.sqlite 'UPDATE job_source SET seen_ms = seen_ms - 100000'
  : >queue
  printf '4713|COMPLETED|%d|%d|h2|anna|unseen\n' "$begin" "$((begin + 50))" >accounts
  PATH=$scratch/bin:$PATH serve "$dir" H0 --config serve.conf --database history.sqlite
  eventually accounting_is asked
  has_end() { [[ $(ask jobs/4713 | jq -r '[.job.state, .job.end / 1000] | join(" ")') == "COMPLETED $((begin + 50))" ]]; }
  eventually has_end 2>null
  end_daemon
fi
