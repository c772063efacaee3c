#!/usr/bin/env bash
set -euo pipefail
campaign_dir=$(dirname "$(readlink -f "$0")")
# shellcheck source=ibsim_harness/simulation.sh
. "$campaign_dir/../../ibsim_harness/simulation.sh"
# shellcheck source=tests/campaign/managers.sh
. "$campaign_dir/managers.sh"
# shellcheck source=tests/campaign/checks.sh
. "$campaign_dir/checks.sh"

usage() {
  cat <<'EOF2'
usage: campaign.sh --topo FILE [options]

Injects faults into a fabric that ibsim simulates and that the stock opensm
routes with our plugin: links fail and return, switches lose power, hosts move,
ports flap during a sweep, subnet managers die, take over and hand over, and
opensm.conf gets changes and invalid options. With --about managers, most events
affect the subnet managers: deaths, restarts, changed priorities, simultaneous
starts. After each event, the script waits until opensm has settled, and checks
that a route exists between every two hosts that are still connected. The
campaign ends after the first event whose check fails.

  --topo FILE        ibnetdiscover output or an ibsim net file
  --engine LIST      engines, in the format of opensm -R (default: pssp)
  --events N         number of events (default: 50)
  --seed S           seed of the events (default: 1)
  --first N          begin with event N, in the state after event N-1
                     (default: 1)
  --about THEME      subject of most events, fabric or managers
                     (default: fabric)
  --managers N       subnet managers, 1 or 2 (default: 2)
  --samples N        pairs of hosts that saquery and ibtracert check after each
                     event (default: 3)
  --set NAME=VALUE   option for our engines; may be repeated
  --conf FILE        file with additional lines for opensm.conf
  --opensm OPTION    option of opensm's command line; may be repeated
  --out DIR          folder of logs and results (default: a new folder in ./out)
  -h, --help         print this text

Prints one line per event, and a summary. DIR contains summary.json, events.tsv,
plan.txt and the logs. PSSP_BUILD_DIR is the folder of the build (default: build,
build-dev or build-minimal).

Exit codes: 0 all checks passed, 1 a check failed (the event and the command that
repeats it are printed), 2 usage, 3 unreadable topology, 8 DIR cannot be written,
20 a tool is missing, 21 ibsim or opensm failed.
EOF2
}

# ---- arguments ----

parse_arguments() {
  topology='' engine=pssp events=50 seed=1 first=1 manager_count=2 samples=3 plugin_options='' out='' extra='' theme=fabric
  opensm_options=()
  local value
  while (($# > 0)); do
    case $1 in
      -h | --help)
        usage
        exit 0
        ;;
      --topo | --engine | --events | --seed | --first | --about | --managers | --samples | --set | --conf | --opensm | --out)
        value=$(option_value "$1" $# "${2:-}")
        ;;
      *) die "$exit_usage" "unknown argument '$1'; see --help" ;;
    esac
    case $1 in
      --events | --seed | --first | --managers | --samples) require_number "$1" "$value" ;;
    esac
    case $1 in
      --topo) topology=$value ;;
      --engine) engine=$value ;;
      --events) events=$value ;;
      --seed) seed=$value ;;
      --first) first=$value ;;
      --about) theme=$value ;;
      --managers) manager_count=$value ;;
      --samples) samples=$value ;;
      --set) plugin_options+="${plugin_options:+ }$value" ;;
      --conf) extra=$value ;;
      --opensm) opensm_options+=("$value") ;;
      --out) out=$value ;;
    esac
    shift 2
  done
  [[ -n $topology ]] || die "$exit_usage" "--topo FILE is missing; see --help"
  ((manager_count == 1 || manager_count == 2)) || die "$exit_usage" "--managers $manager_count: expected 1 or 2"
  [[ $theme == fabric || $theme == managers ]] || die "$exit_usage" "--about $theme: expected fabric or managers"
  [[ -f $topology && -r $topology ]] || die "$exit_input" "topology '$topology' is not a readable file"
  [[ -z $extra || (-f $extra && -r $extra) ]] || die "$exit_input" "--conf '$extra' is not a readable file"
}

# ---- failure ----

# Prints the failure and returns 1; the caller then calls give_up. The folder is kept unchanged.
broken() {
  {
    printf 'event %s (%s, %s): %s\n' "$number" "$kind" "$what" "$1"
    printf 'state: %s\n' "$state"
  } | tee "$out/failure.txt" >&2
  return 1
}

give_up() {
  local repeat="campaign.sh --topo $topology --engine $engine --seed $seed --about $theme --managers $manager_count"
  print_line "FAILED in event $number; logs are in $out; to repeat only this event: \`$repeat --first $((number > 0 ? number : 1)) --events 1\`;" \
    "to repeat the campaign up to this event: \`$repeat --events $number\`"
  exit 1
}

