# shellcheck shell=bash
# What all harness scripts share: messages, finding tools, processes. Sourced, never run; the caller has `set -euo
# pipefail`.

harness_dir=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")

# Numbers are written for programs: with a point, whatever the user's locale has. LC_ALL wins over LC_NUMERIC.
export LC_ALL=C

# opensm, ibsim and the diagnostics live where an ordinary user's PATH does not reach.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

# Exit codes; those below 20 are the tools' own (docs/reference/exit-codes.md). Not every script uses each.
# shellcheck disable=SC2034
readonly exit_usage=2 exit_input=3 exit_unsuitable=5 exit_output=8 exit_missing_tool=20 exit_simulation=21

# ---- messages ----

print_line() { printf '%s: %s\n' "${0##*/}" "$*" >&2; }

die() {
  local status=$1
  shift
  print_line "$*"
  exit "$status"
}

# The last lines of a log, indented, for an error message.
tail_of() { tail -n "${2:-5}" -- "$1" 2>/dev/null | sed 's/^/    /'; }

# The value of an option that needs one: option_value OPTION COUNT VALUE, COUNT arguments being left with the option
# itself.
option_value() {
  (($2 >= 2)) || die "$exit_usage" "$1 needs a value; see --help"
  printf '%s\n' "$3"
}

require_number() {
  [[ $2 =~ ^[0-9]{1,9}$ ]] || die "$exit_usage" "$1 '$2' is not a whole number"
}

# A setting of an engine of ours goes into one line of opensm.conf, and blanks part it from the next.
require_setting() {
  [[ $2 =~ ^[A-Za-z0-9_.-]+=[^[:space:][:cntrl:]]*$ ]] || die "$exit_usage" \
    "$1 '${2//[[:cntrl:]]/ }': expected NAME=VALUE, without blanks and control characters"
}

# A name that begins with a dash, as programs take it.
as_operand() {
  if [[ $1 == -* ]]; then printf './%s\n' "$1"; else printf '%s\n' "$1"; fi
}

# The version is said once, by the build; an installation has it in a file.
print_version() {
  local version
  if [[ -r $harness_dir/version ]]; then
    version=$(<"$harness_dir/version")
  else
    version=$(sed -n 's/^ *VERSION \([0-9.]*\)$/\1/p' "$harness_dir/../CMakeLists.txt" | sed -n 1p)
  fi
  printf '%s %s\n' "${0##*/}" "$version"
}

# For scripts that take no arguments; the caller has a function usage.
take_no_arguments() {
  case ${1:-} in
    '') return ;;
    -h | --help) usage ;;
    --version) print_version ;;
    *) die "$exit_usage" "unknown argument '$1'; see --help" ;;
  esac
  exit 0
}

# ---- finding things ----

need_tool() {
  command -v "$1" >/dev/null || die "$exit_missing_tool" \
    "$1 is not installed; it is in the Debian package $2 (scripts/install_dependencies.sh installs all dependencies)"
}

# Prints the path of a file of our build, relative to a build or installation: find_built bin/eval_lft, find_built
# lib/libosmpssp.so. PSSP_BUILD_DIR, where given, decides alone.
find_built() {
  local base file candidates
  if [[ -n ${PSSP_BUILD_DIR:-} ]]; then
    candidates=("$PSSP_BUILD_DIR")
  else
    # A source tree with its builds, or PREFIX/share/opensm-pssp of an installation.
    candidates=("$harness_dir/../build" "$harness_dir/../build-dev" "$harness_dir/../build-minimal" "$harness_dir/../..")
  fi
  for base in "${candidates[@]}"; do
    # An installation has its programs in libexec/pssp; Debian's own packages have their libraries one folder deeper.
    for file in "$base/$1" "$base/libexec/pssp/${1#*/}" "$base/${1%%/*}"/*-linux-gnu*/"${1#*/}"; do
      if [[ -e $file ]]; then
        readlink -f "$file"
        return
      fi
    done
  done
  if [[ -z ${PSSP_BUILD_DIR:-} ]] && command -v "${1##*/}"; then
    return
  fi
  die "$exit_missing_tool" "$1 is not built (searched in ${candidates[*]}): run \`cmake --preset default && cmake" \
    "--build --preset default\`, or set PSSP_BUILD_DIR to your build"
}

