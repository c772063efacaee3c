# shellcheck shell=bash
# Functions for scripts that run programs under mpirun. Sourced after expect.sh.

skip_without mpirun
# Open MPI requires two variables before it runs as root, as in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# The launcher creates sockets in TMPDIR, and the length of their names is limited.
# shellcheck disable=SC2154  # of expect.sh
export TMPDIR=$scratch

# skip_unless_joining PROGRAM: skips the test if PROGRAM was built without MPI.
skip_unless_joining() {
  [[ $(mpirun --oversubscribe -n 2 "$1" --version) != *'built without MPI'* ]] || skip 'built without MPI'
}

# same_in_processes NAME COMMAND...: runs the command alone and in 2 and 3 processes. Standard output, the program's own messages
# on standard error, and the files that it writes must be the same. OUT in file names is replaced by "alone" or "together".
# Messages of mpirun and of the MPI library on standard error are ignored, because they depend on the machine and its load.
same_in_processes() {
  local name=$1 processes file
  shift
  rm -f alone.* together.*
  "${@//OUT/alone}" >alone.stdout 2>alone.stderr || fail "$name: alone: $(cat alone.stdout alone.stderr)"
  own_messages "$1" alone
  for processes in 2 3; do
    mpirun --oversubscribe -n $processes "${@//OUT/together}" >together.stdout 2>together.stderr ||
      fail "$name: $processes processes: $(cat together.stdout together.stderr)"
    own_messages "$1" together
    for file in alone.*; do
      [[ $file == alone.stderr ]] || expect_same "$file" "together.${file#alone.}" "$name, $processes processes"
    done
  done
}

# own_messages PROGRAM RUN: copies the messages of the program itself from RUN.stderr to RUN.messages.
own_messages() { grep -a "^${1##*/}: " "$2.stderr" >"$2.messages" || true; }

# in_ranks PROCESSES ODD SCRIPT: runs SCRIPT in so many processes. In SCRIPT, $odd is 1 in the process of rank ODD and 0 in the
# others. Sets code to the exit code; the output is in out.txt and err.txt. Hanging processes are ended before ctest's timeout,
# with code 124.
in_ranks() {
  code=0
  timeout 400 mpirun --oversubscribe -n "$1" sh -c "odd=0; [ \"\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}\" -ne $2 ] || odd=1; $3" \
    >out.txt 2>err.txt || code=$?
}

# differ_in_processes WHAT SCRIPT: if one process has a different WHAT, all must end with status 3, without a report, and with one
# message that names the rank. Tests the last process and the first, with which the others are compared.
differ_in_processes() {
  local ranks
  for ranks in '2 1' '3 0'; do
    # shellcheck disable=SC2086  # two numbers
    in_ranks $ranks "$2"
    [ $code -eq 3 ] || fail "different $1 ($ranks): exit code $code, expected 3: $(cat out.txt err.txt)"
    [ ! -s out.txt ] || fail "different $1 ($ranks): a report: $(cat out.txt)"
    [ "$(grep -c "the processes have different inputs" err.txt)" -eq 1 ] || fail "different $1 ($ranks) are not said once: $(cat err.txt)"
    case $ranks in
      '3 0') expect_line err.txt "rank 1 has other $1, rank 2 has other $1 than rank 0|rank 1 has another $1, rank 2 has another $1 than" ;;
      *) expect_line err.txt "different inputs: rank ${ranks#* } has (other|another) $1 than rank 0" ;;
    esac
  done
}

# fails_in_one STATUS REGEX SCRIPT: if one process fails, the first or another one, all must end with its status, and the reason
# must be printed once.
fails_in_one() {
  local odd
  for odd in 0 1; do
    in_ranks 2 $odd "$3"
    [ $code -eq "$1" ] || fail "rank $odd fails alone: exit code $code, expected $1: $(cat out.txt err.txt)"
    [ "$(grep -Ec "$2" err.txt)" -eq 1 ] || fail "rank $odd fails alone, '$2' is not said once: $(cat err.txt)"
  done
}

# cannot_write SCRIPT: only the first process writes. If it cannot write to /dev/full, all must end with status 8, with one
# message.
cannot_write() {
  in_ranks 2 0 "$1"
  [ $code -eq 8 ] || fail "a full disk: exit code $code, expected 8: $(cat err.txt)"
  [ "$(grep -c 'cannot write /dev/full' err.txt)" -eq 1 ] || fail "a full disk is not said once: $(cat err.txt)"
}

# lacks_memory_in_one SCRIPT: all processes must end if one of them has not enough memory to read the topology $odd.net, which is
# t.net with a very long comment. Its limit is large enough for the launcher's libraries.
lacks_memory_in_one() {
  cp t.net 0.net
  { cat t.net && { yes '# nothing is said here' | head -c 600M || true; } && echo; } >1.net
  # shellcheck disable=SC2016  # the inner shell's
  fails_in_one 3 'cannot read 1.net: it does not fit into memory' '[ $odd = 0 ] || ulimit -v 500000; '"$1"
  rm 0.net 1.net
}
