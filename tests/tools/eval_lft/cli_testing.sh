# shellcheck shell=bash
# Setup that the tests of command lines share: the working directory is their scratch folder, which has a small fabric, topo.net.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../kit/expect.sh"
cd "$scratch"

# Two switches with two cables between them and two hosts each.
cat >topo.net <<'END'
Switch	4 "S1"
[1]	"H1"[1]
[2]	"H2"[1]
[3]	"S2"[3]
[4]	"S2"[4]

Switch	4 "S2"
[1]	"H3"[1]
[2]	"H4"[1]
[3]	"S1"[3]
[4]	"S1"[4]

Hca	1 "H1"
[1]	"S1"[1]

Hca	1 "H2"
[1]	"S1"[2]

Hca	1 "H3"
[1]	"S2"[1]

Hca	1 "H4"
[1]	"S2"[2]
END
