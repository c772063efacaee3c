#!/usr/bin/env bash
# pssp lists and starts the programs of tools/, which name themselves by their command in messages, and suggests the nearest
# command for a wrong one.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"
cd "$scratch"
pssp=$bin/pssp

# ---- the list ----
expect 0 '^Usage: pssp COMMAND' "$pssp"
said_nothing stderr
cp stdout list
for group in Route Evaluate Compare Simulate Operate Monitor; do expect_line list "^$group:\$"; done
expect 0 '' "$pssp" --help
expect_same list stdout
expect 0 '' "$pssp" help
expect_same list stdout
expect 0 '^pssp [0-9]+\.[0-9]' "$pssp" --version
expect 0 '^  cc apply ' "$pssp" cc
! grep -q ' route ' stdout || fail 'pssp cc lists other commands'

# Each program of tools/ has a command, except for the internal one.
table=$PSSP_SOURCE_DIR/tools/pssp/commands.inc
sed -nE 's/^\{"[A-Za-z]+", "([^"]+)", "([^"]+)",.*/\2 \1/p' "$table" | sort >programs
for folder in "$PSSP_SOURCE_DIR"/tools/*/; do
  name=$(basename "$folder")
  [[ ! -e $folder/$name.cpp || $name == pssp || $name == ibsim_files ]] || echo "$name"
done | sort >wanted
cut -d ' ' -f 1 programs >listed
expect_same wanted listed

# ---- programs that pssp starts name themselves accordingly ----
while read -r program command; do
  [[ -x $bin/$program ]] || continue
  grep -q "^  $command  " list || fail "$command is not in the list"
  read -ra words <<<"$command"
  expect 0 "^pssp $command [0-9]+\.[0-9]" "$pssp" "${words[@]}" --version
  expect 0 "[Uu]sage: pssp $command " "$pssp" help "${words[@]}"
  cp stdout help
  expect 0 '' "$pssp" "${words[@]}" --help
  expect_same help stdout
  expect 2 "^pssp $command: " "$pssp" "${words[@]}" --no-such-option
  ! grep -q "^$program:" stderr || fail "$command calls itself $program: $(<stderr)"
  expect 2 "^$program: " "$bin/$program" --no-such-option
done <programs
# Operands and standard input reach the program, and pssp returns its exit code.
expect 0 '' "$pssp" make-topo k-ary-n-tree 2 2 -o 'a tree.net'
"$pssp" convert - --to net -o - <'a tree.net' >converted
check test -s converted
expect 3 '^pssp route: .*no such file' "$pssp" route -e pssp 'no such file'

# ---- mistakes ----
expect 2 "^pssp: unknown command 'rout' .*did you mean route\?" "$pssp" rout
expect 2 "^pssp: unknown command 'cc aply' .*did you mean cc apply\?" "$pssp" cc aply
expect 2 "unknown command 'tune_cc' .*did you mean tune-cc\?" "$pssp" help tune_cc
expect 2 "unknown command 'xyzzy'" "$pssp" xyzzy
! grep -q 'did you mean' stderr || fail "a suggestion for xyzzy: $(<stderr)"
expect 2 "unknown option '--versoin' .*did you mean --version\?" "$pssp" --versoin
said_nothing stdout

# ---- an installation without some programs ----
mkdir -p 'any place/bin' 'any place/libexec/pssp'
cp "$pssp" 'any place/bin/'
cp "$bin/make_topo" 'any place/libexec/pssp/'
ln -s 'any place/bin/pssp' link
expect 0 '^pssp make-topo [0-9]' ./link make-topo --version
expect 0 '^  make-topo ' ./link
! grep -q '^  route ' stdout || fail 'a program is listed that is not installed'
expect 20 "^pssp: cannot start .*/route_lft, the program of \`pssp route\`: No such file" ./link route
# Under an MPI launcher pssp starts the program that is built with MPI.
printf '#!/bin/sh\necho "with MPI: $*"\n' >'any place/libexec/pssp/make_topo-mpi'
chmod +x 'any place/libexec/pssp/make_topo-mpi'
expect 0 '^with MPI: chic$' env PMIX_RANK=0 ./link make-topo chic
expect 0 '^pssp make-topo [0-9]' ./link make-topo --version
