# shellcheck shell=bash
# The simulated fabric: ibsim, opensm on it, and the resulting tables. Scripts source this file after `set -euo pipefail`.
#
# An instance is a directory with all files of one simulated fabric: logs and opensm's configuration at the top; process ids, the
# socket name and the adapter that clients attach to in state/; opensm's caches and dumps in osm/. start_ibsim.sh, start_osm.sh
# and dump_routes.sh find an instance by its name ($PSSP_INSTANCE). Test scripts create instances of their own and end what they
# started. ibsim and its clients communicate over abstract unix sockets, so a unique socket name isolates an instance.

# shellcheck source=ibsim_harness/lib.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/lib.sh"

# ---- instances ----

# Creates the directory of the instance $PSSP_INSTANCE and prints its path.
instance_dir() {
  local name=${PSSP_INSTANCE:-default} root
  [[ $name =~ ^[A-Za-z0-9._-]{1,40}$ && $name != .* ]] || die "$exit_usage" \
    "PSSP_INSTANCE '$name' is not a valid instance name: expected at most 40 letters, digits, dots, dashes and underscores"
  root=$(dirname "$(mktemp -u)")/pssp-ibsim-$UID
  mkdir -m 700 "$root" 2>/dev/null || [[ -d $root && -O $root && ! -L $root ]] || die "$exit_output" \
    "cannot create $root, or another user owns it; set TMPDIR to another directory"
  mkdir -p "$root/$name"
  printf '%s\n' "$root/$name"
}

# Succeeds while the instance's ibsim runs.
instance_is_up() { recorded_process "$1/state/ibsim.pid" >/dev/null && has_socket "$(<"$1/state/socket")"; }

# /proc/net/unix shows each NUL byte of an abstract name as @, and ibsim's names may end in a NUL byte.
has_socket() { grep -Eq " @$1:ctl@*\$" /proc/net/unix; }

require_instance() {
  instance_is_up "$1" || die "$exit_simulation" \
    "instance '${PSSP_INSTANCE:-default}' is not running: start it with start_ibsim.sh TOPO"
}

# Sets in_simulation, the command prefix that attaches a program to the instance's fabric. ibsim-run corrupts an existing
# LD_PRELOAD. The variables of the simulation server would make clients connect over the network.
attach_to() {
  in_simulation=(env -u LD_PRELOAD -u IBSIM_SERVER_NAME -u IBSIM_SERVER_PORT -u SIM_SET_ISSM
    "IBSIM_SOCKNAME=$(<"$1/state/socket")"
    "SIM_HOST=$(<"$1/state/host")" "OSM_CACHE_DIR=$1/osm" "OSM_TMP_DIR=$1/osm" ibsim-run)
}

# ---- ibsim ----

# make_playable DIR TOPOLOGY: sets playable to the path of a copy of the topology in DIR that ibsim can read and one opensm can
# manage. Writes the files `size` (number of nodes), `host` (the adapter that clients attach to), `limits` (options of ibsim) and
# `opensm_lmc` (lines of opensm.conf) in state/.
make_playable() {
  local dir=$1 topology=$2 status=0 nodes switches ports host lmc esp0
  [[ -f $topology && -r $topology ]] || die "$exit_input" "topology '$topology' is not a readable file"
  "$(find_built bin/ibsim_files)" playable "$topology" "$dir/ibsim.net" ${SIM_HOST:+--host "$SIM_HOST"} \
    >"$dir/state/playable" 2>"$dir/state/playable.err" || status=$?
  sed 's/^ibsim_files: \(warning: \)\{0,1\}//' "$dir/state/playable.err" >"$dir/state/said"
  ((status == 0)) || die "$status" "$(<"$dir/state/said")"
  [[ ! -s $dir/state/said ]] || print_line "$(<"$dir/state/said")"
  {
    read -r nodes switches ports _
    IFS= read -r host
    IFS= read -r playable
    read -r lmc esp0
  } <"$dir/state/playable"
  printf '%s\n' "$host" >"$dir/state/host"
  printf '%s\n' "$nodes" >"$dir/state/size"
  printf 'lmc %s\nlmc_esp0 %s\n' "$lmc" "$esp0" >"$dir/state/opensm_lmc"
  printf '%s\n' -N "$((nodes + 1))" -S "$((switches + 1))" -P "$((ports + 1))" -L 49152 >"$dir/state/limits"
}