# ---- steps of the plan ----

configuration=  # lines that the plan adds to opensm.conf

# Starts the managers that are not running. A running manager remains the master. Otherwise the first becomes the master before
# the second starts.
start_managers() {
  local i before=()
  configuration=
  for ((i = 1; i <= managers; i++)); do
    priority[i]=$((16 - i))
  done
  for ((i = 1; i <= managers; i++)); do
    [[ -z ${manager_pid[i]} ]] || priority[i]=15 priority[3 - i]=14
  done
  follow_all
  before=("${heavy_begun[@]}")
  set_polling "$polling_rarely"
  # A new priority is in effect when the master has begun to sweep; a manager that starts earlier would become the master.
  # Managers must not be suspended in a sweep, because answers to their requests might be lost.
  for ((i = 1; i <= managers; i++)); do
    [[ -n ${manager_pid[i]} && ${sm_state[i]} == MASTER ]] || continue
    until_true "$settle_limit" "no sweep began after SIGHUP" has_begun_sweep "$i" "${before[i - 1]}" || return 1
    settle || return 1
  done
  for ((i = 1; i <= managers; i++)); do
    [[ -n ${manager_pid[i]} ]] || start_manager "$i" || return 1
    until_true "$settle_limit" "the subnet did not come up" has_master || return 1
  done
}

stop_managers() {
  local i
  for ((i = managers; i >= 1; i--)); do stop_manager "$i" TERM || return 1; done
}

# Changes lines of opensm.conf and sends SIGHUP. opensm must also work if the file is missing.
configure() {
  local i
  configuration=$1
  for ((i = 1; i <= managers; i++)); do
    if [[ $configuration == missing-file ]]; then
      rm -f "$out/manager$i/opensm.conf"
    else
      write_conf "$i" "$configuration"
    fi
    [[ -z ${manager_pid[i]} ]] || kill -HUP "${manager_pid[i]}"
  done
}

# Triggers a sweep after ibsim has executed all earlier commands.
sweep_what_is_there() {
  sync_console || return 1
  begin_sweep
}

# steal_lid PLUG ADAPTER: gives the adapter at PLUG the LID that ADAPTER had in the last discovered fabric.
steal_lid() {
  local lid
  lid=$(lid_in_found_fabric "$2")
  [[ -z $lid ]] || send "Baselid $1 $lid"
}

stop_master() {
  configuration=
  set_polling "$polling_often"
  until_true "$settle_limit" "the managers did not elect one master" has_master || return 1
  stop_manager "$master" "$1"
}

# Ends the master with the signal and starts it again while its standby polls too rarely to notice. It must become the master
# again without any change of tables: LIDs are in guid2lid, and tables are in the state file or a function of the fabric.
restart_master() {
  configuration=
  set_polling "$polling_rarely"
  until_true "$settle_limit" "the managers did not elect one master" has_master || return 1
  local old=$master
  cp "$out/routing.lft" "$out/before.lft" 2>/dev/null || true
  stop_manager "$old" "$1" || return 1
  let_ibsim_miss "$old"
  start_manager "$old" || return 1
  until_true "$settle_limit" "the subnet did not come up after a restart" has_master || return 1
  ((master == old)) || {
    broken "manager $old was restarted, but manager $master is the master"
    return 1
  }
  must_be_same=$out/before.lft
}

# let_ibsim_miss MANAGER: ibsim notices that a client was killed only when something is sent to it. It then removes the subnet
# manager mark (IsSM) from the client's port, even if a new client is attached there. So this function sends a request before the
# new client starts.
let_ibsim_miss() {
  local lid
  ((managers == 2)) || return 0
  lid=$(lid_in_found_fabric "${hosts[$1 - 1]}")
  attach_to "$out/manager$((3 - $1))"
  signal_others "$1" STOP
  timeout 2 "${in_simulation[@]}" sminfo -t 200 "$lid" >>"$out/sminfo.out" 2>&1 || true
  signal_others "$1" CONT
}

# start_together PREFERRED: starts both managers, with the first or the second preferred by its priority, or (0) with equal
# priorities, so that the lower GUID, which is the first's, decides. The manager that must become the master starts first and is
# suspended during discovery until the other one begins, because of a limitation of ibsim (docs/explanation/campaign.md).
start_together() {
  local i ahead=$(($1 == 2 ? 2 : 1))
  configuration=
  for ((i = 1; i <= managers; i++)); do
    priority[i]=$((i == $1 ? 14 : 13))
  done
  polling=$polling_rarely
  start_manager "$ahead" || return 1
  start_manager "$((3 - ahead))" || return 1
  until_true "$settle_limit" "two managers that started together did not agree on one master" has_master || return 1
  ((master == ahead)) || broken "expected manager $ahead to be the master, but manager $master is"
}

