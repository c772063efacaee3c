#!/usr/bin/env bash
# Measures the effect of events elsewhere on a running job, by engine, with and without OpenSM's cache of unicast routes.
# shellcheck source=benchmarks/dry_runs.sh
. "$(dirname "$(readlink -f "$0")")/dry_runs.sh"
# shellcheck source=ibsim_harness/living.sh
. "$benchmarks_dir/../ibsim_harness/living.sh"

usage() {
  cat <<'EOT'
usage: reroute_impact.sh [--long] [--events K] [--kinds A,B] [--trials A,B] [--orders N] [--rows FILE] [--plot FILE.svg] [--out FOLDER] [SPEC]

Repeats the experiment of figure 3.16 of "OpenSM analysis and INAM" on ibsim. Every third host of a fabric (SPEC as for make_topo, or the name of a
topology file; default: k-ary-n-tree 6 3) belongs to a job that runs an all-to-all. One after the other, K events occur that affect no host of the job,
and a stock opensm reroutes the fabric.

  --long           8 events per kind, engines of OpenSM also with +cache, and 100 random orders; takes an hour instead of minutes
  --events K       events of each kind (default: 2)
  --kinds A,B      kinds of events (default: all): sighup; link: a link between switches fails; back: these links return in reverse order;
                   switch: a switch without hosts fails; host: a host outside the job fails
  --trials A,B     engines, with suffix +cache for use_ucast_cache or +stable for stable=on
                   (default: minhop, ftree, dfsssp, pssp, pssp+stable, best, best+stable)
  --orders N       random orders of writes (default: 20)
  --rows FILE      write one line of tab-separated values per event
  --plot FILE.svg  draw the times of the all-to-alls
  --out FOLDER     keep tables, topologies, orders of writes and reports

Prints a table with one line per engine and kind of event. Figures are means over the events unless stated otherwise:
  packets          management packets that opensm sent until it had settled, counted by the relay of the tests
  blocks           blocks of tables that opensm wrote
  written          milliseconds from the event to the last block
  moved, no route, loop
                   flows of the job that changed their path, that temporarily had no route, or that were in a loop
  for, for         longest time in milliseconds that a flow had no route or was in a loop, according to the times of the writes
  random           flows of all hosts in a loop in the worst random order of writes (maximum over the events)
  credit           number of blocks after whose write the tables had a credit loop
  alltoall k=..    time of the job's all-to-all (shifts, hosts by GUID) after k events, computed by eval_lft, relative to full bandwidth
  during           longest such time while 0, 1/4, 1/2 and 3/4 of the blocks are written, for the flows that arrive (maximum over the events)
EOT
}

events=2 orders=20 keep='' rows='' picture='' spec='k-ary-n-tree 6 3' kinds=sighup,link,back,switch,host
trials=minhop,ftree,dfsssp,pssp,pssp+stable,best,best+stable
while (($# > 0)); do
  case $1 in
    -h | --help) usage && exit 0 ;;
    --long) events=8 orders=100 trials=minhop,ftree,dfsssp,minhop+cache,ftree+cache,dfsssp+cache,${trials#*,*,*,} && shift ;;
    --events) events=$2 && shift 2 ;;
    --kinds) kinds=$2 && shift 2 ;;
    --trials) trials=$2 && shift 2 ;;
    --orders) orders=$2 && shift 2 ;;
    --rows) rows=$2 && shift 2 ;;
    --plot) picture=$2 && shift 2 ;;
    --out) keep=$2 && shift 2 ;;
    -*) usage >&2 && exit 2 ;;
    *) spec=$1 && shift ;;
  esac
done
[[ $events =~ ^[1-9][0-9]*$ ]] || {
  usage >&2
  exit 2
}
need_tool jq jq
need_tool ibnetdiscover infiniband-diags
recorder=$PSSP_BUILD_DIR/tests/mad_recorder
[[ -x $recorder ]] || {
  echo "${0##*/}: $recorder is not built; the benchmark needs this relay of the tests (cmake --preset dev builds it)" >&2
  exit 2
}
own_children
trap 'end_children; rm -rf "$scratch"' EXIT
take_fabric "$spec"