# ---- results ----

readonly result_mark=.opensm-pssp-results

# Makes the folder $out (if none is named: a new one in ./out, which the script's name begins) and keeps other runs out
# of it. The file that is locked is also the mark of a folder of ours: what is in another one is the user's, and stays.
claim_output() {
  local kind=${0##*/}
  kind=${kind%.sh}
  if [[ -z $out ]]; then
    mkdir -p out || die "$exit_output" "cannot create the folder $PWD/out; choose another with --out DIR"
    out=$(mktemp -d "out/$kind-$(date +%Y%m%d-%H%M%S)-XXXX")
  fi
  if ! mkdir -p "$out" 2>/dev/null || [[ ! -w $out ]]; then
    die "$exit_output" "cannot write into --out '$out'"
  fi
  out=$(readlink -f "$out")
  [[ -e $out/$result_mark || -z $(ls -A "$out") ]] || die "$exit_output" \
    "--out '$out' contains files that are not from an earlier run; choose an empty or new folder"
  exec {lock}>"$out/$result_mark"
  flock --nonblock "$lock" || die "$exit_output" "another ${kind//_/ } is writing into $out; choose another --out DIR"
  # Logs and tables need more than this; a disk that is full is said now, and not by whoever writes first.
  if ! head -c 1048576 /dev/zero 2>/dev/null >"$out/state.room"; then
    rm -f "$out/state.room"
    die "$exit_output" "less than 1 MiB of free space in $out; free some space, or choose another folder with --out DIR"
  fi
  rm -f "$out/state.room"
}

# ---- processes ----

children=()

# Seconds that a process gets to end by itself. A script whose children are scripts must give them longer: they have
# children of their own to wait for.
patience=5

# Ends a process of ours and waits until it is gone: first politely, then for certain.
end_process() {
  local pid=$1 tries
  kill -TERM "$pid" 2>/dev/null || return 0
  for ((tries = 0; tries < patience * 20; tries++)); do
    is_running "$pid" || return 0
    sleep 0.05
  done
  kill -KILL "$pid" 2>/dev/null || true
}

# A zombie has ended, though its parent has not looked yet.
is_running() {
  [[ -r /proc/$1/stat ]] && [[ $(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null) != [ZX] ]]
}

# A number may belong to another process by the time it is read again; the start time (field 22 of stat) tells.
start_time_of() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }

# record_process PID FILE
record_process() { printf '%s %s\n' "$1" "$(start_time_of "$1")" >"$2"; }

# Prints the process id in FILE if that very process still runs, else fails.
recorded_process() {
  local pid started
  [[ -s $1 ]] && read -r pid started <"$1" && is_running "$pid" &&
    [[ $(start_time_of "$pid") == "$started" ]] && printf '%s\n' "$pid"
}

forget_child() {
  local pid kept=()
  for pid in "${children[@]}"; do
    [[ $pid == "$1" ]] || kept+=("$pid")
  done
  children=("${kept[@]}")
}

# The last one first: an opensm whose simulator is gone does not end by itself.
end_children() {
  local i
  for ((i = ${#children[@]} - 1; i >= 0; i--)); do
    end_process "${children[i]}"
  done
  children=()
}

# From here on the script's children end with it, also when it is interrupted or killed.
own_children() {
  trap end_children EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# Starts a command in the background and sets child_pid. Its parent's death, even by SIGKILL, ends it.
start_child() {
  setpriv --pdeathsig TERM -- "$@" </dev/null &
  child_pid=$!
  children+=("$child_pid")
}

# Runs a command for at most that many seconds; the status is the command's, or 124 when the time was over. Signals
# get through while it runs. Deep in its routing opensm does not hear SIGTERM; timeout must have killed it before
# end_process loses patience with timeout itself.
run_child() {
  local status=0 started=$SECONDS
  start_child timeout --kill-after=2 "$@"
  wait "$child_pid" || status=$?
  forget_child "$child_pid"
  # What timeout had to kill.
  ((status != 137 || $1 == 0 || SECONDS - started < $1)) || status=124
  return "$status"
}