has_master() {
  master=$(find_master)
  [[ -n $master ]]
}

# With equal priorities the manager with the lower GUID, which is the first, is the master.
prefer_standby() {
  configuration=
  until_true "$settle_limit" "the managers did not elect one master" has_master || return 1
  old_master=$master
  priority[old_master]=$((priority[3 - old_master] - (old_master == 1)))
  set_polling "$polling_rarely"
  until_true "$settle_limit" "the master did not hand over" has_handed_over
}

has_handed_over() { has_master && ((master != old_master)); }

# Starts only the first manager, with wrong event_plugin_options: an engine of ours must still route.
start_badly() {
  local start_options=$1 used
  start_manager 1 || return 1
  until_true "$settle_limit" "the subnet did not come up with invalid options" has_master || return 1
  settle || return 1
  used=$(used_engine "$out/manager1")
  is_ours "$used" || broken "engine $used routed with the invalid options '$1'; expected one of $engine"
}

do_step() {
  local word=$1 one=${2:-} two=${3:-}
  case $word in
    send) send "$one" ;;
    pause) sleep "$((one / 1000)).$(printf '%03d' $((one % 1000)))" ;;
    sweep) sweep_what_is_there ;;
    settle) settle ;;
    configure) configure "$one" ;;
    steal) steal_lid "$one" "$two" ;;
    stop-master) stop_master "$one" ;;
    restart-master) restart_master "$one" ;;
    start-together) start_together "$one" ;;
    start-managers) start_managers ;;
    stop-managers) stop_managers ;;
    start-badly) start_badly "$one" ;;
    prefer-standby) prefer_standby ;;
    mark-manager) mark_manager "$one" ;;
    poll-often) set_polling "$polling_often" ;;
    poll-rarely) set_polling "$polling_rarely" ;;
    both-masters) until_true "$settle_limit" "not every half of the fabric got a master" are_both_masters ;;
    *) die "$exit_simulation" "plan.txt has the unknown step '$word'" ;;
  esac
}

# ---- events ----

# Prints the progress if standard error is a terminal.
progress() {
  [[ -t 2 ]] || return 0
  printf '\r\033[K%s' "${1:+event $1 of $((first + events - 1)): $kind $what}" >&2
}

finish_event() {
  local begun=$1
  settle || give_up
  check_fabric || give_up
  changed_nothing || give_up
  local took=$((${EPOCHREALTIME/./} - begun))
  progress ''
  printf 'event %d  %s  %s; %s; %d.%d s, %s, %d LIDs, lanes %s%s\n' "$number" "$kind" "$what" "$state" \
    "$((took / 1000000))" "$((took / 100000 % 10))" "$used" "$lids" "$lanes" "$loop_note"
  printf '%s\t' "$number" "$kind" "$what" "$state" "$((took / 1000))" "$used" "$lids" "$hosts_found" "$credit_loop" \
    "$checks" "$lanes" >>"$out/events.tsv"
  printf '%s\n' "$(resident_kib "$master")" >>"$out/events.tsv"
}

# Prints the entries of a dump of dump_fts: switch, LID, port.
entries_of() {
  awk '/^Unicast lids/ && match($0, /guid 0x[0-9a-f]+/) { at = substr($0, RSTART + 5, RLENGTH - 5) }
    /^0x/ { print at, $1, $2 }' "$1" | sort
}

# After a restart, the tables in the switches must be the same as before it.
changed_nothing() {
  local earlier=$must_be_same count
  must_be_same=
  [[ -n $earlier && -e $earlier ]] || return 0
  count=$(comm -13 <(entries_of "$earlier") <(entries_of "$out/routing.lft") | wc -l)
  ((count == 0)) || broken "a restart of the master changed $count LFT entries"
}

run_plan() {
  local line words begun=
  must_be_same=
  number=0 kind=start what=$topology state='as in the file'
  while IFS= read -r line; do
    IFS=$'\t' read -ra words <<<"$line"
    case ${words[0]} in
      manager) ;;
      event)
        [[ -z $begun ]] || finish_event "$begun"
        number=${words[1]} kind=${words[2]} what=${words[3]} state=${words[4]}
        progress "$number"
        begun=${EPOCHREALTIME/./}
        ;;
      *) do_step "${words[@]}" || give_up ;;
    esac
    # With --first the plan first puts the fabric into the state before the first event; then the managers start.
    if [[ $kind == resume && ${words[0]} == configure ]]; then
      [[ ${words[1]:-} != missing-file ]] || words[1]=
      sync_console || give_up
      start_managers || give_up
      configure "${words[1]:-}"
    fi
  done <"$out/plan.txt"
  finish_event "$begun"
}