# ---- parts that fail, and the hosts of the job, by their ids in the topology file ----
# nodes KIND: prints id and description of each node of this kind.
nodes() { awk -v kinds="^($1)" '$0 ~ kinds { split($0, part, "\""); print part[2] "\t" (part[4] != "" ? part[4] : part[2]) }' "$topology"; }
# some COUNT: prints COUNT random lines, always the same.
some() { shuf --random-source=<(yes) | sed -n "1,$1p"; }
nodes 'Hca|Ca' >"$scratch/hosts"
awk 'NR % 3 == 1' "$scratch/hosts" | cut -f 2 >"$scratch/job"
awk 'NR % 3 != 1' "$scratch/hosts" | cut -f 1 | some "$events" >"$scratch/host.list"
awk '/^(Switch|Hca|Ca)/ { at = $3 } /^Switch/ { name[++n] = at } /^\[/ && $2 ~ /"H/ { hosts[at] = 1 }
  END { for (i = 1; i <= n; i++) if (!(name[i] in hosts)) print name[i] }' "$topology" | tr -d '"' | some "$events" >"$scratch/switch.list"
awk '/^Switch/ { is_switch[$3] = 1 } /^(Switch|Hca|Ca)/ { at = $3 } /^\[/ { cable[++n] = at substr($1, 1, index($1, "]")) " " $2; from[n] = at }
  END { for (i = 1; i <= n; i++) { split(cable[i], end, " "); far = end[2]; sub(/\[.*/, "", far)
    if (from[i] in is_switch && far in is_switch && from[i] < far) print end[1], substr(end[2], 1, index(end[2], "]")) } }' \
  "$topology" | some "$events" >"$scratch/link.list"
for kind in ${kinds//,/ }; do
  case $kind in
    link | back | switch | host)
      (($(wc -l <"$scratch/${kind/back/link}.list") == events)) || {
        echo "${0##*/}: $spec has too few switches, links or hosts for $events events of kind $kind" >&2
        exit 2
      }
      ;;
    sighup) ;;
    *) usage >&2 && exit 2 ;;
  esac
done

# ---- a stock opensm, connected through the relay ----
clock() { date +%s%6N; }

# begin_opensm DIR TRIAL: starts opensm on the relay and leaves it running. ibnetdiscover and the console of ibsim bypass the
# relay.
begin_opensm() {
  local dir=$1 engine=${2%%+*} options='' own tries
  : >"$dir/extra"
  [[ $2 != *+cache* ]] || echo 'use_ucast_cache TRUE' >"$dir/extra"
  options=stable=off
  [[ $2 != *+stable* ]] || options='stable=on stable_state=off'
  start_simulation_with_console "$dir" "$topology"
  own=$(<"$dir/state/socket")
  start_child "$recorder" --log "$dir/packets" --table-writes "$dir/writes" --clock --timeout 200 "$own" "$own-relay" 2>"$dir/relay.err"
  until has_socket "$own-relay"; do sleep 0.05; done
  printf '%s\n' "$own-relay" >"$dir/state/socket"
  write_opensm_conf "$dir" "$engine" "$options" "$dir/extra"
  prepare_opensm "$dir" "$engine" stay -D 0x47
  start_child "${opensm_command[@]}" >"$dir/opensm.out" 2>&1
  opensm_pid=$child_pid
  for ((tries = 0; tries < 1200; tries++)); do
    if subnet_is_up "$dir"; then break; fi
    sleep 0.1
  done
  require_engine "$dir" "$engine"
  printf '%s\n' "$own" >"$dir/state/socket"
  sweep "$dir" ''
}

# sweep DIR COMMAND: lets ibsim execute COMMAND unless it is empty, triggers a sweep of opensm, and waits until opensm has
# settled.
sweep() {
  local before
  before=$(sweep_counts "$1")
  [[ -z $2 ]] || printf '%s\n' "$2" >&"$console"
  sleep 0.2
  kill -HUP "$opensm_pid"
  wait_until_settled "$1" "$before" 5 120
}

# command_of KIND NUMBER: prints the ibsim command for an event.
command_of() {
  local from to
  case $1 in
    host | switch) sed -n "$2{s/.*/Unlink \"&\"/p}" "$scratch/$1.list" ;;
    link) sed -n "$2{s/ .*//;s/^/Unlink /p}" "$scratch/link.list" ;;
    back)
      read -r from to < <(sed -n "$((events + 1 - $2))p" "$scratch/link.list")
      printf 'Link %s %s\n' "$from" "$to"
      ;;
  esac
}

