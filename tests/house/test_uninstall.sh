#!/usr/bin/env bash
# The target uninstall removes everything that cmake installs, and nothing else: neither foreign files nor Debian's folders.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
skip_without cmake
[[ -f $PSSP_BUILD_DIR/cmake_install.cmake ]] || skip 'not a build folder'
manifest=$PSSP_BUILD_DIR/install_manifest.txt

# The test writes only the manifest into the build folder; the manifest of a real installation is restored.
[[ ! -f $manifest ]] || cp -p "$manifest" "$scratch/manifest"
end_all() {
  rm -f "$manifest"
  [[ ! -f $scratch/manifest ]] || cp -p "$scratch/manifest" "$manifest"
  clean_up
}
trap end_all EXIT

# install_and_uninstall PREFIX: installs, checks, uninstalls, and compares with the state before.
install_and_uninstall() {
  export DESTDIR=$scratch/root
  (cd "$DESTDIR" && find . | sort) >"$scratch/before"
  expect 0 '' cmake --install "$PSSP_BUILD_DIR" --prefix "$1"
  (cd "$DESTDIR" && find . | sort) >"$scratch/between"
  # bin/ has pssp, two programs with names of their own, and the harness scripts. pssp must find its programs and their data.
  expect_equal 'bin' "$(cd "$DESTDIR$1/bin" && echo *)" "dump_routes.sh eval_lft $([[ ! -x $bin/monitor_fabric ]] || echo 'monitor_fabric ')pssp start_ibsim.sh start_osm.sh stop_ibsim.sh"
  expect 0 '^pssp simulate [0-9]' "$DESTDIR$1/bin/pssp" simulate --version
  expect 0 '' "$DESTDIR$1/bin/pssp" simulate --scenario thesis-a --check
  expect 0 '^eval_lft [0-9]' "$DESTDIR$1/bin/eval_lft" --version
  check test "$(wc -l <"$manifest")" -ge 20
  if [[ -x $bin/monitor_fabric ]]; then
    expect_line "$DESTDIR$1/lib/systemd/system/monitor_fabric.service" "^ExecStart=\"$1/bin/monitor_fabric\" serve "
  fi
  expect 0 'Removing .*/bin/eval_lft' cmake "-DMANIFEST=$manifest" -P "$PSSP_SOURCE_DIR/cmake/uninstall.cmake"
  (cd "$DESTDIR" && find . | sort) >"$scratch/after"
  expect_same "$scratch/before" "$scratch/after"
  expect 1 'uninstalled already' cmake "-DMANIFEST=$manifest" -P "$PSSP_SOURCE_DIR/cmake/uninstall.cmake"
  unset DESTDIR
}

# Create the module folders of Debian's interpreter, if it is installed.
for folder in /usr/local/lib/python3*/dist-packages; do
  [[ ! -d $folder ]] || mkdir -p "$scratch/root$folder"
done
mkdir -p "$scratch/root/usr/local/bin" "$scratch/root/usr/local/share/man" "$scratch/root/usr/local/lib" "$scratch/root/opt"
install_and_uninstall /usr/local
install_and_uninstall '/opt/our programs'
# Files and folders of other packages.
mkdir -p "$scratch/root/opt/pssp/share/doc" "$scratch/root/opt/pssp/lib/systemd/system"
touch "$scratch/root/opt/pssp/share/doc/.keep" "$scratch/root/opt/pssp/lib/systemd/system/other.service"
install_and_uninstall /opt/pssp
