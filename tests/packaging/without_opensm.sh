#!/usr/bin/env bash
# The recipes for Spack and EasyBuild exclude the parts that need OpenSM or an adapter. With their options the other parts are
# built, installed and run without network and not as root, in an empty system with the compiler and the recipes' dependencies,
# but neither OpenSM nor libibumad. PSSP_COMMIT is the commit (default: HEAD).
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
# shellcheck source=tests/packaging/roots.sh
. "$(dirname "$(readlink -f "$0")")/roots.sh"

commit=${PSSP_COMMIT:-HEAD}
need_roots "$@"
skip_without git ip
# ---- the options that the recipe sets ----
recipe=$PSSP_SOURCE_DIR/packaging/spack/package.py
sed -nE 's/^ *self\.define\("([A-Z_]+)", (True|False)\).*/\1=\2/p' "$recipe" | sed 's/=True/=ON/; s/=False/=OFF/; s/^/-D/' >"$scratch/options"
for option in PSSP_BUILD_PLUGIN PSSP_BUILD_CC_TOOLS PSSP_BUILD_MONITOR; do expect_line "$scratch/options" "^-D$option=OFF\$"; done
mapfile -t options <"$scratch/options"

# ---- a system with the dependencies, by Debian's names ----
declare -A debian_name=([c]=gcc [cxx]=g++ [cmake]=cmake [ninja]=ninja-build [cli11]=libcli11-dev [nlohmann-json]=nlohmann-json3-dev
  [fmt]=libfmt-dev [libarchive]=libarchive-dev [intel-oneapi-tbb]=libtbb-dev)
# MPI is a variant that is off by default.
sed -nE '/when="\+mpi"/d; s/^ *depends_on\("([a-z0-9-]+).*/\1/p' "$recipe" >"$scratch/depends"
packages=()
while read -r name; do
  [[ -n ${debian_name[$name]:-} ]] || fail "this test does not know what Spack's $name is called in Debian"
  packages+=("${debian_name[$name]}")
done <"$scratch/depends"
trap leave_roots EXIT
find_base
make_root without
install_in_root --no-install-recommends "${packages[@]}"
for file in usr/include/infiniband usr/include/mpi usr/sbin/opensm usr/bin/ibsim; do
  [[ ! -e $root/$file ]] || fail "/$file is there, which nobody asked for"
done
! compgen -G "$root/usr/lib/*/lib*{opensm,osmcomp,ibumad,ibmad}*" >"$scratch/found" || fail "libraries that nobody asked for: $(<"$scratch/found")"
add_user
place=$root/home/alice\ b/opensm-pssp
mkdir "$place"
git -C "$PSSP_SOURCE_DIR" -c safe.directory='*' archive "$commit" | tar -x -C "$place"
in_root chown -R alice: /home
printf '%3d s  the system is there; building\n' "$SECONDS"

# ---- built, installed and run ----
expect 0 '' offline_as_user cmake -S opensm-pssp -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX='/home/alice b/tools' "${options[@]}" \
  -DPSSP_MPI=OFF
expect 0 '' offline_as_user cmake --build build
expect 0 '' offline_as_user cmake --install build
printf '%3d s  built and installed\n' "$SECONDS"
tools='/home/alice b/tools/bin'
for program in "$root$tools/pssp" "$root$tools"/../libexec/pssp/*; do
  name=$(basename "$program")
  expect 0 "^$name [0-9]" offline_as_user "${program#"$root"}" --version
  ! in_root ldd "${program#"$root"}" | grep -E 'not found|ibumad|ibmad|opensm|mpi' || fail "$name needs what is not there"
done
for file in bin/pssp bin/eval_lft libexec/pssp/simulate_fabric share/opensm-pssp/scenarios share/man/man1/pssp-eval.1; do check test -e "$root/home/alice b/tools/$file"; done
expect 0 '' offline_as_user "$tools/pssp" make-topo k-ary-n-tree 4 2 --lids -o t.net
expect 0 '' offline_as_user "$tools/pssp" route --engine best t.net -o t.lft
expect 0 'bisection' offline_as_user "$tools/pssp" eval t.lft t.net
expect 0 '' offline_as_user "$tools/pssp" simulate --scenario thesis-a --check
# Programs that simulate a fabric with opensm report what is missing.
expect 20 'ibsim' offline_as_user "$tools/start_ibsim.sh" t.net