# ---- measurements ----
# take DIR NAME: saves the current tables and topology, and the topology restricted to the job's hosts.
take() {
  cp "$1/osm/opensm-lfts.dump" "$1/$2.lft"
  attach_to "$1"
  "${in_simulation[@]}" ibnetdiscover >"$1/$2.topo" 2>"$1/ibnetdiscover.err"
  translate job "$scratch/job" "$1/$2.topo" "$1/$2.topo" >"$1/$2.job.topo"
}
# translate TASK ARGUMENT...: runs a task of reroute_impact.awk.
translate() { awk -v task="$1" -f "$benchmarks_dir/reroute_impact.awk" "${@:2}"; }

# alltoall TABLES TOPOLOGY: prints the time of an alltoall relative to full bandwidth.
alltoall() {
  "$PSSP_BUILD_DIR/bin/eval_lft" --ptrn shifts --no-shuffle --num-runs 1 --subset guid_asc --metric sum_max_cong --json "$1" "$2" \
    2>>"$scratch/warnings" | jq '.sum_max_cong.mean / .levels'
}

# during DIR BEFORE AFTER ORDER: prints the longest time of the alltoall while the blocks are written.
during() {
  local quarter written blocks
  blocks=$(wc -l <"$4")
  if ((blocks == 0)); then
    alltoall "$1/$3.lft" "$1/$3.job.topo"
    return
  fi
  for quarter in 0 1 2 3; do
    written=$((blocks * quarter / 4))
    translate mixture -v "written=$written" "$4" "$1/$2.lft" "$1/$3.lft" >"$1/mixture.lft"
    alltoall "$1/mixture.lft" "$1/$3.job.topo"
  done | sort -g | tail -n 1
}

# impact DIR BEFORE AFTER SUFFIX [OPTION...]: runs reroute_impact between the two states, for all hosts, or for the job's hosts if
# SUFFIX is .job.
impact() {
  local dir=$1 before=$2 after=$3 suffix=$4
  shift 4
  "$PSSP_BUILD_DIR/bin/reroute_impact" "$dir/$before.lft" "$dir/$after.lft" "$dir/$before$suffix.topo" \
    --after-topology "$dir/$after$suffix.topo" --json "$@" 2>>"$scratch/warnings"
}

