#!/usr/bin/env bash
# Messages about missing programs: the program, its Debian package, and status 20 (8 if a picture cannot be drawn). A mount over
# the program's folder hides the program for one command.
if ((EUID == 0)) && [[ -z ${PSSP_PRIVATE:-} ]] && unshare --mount true 2>/dev/null; then
  PSSP_PRIVATE=1 exec unshare --mount --pid --fork --kill-child --mount-proc "$0" "$@"
fi
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$(readlink -f "$0")")/../ibsim_harness/testing.sh"
((EUID == 0)) || skip 'needs root, to mount'
skip_without unshare opensm ibsim dump_fts gnuplot
[[ -e $PSSP_BUILD_DIR/lib/libosmpssp.so ]] || skip 'this build has no plugin'

[[ -n ${PSSP_PRIVATE:-} ]] || skip 'may not have mounts of its own'
mkdir "$scratch/a blank" "$scratch/layers"
mount -t tmpfs tmpfs "$scratch/layers"
end_mounts() {
  cd /
  umount -l "$scratch/layers" "$scratch/a blank/small" "$scratch/a blank/small" 2>/dev/null || true
  clean_up
}
trap end_mounts EXIT
cd "$scratch/a blank"
"$bin/make_topo" k-ary-n-tree 3 2 --lids -o t.net
"$bin/route_lft" --engine pssp t.net -o t.lft
dry_run=(env "PSSP_BUILD_DIR=$PSSP_BUILD_DIR" "$bin/dry_run" t.net)

# hide PROGRAM...: hides the programs in a separate mount namespace, in which without runs its command.
hide() {
  local program file folder layer
  for program; do
    file=$(PATH=$PATH:/usr/sbin:/sbin command -v "$program")
    folder=$(readlink -f "$(dirname "$file")")
    layer=$(mktemp -d "$scratch/layers/XXXX")
    mkdir "$layer/upper" "$layer/work"
    mount -t overlay overlay -o "lowerdir=$folder,upperdir=$layer/upper,workdir=$layer/work" "$folder"
    rm "$folder/$program"
  done
}
export scratch
export -f hide

# without "PROGRAM ..." STATUS REGEX COMMAND...: expect without the programs.
without() {
  # shellcheck disable=SC2016  # of the shell in there
  expect "$2" "$3" unshare --mount bash -c 'set -e; hide $1; shift; exec "$@"' bash "$1" "${@:4}"
}

without opensm 20 'opensm' "${dry_run[@]}" --engine minhop
without ibsim 20 'ibsim-utils' "${dry_run[@]}" --engine minhop
without dump_fts 20 'infiniband-diags' "${dry_run[@]}" --engine minhop
without gnuplot 8 'gnuplot' "$bin/eval_lft" t.lft t.net -n 10 --plot p.svg
without dot 8 'graphviz' "$bin/eval_lft" t.lft t.net -n 10 --map m.png
# Each program that starts opensm reports all missing programs together, before it creates a result folder.
lacks_three() {
  without 'opensm ibsim dump_fts' 20 'ibsim-utils' "$@" --out nothing
  said stderr '^    dump_fts of the Debian package infiniband-diags: required$'
  said stderr '^  sudo apt-get install ibsim-utils opensm infiniband-diags '
  [[ ! -e nothing ]] || fail "$1: a folder for nothing"
}
lacks_three "${dry_run[@]}"
lacks_three "$bin/compare_engines" t.net
lacks_three "$bin/bench_opensm" --sizes t.net
without 'opensm ibsim' 20 'ibsim-utils' "$bin/play_traffic" t.net
said stderr '^  sudo apt-get install ibsim-utils opensm '
without 'opensm gnuplot' 20 'opensm' "$bin/compare_engines" t.net --plot p.svg
said stderr '^    gnuplot of the Debian package gnuplot-nox: needed only for --plot$'
without 'opensm gnuplot' 20 'gnuplot-nox' "$bin/bench_opensm" --sizes t.net

# ---- the plugin ----
mkdir -p bare/bin other/bin other/lib
for program in "$bin"/*; do ln -s "$program" bare/bin && ln -s "$program" other/bin; done
expect 20 'libosmpssp' env PSSP_BUILD_DIR="$PWD/bare" "${dry_run[@]:2}" --engine pssp
# A plugin for another OpenSM has another version string, which opensm compares.
version=$("$bin/route_lft" --version | sed 's/.*OpenSM //; s/)//')
sed "s/OpenSM $version/OpenSM ${version%?}Z/g" "$PSSP_BUILD_DIR/lib/libosmpssp.so" >other/lib/libosmpssp.so
expect 20 'version mismatch|Error loading plugin' env PSSP_BUILD_DIR="$PWD/other" "${dry_run[@]:2}" --engine pssp

# ---- places ----
mkdir small
mount -t tmpfs -o size=8k tmpfs small
expect 8 'free space in' "${dry_run[@]}" --engine minhop --out small/out
mount -t tmpfs -o noexec tmpfs small
expect 0 '' env TMPDIR="$PWD/small" "${dry_run[@]}" --engine pssp --out result
mount --bind "$PSSP_SOURCE_DIR" "$PSSP_SOURCE_DIR"
mount -o remount,bind,ro "$PSSP_SOURCE_DIR"
expect 0 '' unshare --net "${dry_run[@]}" --engine pssp --out 'another blank'
umount "$PSSP_SOURCE_DIR"
