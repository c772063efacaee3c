#!/usr/bin/env bash
# A failed test prints both sides of a comparison or the command that failed, and keeps its files. The comparison of runs under
# mpirun ignores the launcher's own messages.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/expect.sh"
cd "$scratch"
export PSSP_BUILD_DIR=$scratch/build
mkdir build

# run_script STATUS NAME: runs a test script from standard input, which must end with STATUS. Its output is in out.txt and
# err.txt.
run_script() {
  local status=0
  {
    printf '. %q\n' "$PSSP_SOURCE_DIR/tests/kit/expect.sh"
    cat
  } >"$2"
  bash "$2" >out.txt 2>err.txt || status=$?
  ((status == $1)) || fail "$2: status $status, expected $1: $(<err.txt)"
}

# ---- both sides of a comparison ----
run_script 1 test_lines.sh <<'SCRIPT'
cd "$scratch"
printf 'alike\nours\n' >ours.txt
printf 'alike\ntheirs\n' >theirs.txt
expect_same ours.txt theirs.txt
SCRIPT
expect_line err.txt 'FAILED: test_lines\.sh:5: ours\.txt and theirs\.txt differ'
expect_line err.txt 'ours$'
expect_line err.txt 'theirs$'

# The two lines of a megabyte differ only at their end.
run_script 1 test_long_line.sh <<'SCRIPT'
line_with_end() { head -c 1000000 /dev/zero | tr '\0' x && echo "$1"; }
expect_same <(line_with_end ours) <(line_with_end theirs) 'two long lines'
SCRIPT
expect_line err.txt 'FAILED: test_long_line\.sh:3: two long lines: '
expect_line err.txt 'xours$'
expect_line err.txt 'xtheirs$'
(($(wc -c <err.txt) < 4000)) || fail "the evidence has $(wc -c <err.txt) bytes"
run_script 1 test_shorter.sh <<'SCRIPT'
cd "$scratch"
printf 'one\ntwo\nthree\n' >longer.txt
printf 'one\n' >shorter.txt
: >empty.txt
(expect_same longer.txt shorter.txt) || true
expect_same empty.txt longer.txt
SCRIPT
expect_line err.txt '^ *two$'
expect_line err.txt 'empty\.txt and longer\.txt differ'
run_script 1 test_missing.sh <<<"expect_same \"\$scratch/nothing\" /dev/null"
expect_line err.txt 'nothing: No such file'
run_script 1 test_different.sh <<'SCRIPT'
expect_different <(echo a) <(echo b)
expect_different <(echo a) <(echo a) 'two seeds'
SCRIPT
expect_line err.txt 'FAILED: test_different\.sh:3: two seeds: .* are the same'

# ---- the command that ended a test, and the files of the test ----
run_script 1 test_kept.sh <<'SCRIPT'
cd "$scratch"
mkdir logs
echo 'a line of the log' >logs/opensm.log
head -c 20000000 /dev/zero >logs/large
mkfifo pipe
trap 'true; clean_up' EXIT
in_a_function() { grep -q absent logs/opensm.log; }
in_a_function
SCRIPT
expect_line err.txt 'FAILED: test_kept\.sh:8: status 1 from: grep -q absent logs/opensm\.log'
expect_line err.txt "files of the test: $scratch/build/failed_tests/.*test_kept$"
kept=$(echo build/failed_tests/*test_kept)
expect_line "$kept/logs/opensm.log" 'a line of the log'
check test ! -e "$kept/logs/large"
check test ! -e "$kept/pipe"
run_script 21 test_kept.sh <<'SCRIPT'
die() { exit "$1"; }
trap 'true; clean_up' EXIT
touch "$scratch/of_the_second_run"
die 21
SCRIPT
check test -e "$kept/of_the_second_run"
check test ! -e "$kept/logs"
rm -r build/failed_tests
run_script 77 test_skipped.sh <<<"skip 'nothing to do'"
run_script 0 test_passed.sh <<'SCRIPT'
trap 'true; clean_up' EXIT
! false
found=$(false; echo found)
if grep -q absent /dev/null; then exit 3; fi
grep -q absent /dev/null || check test "$found" = found
set +e
false
set -e
(exit 4) || true
SCRIPT
expect_equal 'messages of a test that passes' "$(<err.txt)" ''
check test ! -e build/failed_tests

# ---- mpirun's own messages ----
if ! command -v mpirun >/dev/null; then
  echo 'mpirun is not installed: the comparison of processes is not tested'
  exit
fi
mkdir launcher
cat >launcher/mpirun <<END
#!/bin/sh
echo 'mpirun: a message of the launcher on a loaded machine' >&2
exec $(command -v mpirun) "\$@"
END
# Creates a fake program of which only the first process prints.
stand_in() {
  # shellcheck disable=SC2016  # for the program
  printf '%s\n' '#!/bin/sh' '[ "${OMPI_COMM_WORLD_RANK:-0}" = 0 ] || exit 0' 'processes=${OMPI_COMM_WORLD_SIZE:-1}' "$2" >"$1"
  chmod +x "$1"
}
chmod +x launcher/mpirun
# shellcheck disable=SC2016
{
  stand_in program 'echo "program: a warning" >&2; echo answer; echo "a file" >"$1"'
  stand_in other_answer 'echo "the answer of $processes"'
  stand_in other_warning 'echo answer; [ "$processes" = 3 ] || echo "other_warning: a warning" >&2'
}
PATH=$scratch/launcher:$PATH
compare() { run_script "$1" test_processes.sh <<<". '$PSSP_SOURCE_DIR/tests/kit/processes.sh'; cd '$scratch'; same_in_processes 'a comparison' ${*:2}"; }
compare 0 ./program OUT.txt
compare 1 ./other_answer
expect_line err.txt 'a comparison, 2 processes: alone\.stdout and together\.stdout differ'
expect_line err.txt 'the answer of 1$'
expect_line err.txt 'the answer of 2$'
compare 1 ./other_warning
expect_line err.txt 'a comparison, 3 processes: alone\.messages and together\.messages differ'