# report DIR TRIAL KIND NUMBER BEFORE AFTER SINCE PACKETS: adds a row. SINCE is the time of the event; earlier writes are ignored.
report() {
  local dir=$1 before=$5 after=$6 order=$1/$6.order
  translate order -v "since=$7" "$dir/writes" "$dir/$after.topo" >"$order"
  impact "$dir" "$before" "$after" '' --order "$order" --orders "$orders" >"$dir/$after.json"
  impact "$dir" "$before" "$after" .job --order "$order" >"$dir/$after.job.json"
  jq -r --slurpfile job "$dir/$after.job.json" --arg trial "$2" --arg kind "$3" --argjson number "$4" --argjson packets "$8" \
    --argjson at_worst "$(during "$dir" "$before" "$after" "$order")" --argjson at_last "$(alltoall "$dir/$after.lft" "$dir/$after.job.topo")" '
    $job[0] as $job | .in_between[0] as $all | $job.in_between[0] as $in_between
    | [$trial, $kind, $number, $packets, .tables.entries, .tables.blocks, .tables.switches, $all.last_ms // 0, $job.flows.moved,
      $job.flows.lost, $in_between.no_route.flows, $in_between.no_route.longest_ms // 0, $in_between.loop.flows,
      $in_between.loop.longest_ms // 0, ([.in_between[1:][].loop.flows] | max), $all.credit_loop.writes, $at_last, $at_worst] | @tsv' \
    "$dir/$after.json" >>"$scratch/rows"
}

# try TRIAL KIND...: measures the events of these kinds, in this order, with one opensm.
try() {
  local trial=$1 dir=$scratch/$1-$2 kind number before=start after since known
  shift
  mkdir -p "$dir"
  begin_opensm "$dir" "$trial"
  take "$dir" start
  for kind; do
    # The row of event 0 has the time of the alltoall before any event.
    printf '%s\t%s\t0%s\t%s\t-\n' "$trial" "$kind" "$(printf '\t-%.0s' {1..13})" "$(alltoall "$dir/$before.lft" "$dir/$before.job.topo")" >>"$scratch/rows"
    for ((number = 1; number <= events; number++)); do
      after=$kind$number
      known=$(wc -l <"$dir/packets")
      since=$(clock)
      sweep "$dir" "$(command_of "$kind" "$number")"
      known=$(($(wc -l <"$dir/packets") - known))
      take "$dir" "$after"
      report "$dir" "$trial" "$kind" "$number" "$before" "$after" "$since" "$known"
      before=$after
    done
  done
  end_process "$opensm_pid"
  end_children
  if [[ -n $keep ]]; then
    mkdir -p "$keep/$trial"
    cp "$dir"/*.lft "$dir"/*.topo "$dir"/*.json "$dir"/*.order "$dir/opensm.log" "$keep/$trial"
  fi
}

: >"$scratch/rows"
for trial in ${trials//,/ }; do
  for kind in ${kinds//,/ }; do
    together=("$kind")
    # A link can return only after it has failed.
    [[ $kind != link || ,$kinds, != *,back,* ]] || together=(link back)
    [[ $kind != back || ,$kinds, != *,link,* ]] || continue
    [[ $kind != back || ,$kinds, == *,link,* ]] || together=(link back)
    printf '%s: %s, %s\n' "${0##*/}" "$trial" "${together[*]}" >&2
    (try "$trial" "${together[@]}") || echo "${0##*/}: $trial, ${together[*]}: measurement failed" >&2
  done
done

# ---- the table ----
heads='engine kind event packets entries blocks switches written_ms moved lost no_route no_route_ms loop loop_ms loop_random credit_loop alltoall during'
[[ -z $rows ]] || {
  tr ' ' '\t' <<<"$heads"
  cat "$scratch/rows"
} >"$rows"
awk -F '\t' -v events="$events" '
  BEGIN {
    columns[1] = 0
    for (k = 1; k < events; k *= 2) columns[++shows + 1] = k
    columns[++shows + 1] = events
    printf "| engine | event | packets | blocks | written | moved | no route | for | loop | for | random | credit |"
    for (i = 1; i <= shows + 1; i++) printf " %s%d |", i == 1 ? "alltoall k=" : "k=", columns[i]
    printf " during |\n|"
    for (i = 1; i <= 14 + shows; i++) printf "---|"
    print ""
  }
  { key = $1 FS $2 }
  !(key in seen) { seen[key] = 1; keys[++count] = key }
  { alltoall[key, $3] = $17 }
  $3 > 0 {
    ++number[key]
    for (i = 4; i <= 16; i++) sum[key, i] += $i
    if ($15 > random[key]) random[key] = $15
    if ($18 > during[key]) during[key] = $18
  }
  END {
    for (k = 1; k <= count; k++) {
      key = keys[k]
      split(key, part, FS)
      n = number[key] ? number[key] : 1
      printf "| %s | %s | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |", part[1], part[2], sum[key, 4] / n, sum[key, 6] / n,
        sum[key, 8] / n, sum[key, 9] / n, sum[key, 11] / n, sum[key, 12] / n, sum[key, 13] / n, sum[key, 14] / n, random[key], sum[key, 16] / n
      for (i = 1; i <= shows + 1; i++) printf " %.2f |", alltoall[key, columns[i]]
      printf " %.2f |\n", during[key]
    }
  }' "$scratch/rows"

# ---- the picture: one panel per kind of event, as in figure 3.16 ----
[[ -n $picture ]] || exit 0
need_tool gnuplot gnuplot-nox
cp "$scratch/rows" "$scratch/rows.tsv"
panels=0
for kind in ${kinds//,/ }; do
  [[ $kind == sighup ]] || ((++panels))
done
{
  printf 'set terminal svg size %d,360 font "sans,11" background "white"\nset output "picture.svg"\nset multiplot layout 1,%d\n' "$((330 * panels + 150))" "$panels"
  printf 'set datafile separator "\t"\nset xlabel "events"\nset xrange [-0.2:%d.2]\nset xtics 1\nset grid\nset yrange [0:*]\n' "$events"
  printf 'set ylabel "time of the alltoall (1: full bandwidth)"\nset key bottom left\n'
  for kind in ${kinds//,/ }; do
    [[ $kind != sighup ]] || continue
    printf 'set title "%s"\nplot ' "$kind"
    first=''
    for trial in ${trials//,/ }; do
      [[ $trial != *+cache ]] || continue
      printf '%s"< grep -P '"'^%s\\\\t%s\\\\t'"' rows.tsv" using 3:17 with linespoints title "%s"' "$first" "${trial//+/[+]}" "$kind" "$trial"
      first=', '
    done
    echo
  done
} >"$scratch/picture.gnuplot"
(cd "$scratch" && gnuplot picture.gnuplot)
cp "$scratch/picture.svg" "$picture"