# start_simulation DIR TOPOLOGY COMMAND...: starts ibsim on the topology and waits until clients can attach. COMMAND starts ibsim
# in the background and sets child_pid.
start_simulation() {
  local dir=$1 topology=$2 limits limit_s waited=0 files
  shift 2
  need_tool ibsim ibsim-utils
  need_tool ibsim-run ibsim-utils
  mkdir -p "$dir/state" "$dir/osm"
  make_playable "$dir" "$topology"
  mapfile -t limits <"$dir/state/limits"
  limit_s=$((30 + $(<"$dir/state/size") / 50))
  files=$(find_built bin/ibsim_files)
  rm -f "$dir/ibsim.log"
  printf 'pssp-%s-%s-%s\n' "$UID" "$$" "$RANDOM$RANDOM" >"$dir/state/socket"
  IBSIM_SOCKNAME=$(<"$dir/state/socket") "$@" ibsim -s -n "${limits[@]}" "$playable" \
    > >(exec "$files" keep-last "$dir/ibsim.log" >"$dir/state/log_keeper" 2>&1) 2>&1
  record_process "$child_pid" "$dir/state/ibsim.pid"
  until has_socket "$(<"$dir/state/socket")"; do
    if ! is_running "$child_pid"; then
      # ibsim's last message may not have reached the log yet.
      until [[ -s $dir/ibsim.log ]] || ((waited++ > 40)); do sleep 0.05; done
      die "$exit_input" "ibsim refused $topology:"$'\n'"$(tail_of "$dir/ibsim.log")"
    fi
    ((waited++ < limit_s * 20)) || die "$exit_simulation" \
      "ibsim was not ready after $limit_s s; it printed:"$'\n'"$(tail_of "$dir/ibsim.log")"
    sleep 0.05
  done
}

# start_simulation_with_console DIR TOPOLOGY: starts a simulation that reads commands from the file descriptor $console, such as
# to remove and restore links, and writes its answers to $console_log.
start_simulation_with_console() {
  mkdir -p "$1/state"
  rm -f "$1/state/console"
  mkfifo "$1/state/console"
  # Open the FIFO for reading and writing, so that neither side blocks in open() or sees an end of file.
  exec {console}<>"$1/state/console"
  # shellcheck disable=SC2034  # for living.sh
  console_log=$1/ibsim.log
  start_simulation "$1" "$2" start_at_console
}

# Option -n disables ibsim's console.
start_at_console() {
  local word command=()
  for word; do [[ $word == -n ]] || command+=("$word"); done
  setpriv --pdeathsig TERM -- "${command[@]}" <&"$console" &
  child_pid=$!
  children+=("$child_pid")
}

# Ends the instance's opensm, if it is running, and its ibsim.
stop_simulation() {
  local record pid
  for record in "$1/state/opensm.pid" "$1/state/ibsim.pid"; do
    if pid=$(recorded_process "$record"); then
      end_process "$pid"
    fi
    rm -f "$record"
  done
}

# ---- opensm ----

# Succeeds if an engine in the list is not one of opensm's own and must come from the plugin.
needs_plugin() {
  local name
  for name in ${1//,/ }; do
    case $name in
      minhop | updn | dnup | file | ftree | lash | dor | torus-2QoS | nue | dfsssp | sssp) ;;
      *) return 0 ;;
    esac
  done
  return 1
}

# Sets engine_options to the options of opensm that the engines require.
options_for_engine() {
  local name
  engine_options=()
  for name in ${1//,/ }; do
    case $name in
      lash | dfsssp | torus-2QoS) engine_options+=(-Q) ;;
      # Without -Q nue uses one lane, whatever --nue_max_num_vls is.
      nue) engine_options+=(-Q --nue_max_num_vls 8) ;;
    esac
  done
}

