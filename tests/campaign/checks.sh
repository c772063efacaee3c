# shellcheck shell=bash disable=SC2154,SC2034  # variables are shared with what sources it
# Checks after each event of a campaign. Sourced by campaign.sh. The checks do not trust the plugin or opensm: ibnetdiscover
# discovers the fabric, the tables are read from the switches, and the expected cabling comes from the fault plan.

# Milliseconds that a tool waits for an answer. No packet is lost during the checks, but the machine may be busy. ibtracert does
# not repeat requests, and reports a bad table after one second by default.
readonly answer_limit=10000

# in_fabric COMMAND...: runs a command at the master's host.
in_fabric() {
  attach_to "$out/manager$master"
  timeout "$((60 + settle_limit))" "${in_simulation[@]}" "$@"
}

is_ours() { [[ ,$engine, == *",$1,"* ]]; }

# lid_in_found_fabric ID: prints the base LID of an adapter, given by its id in the topology file, in the last discovered fabric.
# Prints nothing if the adapter was not found.
lid_in_found_fabric() {
  local guid
  guid=$(awk -v name="$1" -f "$campaign_dir/guid_of.awk" "$topology")
  [[ -z $guid ]] || awk -v guid="$guid" '
    /^caguid=/ { here = $0 == "caguid=0x" guid }
    here && /^\[/ && match($0, /# lid [0-9]+/) { print substr($0, RSTART + 6, RLENGTH - 6); exit }' "$out/found.topo"
}

# check_fabric: repeats the checks until no sweep began during them. Sets used, lids, hosts_found, credit_loop, loop_note, checks.
check_fabric() {
  local before
  for ((checks = 1; checks <= 8; checks++)); do
    before=${heavy_begun[master]}
    problem=
    check_once || true
    follow_all
    all_alive || return 1
    if ((heavy_begun[master] == before)) && [[ ${sm_state[master]} == MASTER ]]; then
      [[ -z $problem ]] || broken "$problem"
      return
    fi
    settle || return 1
  done
  broken "a sweep began during each of 8 checks"
}

# Sets problem if a check fails.
check_once() {
  found_what_is_left && tables_are_good && levels_hold && only_the_master_has_levels && samples_arrive
}

found_what_is_left() {
  local lost after=$number
  in_fabric ibnetdiscover -t "$answer_limit" >"$out/found.topo" 2>"$out/found.err" || {
    problem="ibnetdiscover failed: $(tail_of "$out/found.err")"
    return 1
  }
  # After the last event the fabric is the same as at the beginning.
  [[ $kind != restore ]] || after=0
  lost=$("$draw_faults" "${fault_arguments[@]}" --events "$after" --found "$out/found.topo") || {
    problem="the discovered fabric differs from the plan: $(head -n 5 <<<"$lost")"
    return 1
  }
}

tables_are_good() {
  local status=0 report=$out/report.json
  (dump_tables "$out/manager$master" "$out/routing.lft") 2>"$out/dump.err" || {
    problem="the tables could not be read: $(tail_of "$out/dump.err")"
    return 1
  }
  "$eval_lft" -n 1 --json "$out/routing.lft" "$out/found.topo" >"$report" 2>"$out/eval_lft.err" || status=$?
  if ((status != 0)); then
    problem="eval_lft (status $status): $(tail_of "$out/eval_lft.err") $(jq -c \
      '{unreachable_pairs, forwarding_loops, dead_port_entries, examples}' "$report" 2>/dev/null | head -c 1500 || true)"
    return 1
  fi
  read -r lids hosts_found credit_loop < <(jq -r '[.lids, .hosts, .credit_loop] | @tsv' "$report")
  loop_note=
  [[ $credit_loop != true ]] || loop_note=', credit loop'
  routed_as_promised
}

# One of our engines must have routed, unless it had to refuse tables that are not deadlock-free.
routed_as_promised() {
  local reasons
  used=$(used_engine "$out/manager$master")
  ! is_ours "$used" || return 0
  reasons=$(grep -E 'osmpssp: ERR (7A20|7A21): ' "$out/manager$master/opensm.log" | tail -n 3)
  [[ $plugin_options == *deadlock=require* && $reasons == *deadlock=require* ]] || {
    problem="expected engine $engine, but $used routed: $reasons"
    return 1
  }
}

# The lanes that the plugin promises for the current tables must be deadlock-free. eval_lft proves this independently of the
# plugin.
levels_hold() {
  local promise
  lanes=-
  is_ours "$used" || return 0
  promise=$(grep "osmpssp: routing: engine=$used " "$out/manager$master/opensm.log" | tail -n 1)
  [[ ! $promise =~ \ vls=([0-9]+)\  ]] || lanes=${BASH_REMATCH[1]}
  if [[ $lanes == - ]]; then
    [[ $plugin_options != *deadlock=require* ]] || problem="deadlock=require, but the plugin logged no virtual lanes: $promise"
    [[ -z $problem ]]
    return
  fi
  "$eval_lft" -n 1 --json --service-levels "$(levels_file "$master")" "$out/routing.lft" "$out/found.topo" \
    >"$out/levels.json" 2>"$out/eval_lft.err" || {
    problem="the service levels are not deadlock-free, although the plugin logged: $promise; eval_lft: $(tail_of "$out/eval_lft.err")"
    return 1
  }
}

# A dump of service levels describes what is in force, so only the master may have one.
only_the_master_has_levels() {
  local i
  for ((i = 1; i <= managers; i++)); do
    [[ $i != "$master" && -n ${manager_pid[i]} && -e $(levels_file "$i") ]] || continue
    problem="manager $i is not the master, but $(levels_file "$i") still exists"
    return 1
  done
}

# Checks a few pairs of hosts with the subnet manager's path record, and hop by hop with ibtracert.
samples_arrive() {
  local n from to
  mapfile -t host_lids < <(awk '
    /^[A-Z]/ { ca = /^Ca/ }
    ca && /^\[/ && match($0, /# lid [0-9]+/) { print substr($0, RSTART + 6, RLENGTH - 6) }' "$out/found.topo")
  ((${#host_lids[@]} > 1)) || return 0
  for ((n = 0; n < samples; n++)); do
    from=${host_lids[(number * 7919 + n * 104729) % ${#host_lids[@]}]}
    to=${host_lids[(number * 15485 + n * 3571 + 1) % ${#host_lids[@]}]}
    ((from == to)) || sample_arrives "$from" "$to" || return 1
  done
}

# sample_arrives FROM TO: checks the path between two LIDs.
sample_arrives() {
  local from=$1 to=$2 record level
  record=$(in_fabric saquery -t "$answer_limit" --src-to-dst "$from:$to" 2>&1) || true
  grep -q "dlid\\.*$to\$" <<<"$record" || {
    problem="no path record from LID $from to LID $to: $record"
    return 1
  }
  in_fabric ibtracert -t "$answer_limit" "$from" "$to" >"$out/trace" 2>&1 || true
  grep -q -- '-> ca port' "$out/trace" || {
    problem="ibtracert failed from LID $from to LID $to: $(tail_of "$out/trace" 20)"
    return 1
  }
  # With one lane opensm chooses the service levels.
  [[ $lanes =~ ^[0-9]+$ ]] && ((lanes > 1)) || return 0
  level=$(awk -v from="$from" -v to="$to" -f "$campaign_dir/level_of.awk" "$out/found.topo" "$(levels_file "$master")")
  [[ 0x$level == "$(sed -n 's/^[\t ]*sl\.\.*//p' <<<"$record")" ]] || {
    problem="the path record from LID $from to $to does not have service level ${level:-?}, which the plugin dumped: $record"
    return 1
  }
}
