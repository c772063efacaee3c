#!/usr/bin/env bash
# Package recipes are consistent with the project: their options are options of CMake, the files that they name exist, and they
# parse.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
cd "$PSSP_SOURCE_DIR"

recipes=(debian/rules packaging/rpm/pssp.spec packaging/spack/package.py packaging/easybuild/opensm-pssp.eb)

# ---- options ----
grep -ohE '\bPSSP_[A-Z_]+' "${recipes[@]}" | sort -u | while read -r option; do
  git ls-files -co --exclude-standard -- '*CMakeLists.txt' '*.cmake' | xargs grep -qE "^ *(option|set)\\($option\\b" ||
    fail "no file of CMake has an option $option: $(grep -l "$option" "${recipes[@]}" | paste -sd ' ')"
done
# All recipes without a plugin use the three options that exclude the parts that need OpenSM or an adapter.
for recipe in packaging/spack/package.py packaging/easybuild/opensm-pssp.eb; do
  for option in PSSP_BUILD_PLUGIN PSSP_BUILD_CC_TOOLS PSSP_BUILD_MONITOR; do expect_line "$recipe" "$option"; done
done

# ---- files ----
# Files of packages that come from the sources and not from the installation. Programs are known only after the build.
awk '$1 !~ /^(usr|lib|etc)\// { print $1 }' debian/*.install | while read -r file; do
  compgen -G "$file" >"$scratch/found" || fail "debian: there is no $file"
done
cat debian/*.examples debian/*.docs | while read -r file; do check test -e "$file"; done
check test -x debian/rules
check test -x debian/try_programs

# ---- recipes name the same source archives as the build ----
sed -nE 's/^ *web_library\(([a-z]+) ([0-9.]+) ([0-9a-f]{64}) .*/\3  debian\/missing-sources\/\1-\2.tgz/p' monitor/web/CMakeLists.txt >"$scratch/sums"
expect_equal 'archives' "$(wc -l <"$scratch/sums")" 2
expect 0 '' sha256sum --check "$scratch/sums"
sed 's/.*  //' "$scratch/sums" | while read -r file; do expect_line debian/copyright "^Files: $file\$"; done

# ---- the build type of packaging tools ----
if command -v cmake >"$scratch/found"; then
  expect 1 'CMAKE_BUILD_TYPE is None.*' cmake -S . -B "$scratch/build" -DCMAKE_BUILD_TYPE=None
  said stderr 'CMAKE_BUILD_TYPE=Release'
fi

# ---- the remaining parts refer to excluded parts neither in sources nor at link time ----
# without_opensm.sh builds this configuration in a system without these libraries, which takes minutes.
git ls-files -co --exclude-standard -- '*.h' '*.c' '*.cpp' | grep -vE '^(osm_plugin|wire|tests|benchmarks)/' | xargs grep -nE '#include <(infiniband|opensm|iba|complib|vendor)/' \
  >"$scratch/found" && fail "headers of OpenSM or of a device beyond osm_plugin and wire: $(<"$scratch/found")"
if command -v cmake >"$scratch/found" && command -v ninja >"$scratch/found"; then
  expect 0 '' cmake -S . -B "$scratch/without" -G Ninja -DBUILD_TESTING=OFF -DPSSP_BUILD_BENCHMARKS=OFF -DPSSP_BUILD_PLUGIN=OFF \
    -DPSSP_BUILD_CC_TOOLS=OFF -DPSSP_BUILD_MONITOR=OFF -DPSSP_MPI=OFF
  # A reference to a missing library of ours would become -lNAME.
  ! grep -oE -e '-lpssp_[a-z_]+|lib(opensm|osmcomp|ibumad|ibmad|mpi)[^ ]*' "$scratch/without/build.ninja" | sort -u >"$scratch/found" ||
    fail "linked all the same: $(<"$scratch/found")"
fi

# ---- programs of the archive look for its libraries where it has them ----
if command -v cmake >"$scratch/found" && command -v ninja >"$scratch/found"; then
  expect 0 '' cmake --preset archive -B "$scratch/archive"
  # shellcheck disable=SC2016  # of the loader
  expect_line "$scratch/archive/tools/eval_lft/cmake_install.cmake" 'RPATH ".*\$ORIGIN/\.\./\.\./lib"'
  # shellcheck disable=SC2016
  expect_line "$scratch/archive/tools/pssp/cmake_install.cmake" 'RPATH ".*\$ORIGIN/\.\./lib"'
fi

# ---- languages ----
if command -v python3 >"$scratch/found"; then
  for recipe in packaging/spack/package.py packaging/easybuild/opensm-pssp.eb; do
    expect 0 '' python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' "$recipe"
  done
fi
if command -v rpmspec >"$scratch/found"; then expect 0 '^Name:' rpmspec -P packaging/rpm/pssp.spec; fi
expect_equal 'cff-version' "$(sed -n 's/^cff-version: //p' CITATION.cff)" 1.2.0