# write_opensm_conf DIR ENGINE PLUGIN_OPTIONS [EXTRA]: writes the configuration and appends the file EXTRA. A trial must not
# depend on the machine's own configuration, so files that opensm would read from there are redirected to names that do not exist.
write_opensm_conf() {
  local dir=$1 name
  {
    for name in partition_config_file qos_policy_file prefix_routes_file per_module_logging_file; do
      printf '%s %s\n' "$name" "$dir/osm/no_$name"
    done
    # Scripts follow opensm by its log, which opensm otherwise flushes only every half minute.
    printf 'force_log_flush TRUE\n'
    [[ ! -e $dir/state/opensm_lmc ]] || cat -- "$dir/state/opensm_lmc"
    if needs_plugin "$2"; then
      printf 'event_plugin_name osmpssp\n'
      [[ -z $3 ]] || printf 'event_plugin_options %s\n' "$3"
    fi
    [[ -z ${4:-} ]] || cat -- "$4"
  } >"$dir/opensm.conf"
}

# prepare_opensm DIR ENGINE MODE [OPTION...]: sets opensm_command, which starts opensm with ENGINE in the instance. opensm ends
# after one sweep unless MODE is `stay`. OPTIONs are passed to opensm.
prepare_opensm() {
  local dir=$1 engine=$2 mode=$3 library_path=${LD_LIBRARY_PATH:-} plugin
  shift 3
  need_tool opensm opensm
  attach_to "$dir"
  options_for_engine "$engine"
  if needs_plugin "$engine"; then
    plugin=$(find_built lib/libosmpssp.so)
    library_path=${plugin%/*}${library_path:+:$library_path}
  fi
  # Log level 0x04 contains the line from which the routing phase is timed. The long transaction timeout is for loaded machines
  # that answer late; the simulator loses no packets otherwise.
  opensm_command=(env "LD_LIBRARY_PATH=$library_path" "${in_simulation[@]}" opensm -R "$engine" -F "$dir/opensm.conf"
    -f "$dir/opensm.log" -D 0x07 -t 2000 "${engine_options[@]}")
  [[ $mode == stay ]] || opensm_command+=(-o)
  opensm_command+=("$@")
  rm -f "$dir/opensm.log"
}

# Prints the default timeout for opensm in seconds: slow engines take minutes on thousands of nodes.
default_timeout() { printf '%s\n' "$((120 + $(<"$1/state/size") / 4))"; }

# Node names are untrusted text, and the log contains them after the first arrow of a line. All searches therefore match the
# beginning of lines.
subnet_is_up() { grep -qsE '^[^>]* -> SUBNET UP *$|^\*+ SUBNET UP \*+$' "$1/opensm.log"; }

# Prints the log messages of our plugin, without errors.
plugin_lines() { sed -n 's/^[^>]* 0x02 -> osmpssp: //p' "$1/opensm.log"; }

# Prints the errors of our plugin, such as ignored options.
plugin_errors() { sed -n 's/^[^>]* 0x01 -> osmpssp: //p' "$1/opensm.log"; }

# Prints the errors that opensm logged before its tables were ready, each once.
reasons_in_log() {
  sed -E -e '/^[^>]* -> [^ ]+ [^ ]+ tables configured on all switches *$/q' -- "$1/opensm.log" 2>/dev/null |
    sed -n 's/^[^>]* 0x01 -> /    /p' |
    awk '!seen[$0]++' | tail -n 8
}

used_engine() { sed -nE 's/^[^>]* -> [^ ]+ ([^ ]+) tables configured on all switches *$/\1/p' "$1/opensm.log" | tail -n 1; }

# Prints the duration of the last routing phase in milliseconds, from the timestamps of opensm's log.
routing_milliseconds() {
  awk '
    function stamp() { split($3, t, ":"); return ((t[1] * 60 + t[2]) * 60 + t[3]) * 1000 + $4 / 1000 }
    /building routing with / { begin = stamp() }
    /^[^>]* -> [^ ]+ [^ ]+ tables configured on all switches *$/ { span = stamp() - begin; if (span < 0) span += 86400000 }
    END { printf "%.1f\n", span }' "$1/opensm.log"
}

# Fails with the errors in opensm's log unless the subnet is up with (one of) the requested engines. opensm's exit status does not
# tell: it is 0 also after a fallback to another engine.
require_engine() {
  local dir=$1 engine=$2 used reasons refusal
  reasons=$(reasons_in_log "$dir")
  reasons=${reasons:-    (opensm logged no error)}
  subnet_is_up "$dir" || die "$exit_simulation" \
    "opensm did not bring the subnet up; $dir/opensm.log says:"$'\n'"$reasons"
  used=$(used_engine "$dir")
  refusal=$(sed -n "s/^.* 0x01 -> .*Error loading plugin/Error loading plugin/p; s/^.* 0x01 -> .*\\(cannot load plugin\\)/\\1/p" \
    "$dir/opensm.log" | sed -n 1p)
  if [[ -n $refusal ]] && needs_plugin "$engine"; then
    die "$exit_missing_tool" "opensm did not load the plugin, and routed with ${used:-none} instead of $engine:"$'\n'"    $refusal"$'\n' \
      " build the plugin for the opensm that is installed (docs/reference/plugin.md)"
  fi
  [[ ,$engine, == *",$used,"* ]] || die "$exit_unsuitable" \
    "opensm did not use engine '$engine' but '${used:-none}'; its log says:"$'\n'"$reasons"$'\n' \
    " complete log: $dir/opensm.log"
}

# ---- forwarding tables ----

# Succeeds if the dump contains at least one table and every table is complete.
is_whole_dump() {
  awk '
    /^Unicast lids / { open++ }
    / valid lids dumped/ { open--; tables++ }
    END { exit !(tables > 0 && open == 0) }' "$1"
}

# dump_tables DIR FILE: writes the tables of the simulated switches to FILE in the format of dump_fts. FILE appears complete or
# not at all.
dump_tables() {
  local dir=$1 file=$2 part=$2.part status=0
  need_tool dump_fts infiniband-diags
  attach_to "$dir"
  run_child "$(default_timeout "$dir")" "${in_simulation[@]}" dump_fts -t 10000 >"$part" 2>"$dir/dump_fts.err" || status=$?
  if ((status != 0)) || ! is_whole_dump "$part"; then
    rm -f "$part"
    die "$exit_simulation" "dump_fts did not read all tables (status $status):"$'\n'"$(tail_of "$dir/dump_fts.err")"
  fi
  restore_lost_lid "$dir" "$part"
  mv -f "$part" "$file"
}

# Reads the entries of the last LID from the switches if dump_fts omitted them: infiniband-diags 44.0 omits the last LID of every
# switch if the highest LID is a multiple of 64.
restore_lost_lid() {
  local dir=$1 dump=$2 files lost=$1/state/lost_lid found=$1/state/found_lid route lid block port
  # Dumps may be large. The headers contain the highest LID and show that most dumps are complete.
  grep -Eq '^Unicast lids \[0x0-0x[0-9a-f]*[048c]0\]' "$dump" || return 0
  files=$(find_built bin/ibsim_files)
  "$files" lost-entries "$dump" >"$lost"
  [[ -s $lost ]] || return 0
  need_tool smpdump infiniband-diags
  : >"$found"
  while read -r route lid; do
    # The first byte of block lid/64 of the linear forwarding table (attribute 0x19) is the entry of the LID.
    block=$("${in_simulation[@]}" smpdump -D "$route" 0x19 "$((lid / 64))" 2>>"$dir/dump_fts.err") || block=
    port=${block:0:2}
    [[ $port =~ ^[0-9a-f]{2}$ ]] || die "$exit_simulation" \
      "dump_fts omitted LID $lid, and its port could not be read from the switch at directed route $route; repeat the dump"
    [[ $port == ff ]] || printf '%s %d\n' "$route" "$((16#$port))" >>"$found"
  done <"$lost"
  read -r _ lid <"$lost"
  run_child "$(default_timeout "$dir")" "${in_simulation[@]}" ibnetdiscover \
    >"$dir/state/discovered" 2>>"$dir/dump_fts.err" || true
  "$files" add-entries "$dump" "$lid" "$found" "$dir/state/discovered" -o "$dump.whole"
  mv -f "$dump.whole" "$dump"
  print_line "dump_fts lost LID $lid at $(wc -l <"$lost") switches" \
    "(a fault of dump_fts when the highest LID is a multiple of 64); read its entries from the switches"
}
