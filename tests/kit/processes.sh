# shellcheck shell=bash
# For scripts that call programs under mpirun; sourced after expect.sh.

skip_without mpirun
# Open MPI wants to be asked twice before it runs as root, as it has to in a container.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# Sockets of the launcher go there; the length of their names is limited.
# shellcheck disable=SC2154  # of expect.sh
export TMPDIR=$scratch

# skip_unless_joining PROGRAM: skips where it was built without MPI.
skip_unless_joining() {
  [[ $(mpirun --oversubscribe -n 2 "$1" --version 2>&1) != *'built without MPI'* ]] || skip 'built without MPI'
}

# same_in_processes NAME COMMAND...: the command says the same alone and in 2 and 3 processes, on standard output as in files,
# which have OUT in their names: it becomes "alone" or "together".
same_in_processes() {
  local name=$1 processes file
  shift
  rm -f alone.* together.*
  "${@//OUT/alone}" >alone.txt 2>&1 || fail "$name: alone: $(cat alone.txt)"
  for processes in 2 3; do
    mpirun --oversubscribe -n $processes "${@//OUT/together}" >together.txt 2>&1 ||
      fail "$name: $processes processes: $(cat together.txt)"
    for file in alone.*; do
      cmp "$file" "together.${file#alone.}" || fail "$name: $processes processes say something else"
    done
  done
}

# differ_in_processes WHAT SCRIPT: three processes run SCRIPT, in which $rank is the number of the process, find that the last one
# has another WHAT, say so once, with its rank, report nothing, and end with status 3.
differ_in_processes() {
  local code=0
  mpirun --oversubscribe -n 3 sh -c "rank=\${OMPI_COMM_WORLD_RANK:-\$PMI_RANK}; $2" >out.txt 2>err.txt || code=$?
  [ $code -eq 3 ] || fail "different $1: exit code $code, expected 3: $(cat out.txt err.txt)"
  [ ! -s out.txt ] || fail "different $1: a report: $(cat out.txt)"
  [ "$(grep -c "rank 2 .*$1" err.txt)" -eq 1 ] || fail "different $1 are not said once, with the rank: $(cat err.txt)"
}
