# shellcheck shell=bash
# What compare_engines.sh and bench_opensm.sh share: engines by name with options, what opensm must be told for each,
# and a line that shows progress. Sourced; the caller has `set -euo pipefail`, sets `engines`, `lanes` and `out`.

# shellcheck source=ibsim_harness/simulation.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/simulation.sh"

# The trials are scripts.
# shellcheck disable=SC2034  # for lib.sh
patience=20

# ---- engines ----

# Those of the stock opensm; `file` only loads tables.
readonly opensm_engines=(minhop updn dnup ftree lash dor torus-2QoS dfsssp sssp nue)

# Sets engines: all of opensm's and all of ours.
all_engines() {
  local ours route_lft
  route_lft=$(find_built bin/route_lft)
  mapfile -t ours < <("$route_lft" --list | sed -n 's/^\([A-Za-z0-9_-]*\): .*/\1/p')
  engines=("${opensm_engines[@]}" "${ours[@]}")
}

# Engines are NAME or NAME:OPTION=VALUE:..., each once.
check_engines() {
  local spec seen=,
  for spec in "${engines[@]}"; do
    [[ $spec =~ ^[A-Za-z][A-Za-z0-9_-]*(:[A-Za-z0-9_.-]+(=[^:]*)?)*$ ]] ||
      die "$exit_usage" "--engines: '$spec' is no engine; expected NAME or NAME:OPTION=VALUE"
    [[ $seen != *",$spec,"* ]] || die "$exit_usage" "--engines: $spec is named twice"
    if [[ $spec == *:* ]] && needs_plugin "${spec%%:*}" && [[ :${spec#*:}: =~ :[^=:]+: ]]; then
      die "$exit_usage" "--engines: '$spec': an option of ours is NAME=VALUE"
    fi
    seen+=$spec,
  done
}

# The folder of an engine within the folder $1.
engine_directory() { printf '%s/%s\n' "$1" "${2//[^A-Za-z0-9_.=-]/_}"; }

# Leaves in the folder $1 what opensm_hints finds in the topology $2 for updn, dnup and torus-2QoS.
find_hints() {
  local hints
  hints=$(find_built bin/opensm_hints)
  rm -f "$1/roots.txt" "$1/torus.conf"
  "$hints" --roots "$2" -o "$1/roots.txt" 2>/dev/null || true
  "$hints" --torus "$2" -o "$1/torus.conf" 2>"$1/torus.err" || true
}

# Sets plugin_settings (NAME=VALUE) and own_options (of opensm's command line) for the engine $1, with the hints in the
# folder $2. Fails, with the reason in hint_error, where the engine cannot be told what it must know.
options_for_trial() {
  local name=${1%%:*} hints=$2 options='' option
  plugin_settings=() own_options=() hint_error=
  [[ $1 != *:* ]] || options=${1#*:}
  while [[ -n $options ]]; do
    option=${options%%:*}
    options=${options#"$option"}
    options=${options#:}
    if needs_plugin "$name"; then
      plugin_settings+=("$option")
      continue
    fi
    # As opensm has it: -a FILE, --scatter-ports N.
    case $option in
      ?=* | ?) own_options+=("-${option%%=*}") ;;
      *) own_options+=("--${option%%=*}") ;;
    esac
    [[ $option != *=* ]] || own_options+=("${option#*=}")
  done
  case $name in
    updn | dnup)
      if [[ " ${own_options[*]} " != *' -a '* && " ${own_options[*]} " != *' --root_guid_file '* && -s $hints/roots.txt ]]; then
        own_options+=(-a "$hints/roots.txt")
      fi
      ;;
    torus-2QoS)
      [[ " ${own_options[*]} " != *' --torus_config '* ]] || return 0
      if [[ ! -s $hints/torus.conf ]]; then
        # shellcheck disable=SC2034  # for the caller
        hint_error=$(sed -n '1s/^opensm_hints: //p' "$hints/torus.err")
        return 1
      fi
      own_options+=(--torus_config "$hints/torus.conf")
      ;;
    nue) own_options=(--nue_max_num_vls "$lanes" "${own_options[@]}") ;;
  esac
}

# What a script that failed said, from its standard error: opensm's reasons where there are any, else its last word.
reasons_of() {
  sed -n 's/^    //p' "$1" | grep . || sed -n '$s/^[a-z_]*\.sh: //p' "$1"
}

# ---- progress ----

# A line on a terminal, which the next one overwrites.
progress() { [[ ! -t 2 ]] || printf '\r\033[K%s' "$*" >&2; }

in_words() {
  if (($1 < 60)); then
    printf '%d s' "$1"
  elif (($1 < 3600)); then
    printf '%d min %02d s' "$(($1 / 60))" "$(($1 % 60))"
  else
    printf '%d h %02d min' "$(($1 / 3600))" "$(($1 % 3600 / 60))"
  fi
}

# wait_with_progress DONE ALL WHAT: waits for the child that was started last, and sets child_status; DONE trials of ALL
# are done.
wait_with_progress() {
  local done=$1 all=$2 started=$SECONDS left
  while is_running "$child_pid"; do
    left=
    if ((done > 0)); then
      # The others take as long as those so far, on average.
      left=$((started * (all - done) / done - (SECONDS - started)))
      left=", about $(in_words "$((left > 0 ? left : 0))") left"
    fi
    progress "[$((done + 1))/$all] $3: $(in_words "$((SECONDS - started))"); $(in_words "$SECONDS") in all$left"
    sleep 0.1
  done
  child_status=0
  # shellcheck disable=SC2034  # for the caller
  wait "$child_pid" || child_status=$?
  forget_child "$child_pid"
}

# ---- results ----

# write_result FILE COMMAND...: what the command prints, whole or not at all; to standard output where FILE is -.
write_result() {
  local file=$1 part
  shift
  if [[ $file == - ]]; then
    "$@"
    return
  fi
  part=$file.part
  if ! { "$@" >"$part" && mv -f "$part" "$file"; } 2>"$out/write.err"; then
    rm -f "$part"
    die "$exit_output" "cannot write '$file': $(tail -n 1 "$out/write.err")"
  fi
  rm -f "$out/write.err"
}
