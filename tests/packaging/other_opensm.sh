#!/usr/bin/env bash
# Compiles another version of OpenSM. The plugin that is built for it must route, with the same figures as in the installed
# version. The plugin for the installed version must be refused, with a message about what opensm routes with instead.
# PSSP_OPENSM_SOURCE is a folder with the sources of OpenSM (https://github.com/linux-rdma/opensm); the test is skipped without
# it. PSSP_KEEP is a folder that keeps this OpenSM and the plugin's build for later runs.
# usage: other_opensm.sh [OPTION OF CMAKE...]: for the plugin's build.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"

[[ -n ${PSSP_OPENSM_SOURCE:-} ]] || skip 'PSSP_OPENSM_SOURCE names no sources of OpenSM'
skip_without autoreconf libtoolize flex bison make cmake ninja opensm ibsim dump_fts jq
[[ -e $PSSP_BUILD_DIR/lib/libosmpssp.so ]] || skip 'this build has no plugin'
sources=$(readlink -f "$PSSP_OPENSM_SOURCE")
version=$(sed -nE 's/^AC_INIT\(opensm, ([0-9.]+),.*/\1/p' "$sources/configure.ac")
[[ -n $version ]] || fail "$sources/configure.ac does not say which OpenSM it is of: expected AC_INIT(opensm, VERSION, ..)"
installed=$("$bin/route_lft" --version | sed -n 's/.*OpenSM \(.*\))/\1/p')
[[ $installed != "$version" ]] || skip "the sources are of $version, which is the version that is installed"

# ---- the other opensm, in a separate folder ----
kept=${PSSP_KEEP:-$scratch/kept}
mkdir -p "$kept"
kept=$(readlink -f "$kept")
other=$kept/opensm
if [[ ! -x $other/sbin/opensm ]]; then
  cp -r "$sources" "$scratch/opensm"
  {
    cd "$scratch/opensm" && autoreconf --force --install &&
      ./configure --prefix="$other" --sysconfdir="$other/etc" --disable-static CFLAGS='-O1 -fcommon -w' && make -j "$(nproc)" && make install
  } >"$scratch/log" 2>&1 || fail "OpenSM $version could not be compiled: $(tail -n 20 "$scratch/log")"
  cd "$scratch"
fi
# Only opensm and its libraries are of the other version; the diagnostics are those of the machine.
export PATH=$other/sbin:$PATH LD_LIBRARY_PATH=$other/lib
expect 0 "OpenSM $version" opensm --version
printf '%3d s  OpenSM %s is there\n' "$SECONDS" "$version"

# ---- the plugin for it ----
build=$kept/plugin
expect 0 '' cmake -S "$PSSP_SOURCE_DIR" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_TESTING=OFF -DPSSP_BUILD_BENCHMARKS=OFF \
  -DOPENSM_INCLUDE_DIR="$other/include/infiniband" -DOPENSM_LIBRARY="$other/lib/libopensm.so" -DOSMCOMP_LIBRARY="$other/lib/libosmcomp.so" \
  -DPSSP_MPI=OFF "$@"
expect 0 '' cmake --build "$build" --parallel "$(nproc)" --target osmpssp dry_run eval_lft make_topo
grep -qaF "OpenSM $version" "$build/lib/libosmpssp.so" || fail "the plugin is not for OpenSM $version"
printf '%3d s  the plugin for it is built\n' "$SECONDS"

# dry_run BUILD ENGINE FOLDER: runs dry_run on the CHiC-like fabric.
dry_run() { env PSSP_BUILD_DIR="$1" "$1/bin/dry_run" --engine "$2" --out "$scratch/$3" --json; }
dry_run "$build" pssp theirs >"$scratch/theirs.json" 2>"$scratch/said" || fail "with the plugin for it: $(tail "$scratch/said")"
expect_equal 'edge forwarding index' "$(jq '.. | .edge_forwarding_index? | .max? // empty' "$scratch/theirs.json" | sed -n 1p)" 516
expect_line "$scratch/theirs/opensm.log" "OpenSM $version"
expect_line "$scratch/theirs/opensm.log" 'pssp tables configured on all switches'

# ---- the other plugin in it ----
expect 20 'version mismatch|Error loading plugin' dry_run "$PSSP_BUILD_DIR" pssp refused
used=$(sed -n 's/^.* \([^ ]*\) tables configured on all switches.*/\1/p' "$scratch/refused/opensm.log" | tail -n 1)
[[ -n $used && $used != pssp ]] || fail "opensm $version took the plugin for $installed, and routed with '$used'"
printf '%3d s  the plugin for OpenSM %s is refused by %s, which routes with %s\n' "$SECONDS" "$installed" "$version" "$used"
