#!/usr/bin/env bash
# ibsim_files playable: the simulated topology and the messages about it. test_topology_survey.cpp tests the counts themselves.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/testing.sh"
cd "$scratch"

# playable TOPOLOGY COUNTS HOST [OPTION...]: checks the output.
playable() {
  expect 0 '' "$bin/ibsim_files" playable "$1" copy.net "${@:4}"
  expect_equal "survey of $1" "$(<stdout)" "$2"$'\n'"$3"$'\n'"$scratch/copy.net"$'\n''0 FALSE'
}

mesh 2 2 >mesh.net
playable mesh.net '8 4 40 4' H0_0
said_nothing stderr
mv copy.net clean.net
playable mesh.net '8 4 40 4' H1_1 --host H1_1
tr -d '\t ' <mesh.net >lost.net
playable lost.net '8 4 40 4' H0_0
expect_same clean.net copy.net
playable clean.net '8 4 40 4' H0_0
expect_same clean.net copy.net
expect 3 'this is not a topology: it looks like an empty file' "$bin/ibsim_files" playable - copy.net
sed 's/"H/"G/g; s/"S/"T/g' mesh.net >second.net
cat second.net >>mesh.net
playable mesh.net '8 4 40 4' H0_0
said stderr '4 switches and 4 adapters without a connection'
playable mesh.net '8 4 40 4' G1_1 --host G1_1
expect 2 'COPY' "$bin/ibsim_files" playable mesh.net mesh.net
# A pipe is read only once, in every format.
expect 0 '' "$bin/ibsim_files" playable <(cat "$PSSP_SOURCE_DIR/tests/fabric/formats/other_commands/02-ibnetdiscover-ports.txt") copy.net
expect_equal 'switches of a port list from a pipe' "$(grep -c '^Switch' copy.net)" 8
