#!/usr/bin/env bash
# The preset `default` builds all parts whose libraries are installed, and at the end of configuring lists the other parts with
# the Debian packages that they need. This test downloads and builds nothing.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
skip_without cmake ninja
cd "$PSSP_SOURCE_DIR"
mkdir "$scratch/no_archives"

# configure NAME OPTION...: the output is in $scratch/stdout, and the list of programs in $scratch/NAME.programs.
configure() {
  expect 0 '' cmake --preset default -B "$scratch/$1" "-DPSSP_WEB_LIBRARIES=$scratch/no_archives" "${@:2}"
  ninja -C "$scratch/$1" -t targets all | sed -n 's/^bin\/\([a-z_]*\): .*/\1/p' | sort >"$scratch/$1.programs"
}
builds() { expect_line "$scratch/$1.programs" "^$2$"; }

# ---- without the libraries of the monitor, of Python and of archives, and without MPI ----
absent=(-DCMAKE_DISABLE_FIND_PACKAGE_restinio=ON -DCMAKE_DISABLE_FIND_PACKAGE_SQLiteCpp=ON -DCMAKE_DISABLE_FIND_PACKAGE_pybind11=ON
  -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON -DCMAKE_DISABLE_FIND_PACKAGE_LibArchive=ON)
configure without "${absent[@]}"
said stdout '^-- Not built:$'
said stdout '^--   monitor_fabric, .*: .*apt install .*librestinio-dev libsqlitecpp-dev\)$'
said stdout '^--   pssp, the module for Python: .*apt install .*pybind11-dev\)$'
said stdout '^--   archives .*: .*apt install libarchive-dev\)$'
said stdout '^--   eval_lft, simulate_application, simulate_fabric and tune_cc under mpirun: .*apt install libopenmpi-dev\)$'
! grep -q PSSP_BUILD "$scratch/stderr" || fail "an option of the preset is not known: $(<"$scratch/stderr")"
expect_equal 'parts that are left out' "$(grep -c '^--   ' "$scratch/stdout")" 4
# These programs need only the libraries of the demo.
for program in dry_run eval_lft make_topo cc_apply deploy_tables play_traffic reroute_impact; do builds without "$program"; done
! grep -qx monitor_fabric "$scratch/without.programs" || fail 'monitor_fabric is built without its libraries'
# A reference to a library of ours that is not built would become -lNAME.
! grep -oE -e '-lpssp_[a-z_]+' "$scratch/without/build.ninja" >"$scratch/absent" || fail "linked with what is left out: $(sort -u "$scratch/absent")"

# ---- a missing required part is an error ----
expect 1 'restinio' cmake --preset default -B "$scratch/required" "${absent[@]}" -DPSSP_BUILD_MONITOR=ON
expect 1 'expected AUTO, ON or OFF' cmake --preset default -B "$scratch/wrong" -DPSSP_BUILD_MONITOR=perhaps
expect 1 'PSSP_BUILD_SITE needs mkdocs and mkdocs-material' cmake --preset default -B "$scratch/site" -DPSSP_BUILD_SITE=ON -DMKDOCS_MATERIAL_DIR=

# ---- with the libraries of this machine; install_dependencies.sh knows the packages of all parts ----
configure with
if grep -q '^--   monitor_fabric, ' "$scratch/stdout"; then
  echo 'the libraries of the monitor are not installed: the whole build is not looked at'
else
  for program in deploy_tables play_traffic monitor_fabric; do builds with "$program"; done
  said stdout '^--   the web pages of monitor_fabric: need uplot-.*apt install npm'
fi
grep -ohE '[a-z0-9.-]+-dev' cmake/optional_parts.cmake tools/launch/CMakeLists.txt | sort -u | while read -r package; do
  grep -qw -- "$package" scripts/install_dependencies.sh || fail "install_dependencies.sh does not install $package"
done