# ---- summary ----

log_figures() {
  local i logs=() n
  for ((i = 1; i <= managers; i++)); do
    for ((n = 1; n < restarts[i]; n++)); do logs+=("$out/manager$i/opensm.log.$n"); done
    logs+=("$out/manager$i/opensm.log")
  done
  awk -f "$campaign_dir/sweeps.awk" "${logs[@]}"
}

summarize() {
  jq -n --rawfile events "$out/events.tsv" --argjson figures "$(log_figures)" --arg topology "${topology##*/}" \
    --arg engine "$engine" --argjson seed "$seed" --argjson first "$first" --argjson managers "$managers" '
    ($events | rtrimstr("\n") | split("\n") | map(split("\t"))) as $rows
    | ($rows | map(select(.[1] != "resume" and .[1] != "restore"))) as $faults
    | {topology: $topology, engine: $engine, seed: $seed, first: $first, managers: $managers,
       events: ($faults | length),
       by_kind: ($faults | group_by(.[1]) | map({key: .[0][1], value: length}) | from_entries),
       lost: 0,
       checks: ($rows | map(.[9] | tonumber) | add),
       credit_loops: ($rows | map(select(.[8] == "true")) | length),
       lanes: ($rows | group_by(.[10]) | map({key: .[0][10], value: length}) | from_entries),
       largest_settling_ms: ($rows | map(.[4] | tonumber) | max),
       rss_kib: ($rows | map(.[11] | tonumber) | {first: .[0], last: .[-1], max: max}),
       fewest_hosts: ($rows | map(.[7] | tonumber) | min)} + $figures' >"$out/summary.json"
  jq -r '
    "\n\(.topology), -R \(.engine), seed \(.seed): \(.events) events, all checks passed",
    (.by_kind | to_entries[] | "  \(.key)\t\(.value)"),
    "sweeps\theavy \(.heavy_sweeps), light \(.light_sweeps), with errors \(.sweeps_with_errors)",
    "routings\t\(.routings | to_entries | map("\(.key) \(.value)") | join(", "))",
    "refusals\t\(.refusals), after which opensm tried the next engine",
    "invalid options\t\(.wrong_options_lines) log lines of the plugin",
    "unusable tables\t\(.unusable_tables), rejected by the plugin",
    "credit loops\t\(.credit_loops) states whose tables have one on a single virtual lane",
    "proved virtual lanes\t\(.lanes | to_entries | map("\(if .key == "-" then "none" else .key end): \(.value) states") | join(", "))",
    "longest sweep\t\(.largest_sweep_ms) ms; longest routing by the plugin: \(.largest_plugin_ms) ms",
    "longest settling\t\(.largest_settling_ms) ms",
    "memory of opensm\tfirst \(.rss_kib.first), last \(.rss_kib.last), largest \(.rss_kib.max) KiB"' "$out/summary.json" |
    column -t -s $'\t' -L
}

parse_arguments "$@"
for tool in "opensm opensm" "ibnetdiscover infiniband-diags" "saquery infiniband-diags" "ibtracert infiniband-diags" \
  "sminfo infiniband-diags" "jq jq"; do
  # shellcheck disable=SC2086  # two words
  need_tool $tool
done
eval_lft=$(find_built bin/eval_lft)
draw_faults=$(find_built tests/campaign/draw_faults)
mark_manager=$(find_built tests/campaign/mark_manager)
claim_output
rm -rf "${out:?}"/{manager1,manager2,simulation,events.tsv,failure.txt,summary.json}
own_children
topology=$(readlink -f "$topology")
base_conf=$out/base.conf
cat -- "${extra:-/dev/null}" >"$base_conf"
host=$("$(find_built bin/ibsim_files)" playable "$topology" "$out/playable.net" | sed -n 2p)
fault_arguments=("$topology" --manager "$host" --managers "$manager_count" --seed "$seed" --theme "$theme")
"$draw_faults" "${fault_arguments[@]}" --first "$first" --events "$events" >"$out/plan.txt"
mapfile -t hosts < <(sed -n 's/^manager\t//p' "$out/plan.txt")
start_fabric "$topology" "${hosts[@]}"
settle_limit=$((60 + $(<"$out/simulation/state/size") / 10))
run_plan
stop_managers || give_up
summarize
