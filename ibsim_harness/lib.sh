# shellcheck shell=bash
# Functions that all harness scripts share: messages, search for tools, processes. Scripts source this file after `set -euo
# pipefail`.

harness_dir=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")

# Programs read the numbers that scripts print, so the decimal separator must be a point in every locale. LC_ALL overrides
# LC_NUMERIC.
export LC_ALL=C

# opensm, ibsim and the diagnostics are in folders that an ordinary user's PATH does not contain.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

# Exit codes. Those below 20 are the same as those of the tools (docs/reference/exit-codes.md). Not every script uses all of them.
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

# Prints the last lines of a log, indented, for an error message.
tail_of() { tail -n "${2:-5}" -- "$1" 2>/dev/null | sed 's/^/    /'; }

# option_value OPTION COUNT VALUE: prints the value of an option that requires one. COUNT is the number of arguments left,
# including OPTION.
option_value() {
  (($2 >= 2)) || die "$exit_usage" "$1 needs a value; see --help"
  printf '%s\n' "$3"
}

require_number() {
  [[ $2 =~ ^[0-9]{1,9}$ ]] || die "$exit_usage" "$1 '$2' is not a whole number"
}

# All settings of the plugin's engines are on one line of opensm.conf, separated by blanks.
require_setting() {
  [[ $2 =~ ^[A-Za-z0-9_.-]+=[^[:space:][:cntrl:]]*$ ]] || die "$exit_usage" \
    "$1 '${2//[[:cntrl:]]/ }': expected NAME=VALUE, without blanks and control characters"
}

# Prefixes a file name that begins with a dash with ./, so that programs do not take it for an option.
as_operand() {
  if [[ $1 == -* ]]; then printf './%s\n' "$1"; else printf '%s\n' "$1"; fi
}

# CMakeLists.txt defines the version; an installation has it in the file `version`.
print_version() {
  local version
  if [[ -r $harness_dir/version ]]; then
    version=$(<"$harness_dir/version")
  else
    version=$(sed -n 's/^ *VERSION \([0-9.]*\)$/\1/p' "$harness_dir/../CMakeLists.txt" | sed -n 1p)
  fi
  printf '%s %s\n' "${0##*/}" "$version"
}

# Parses the command line of scripts that take no arguments; the caller defines a function usage.
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

# Prints the path of a file in our build or installation: find_built bin/eval_lft, find_built lib/libosmpssp.so. If PSSP_BUILD_DIR
# is set, only this folder is searched.
find_built() {
  local base file candidates
  if [[ -n ${PSSP_BUILD_DIR:-} ]]; then
    candidates=("$PSSP_BUILD_DIR")
  else
    # The builds of a source tree, or PREFIX, if harness_dir is PREFIX/share/opensm-pssp of an installation.
    candidates=("$harness_dir/../build" "$harness_dir/../build-dev" "$harness_dir/../build-minimal" "$harness_dir/../..")
  fi
  for base in "${candidates[@]}"; do
    # An installation has its programs in libexec/pssp. Packages of Debian have their libraries one folder deeper.
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

# Creates the folder $out and locks it against other runs. Without $out, creates a new folder in ./out whose name begins with the
# name of the script. The locked file also marks the folder as ours; a non-empty folder without the mark has files of the user and
# is refused.
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
  # Logs and tables need more than 1 MiB. A full disk should be reported now and not by the first program that writes.
  if ! head -c 1048576 /dev/zero 2>/dev/null >"$out/state.room"; then
    rm -f "$out/state.room"
    die "$exit_output" "less than 1 MiB of free space in $out; free some space, or choose another folder with --out DIR"
  fi
  rm -f "$out/state.room"
}

# ---- processes ----

children=()

# Seconds that a process has to end after SIGTERM. Scripts whose children are scripts must set a larger value, because these
# children wait for children of their own.
patience=5

# Ends a process of ours with SIGTERM, and with SIGKILL if it still runs after $patience seconds.
end_process() {
  local pid=$1 tries
  kill -TERM "$pid" 2>/dev/null || return 0
  for ((tries = 0; tries < patience * 20; tries++)); do
    is_running "$pid" || return 0
    sleep 0.05
  done
  kill -KILL "$pid" 2>/dev/null || true
}

# A zombie has ended even if its parent has not collected its status.
is_running() {
  [[ -r /proc/$1/stat ]] && [[ $(sed 's/.*) //; s/ .*//' "/proc/$1/stat" 2>/dev/null) != [ZX] ]]
}

# The kernel may have reused a recorded process id. The start time (field 22 of stat) identifies the process.
start_time_of() { sed 's/.*) //' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20; }

# record_process PID FILE: writes the process id and the start time to FILE.
record_process() { printf '%s %s\n' "$1" "$(start_time_of "$1")" >"$2"; }

# Prints the process id in FILE if that same process still runs; fails otherwise.
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

# End the youngest child first: an opensm whose simulator has ended does not end by itself.
end_children() {
  local i
  for ((i = ${#children[@]} - 1; i >= 0; i--)); do
    end_process "${children[i]}"
  done
  children=()
}

# From this call on the script's children end when the script ends, also when it is interrupted or killed.
own_children() {
  trap end_children EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
}

# Starts a command in the background and sets child_pid. The command ends when its parent dies, even by SIGKILL.
start_child() {
  setpriv --pdeathsig TERM -- "$@" </dev/null &
  child_pid=$!
  children+=("$child_pid")
}

# run_child SECONDS COMMAND...: runs COMMAND for at most SECONDS. Returns the command's status, or 124 after a timeout. Signals
# are handled while the command runs. While opensm computes routes it does not react to SIGTERM, so timeout must kill it after 2
# s, which is before end_process runs out of patience with timeout itself.
run_child() {
  local status=0 started=$SECONDS
  start_child timeout --kill-after=2 "$@"
  wait "$child_pid" || status=$?
  forget_child "$child_pid"
  # Status 137 at the end of the time limit means that timeout had to use SIGKILL.
  ((status != 137 || $1 == 0 || SECONDS - started < $1)) || status=124
  return "$status"
}
