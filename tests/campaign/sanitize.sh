#!/usr/bin/env bash
set -euo pipefail
# shellcheck source=tests/campaign/resweep.sh
. "$(dirname "$(readlink -f "$0")")/resweep.sh"

usage() {
  cat <<'EOF2'
usage: sanitize.sh valgrind|asan --topo FILE [options]

Searches for memory errors of the plugin in the stock opensm. opensm runs under
valgrind's memcheck, or with AddressSanitizer's library preloaded and a plugin
that was built with -DPSSP_SANITIZE=ON. It sweeps a fabric that ibsim simulates
while a link fails and returns, and then ends. The files opensm.supp, .asan and
.lsan list the known findings in OpenSM and in libraries, with reasons; these
are suppressed.

  --topo FILE        ibnetdiscover output or an ibsim net file
  --engine LIST      engines, in the format of opensm -R; may be repeated
                     (default: pssp, p2ssp)
  --sweeps N         heavy sweeps with each LIST (default: 4)
  --set NAME=VALUE   option for our engines; may be repeated
  --out DIR          folder of logs (default: a new folder in ./out)
  -h, --help         print this text

PSSP_BUILD_DIR is the folder of the build that contains the plugin.

Exit codes: 0 no findings, 1 findings, 2 usage, 3 unreadable topology, 8 DIR
cannot be written, 20 a tool or library is missing, 21 ibsim or opensm failed.
EOF2
}

parse_arguments() {
  [[ ${1:-} != -h && ${1:-} != --help ]] || {
    usage
    exit 0
  }
  tool=${1:-} topology='' engines=() sweeps=4 plugin_options='' out=''
  [[ $tool == valgrind || $tool == asan ]] || die "$exit_usage" "expected valgrind or asan as the first argument; see --help"
  shift
  local value
  while (($# > 0)); do
    case $1 in
      --topo | --engine | --sweeps | --set | --out) value=$(option_value "$1" $# "${2:-}") ;;
      *) die "$exit_usage" "unknown argument '$1'; see --help" ;;
    esac
    case $1 in
      --topo) topology=$value ;;
      --engine) engines+=("$value") ;;
      --sweeps) sweeps=$value ;;
      --set) plugin_options+="${plugin_options:+ }$value" ;;
      --out) out=$value ;;
    esac
    shift 2
  done
  require_number --sweeps "$sweeps"
  [[ -n $topology ]] || die "$exit_usage" "--topo FILE is missing; see --help"
  [[ -f $topology && -r $topology ]] || die "$exit_input" "topology '$topology' is not a readable file"
  ((${#engines[@]} > 0)) || engines=(pssp p2ssp)
}

# ---- tools ----

wrap_in_valgrind() {
  need_tool valgrind valgrind
  # Report only leaks of unreachable memory, because opensm ends without freeing its data. The plugin is unloaded by then, hence
  # --keep-debuginfo.
  opensm_wrapper=(valgrind --quiet --error-exitcode=99 --exit-on-first-error=no --leak-check=full
    --show-leak-kinds=definite --errors-for-leak-kinds=definite --keep-debuginfo=yes --num-callers=30
    "--suppressions=$campaign_dir/opensm.supp" "--log-file=$out/findings.%p")
}

wrap_in_asan() {
  local plugin runtime
  plugin=$(find_built lib/libosmpssp.so)
  # Preload libstdc++ as well, which opensm does not link: the sanitizer looks up the functions that throw when the process
  # starts.
  runtime=$(ldd "$plugin" | awk '/libasan\.so|libstdc\+\+\.so/ { printf "%s ", $3 }')
  [[ $runtime == *libasan* ]] || die "$exit_missing_tool" "$plugin was built without AddressSanitizer (-DPSSP_SANITIZE=ON)"
  # ibsim-run sets LD_PRELOAD itself; the sanitizer's library must come first.
  # shellcheck disable=SC2016
  opensm_wrapper=(env "ASAN_OPTIONS=log_path=$out/findings:exitcode=99:detect_leaks=1:suppressions=$campaign_dir/opensm.asan"
    "UBSAN_OPTIONS=log_path=$out/findings:print_stacktrace=1"
    "LSAN_OPTIONS=suppressions=$campaign_dir/opensm.lsan:print_suppressions=0"
    sh -c 'LD_PRELOAD="$0 $LD_PRELOAD" exec "$@"' "$runtime")
}

# ---- one engine ----

# Prints a link between switches that is disconnected for a moment: `"A"[1] "B"[2]`.
some_link() {
  awk '
    /^Switch[ \t]/ { split($0, quoted, "\""); here = quoted[2]; at_switch = 1; switches[here] = 1; next }
    /^(Hca|Ca|Rt)[ \t]/ { at_switch = 0 }
    at_switch && match($0, /^\[[0-9]+\]/) {
      port = substr($0, RSTART, RLENGTH)
      rest = substr($0, RLENGTH + 1)
      if (match(rest, /"[^"]*"\[[0-9]+\]/)) {
        far = substr(rest, RSTART, RLENGTH)
        split(far, quoted, "\"")
        if (quoted[2] in switches) { last = "\"" here "\"" port " " far }
      }
    }
    END { print last }' "$topology"
}

sweep_with() {
  local top=$out sweep link status
  engine=$1
  out=$top/${engine//,/-}
  mkdir -p "$out"
  rm -f "$out"/findings.*
  "wrap_in_$tool"
  link=$(some_link)
  begin_sweeping "$topology" 300
  for ((sweep = 2; sweep <= sweeps; sweep++)); do
    if [[ -n $link ]]; then
      if ((sweep % 2 == 0)); then send "Unlink ${link% *}"; else send "Link $link"; fi
      sync_console
    fi
    sweep_again
  done
  status=0
  [[ ,$engine, == *",$(used_engine "$out/manager1"),"* ]] || die "$exit_unsuitable" \
    "opensm did not use '$engine': $(reasons_in_log "$out/manager1")"
  # stop_manager would hide the exit status, which reports findings.
  kill -TERM "${manager_pid[1]}"
  wait "${manager_pid[1]}" || status=$?
  forget_child "${manager_pid[1]}"
  stop_simulation "$out/simulation"
  evaluate "$status"
  out=$top
}

evaluate() {
  local status=$1 findings
  findings=$(cat "$out"/findings.* 2>/dev/null || true)
  if ((status == 0)) && [[ -z $findings ]]; then
    printf '%s, %s: %d sweeps, no findings\n' "$tool" "$engine" "$(grep -c '\*\*\* SUBNET UP \*\*\*' "$out/manager1/opensm.log")"
    return
  fi
  printf '%s\n' "$findings" | sed -n 1,100p
  die 1 "$tool, $engine: findings in $out (opensm's status: $status)"
}

parse_arguments "$@"
need_tool opensm opensm
claim_output
own_children
for name in "${engines[@]}"; do
  sweep_with "$name"
done
