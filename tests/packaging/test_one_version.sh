#!/usr/bin/env bash
# A release has one version: programs, scripts, Debian's changelog, the spec file, recipes and the citation agree.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
cd "$PSSP_SOURCE_DIR"

version=$(sed -n 's/^ *VERSION \([0-9.]*\)$/\1/p' CMakeLists.txt | sed -n 1p)
[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "CMakeLists.txt has no version: '$version'"

checked=0
for program in "$bin"/*; do
  name=$(basename "$program")
  [[ -e tools/$name/$name.cpp ]] || continue
  expect 0 '' "$program" --version
  expect_equal "$name --version" "$(cut -d ' ' -f 1,2 "$scratch/stdout")" "$name $version"
  ((++checked))
done
((checked >= 6)) || fail "only $checked programs found"
for script in start_ibsim.sh start_osm.sh dump_routes.sh stop_ibsim.sh; do
  expect_equal "$script" "$("ibsim_harness/$script" --version)" "$script $version"
done
# A build with the plugin prints its OpenSM version as opensm itself does.
if [[ -e $PSSP_BUILD_DIR/lib/libosmpssp.so ]]; then
  expect 0 'plugin for OpenSM [0-9]+\.[0-9]+' "$bin/route_lft" --version
  of_plugin=$(sed 's/.*OpenSM //; s/)//' "$scratch/stdout")
  grep -qaF "OpenSM $of_plugin" "$PSSP_BUILD_DIR/lib/libosmpssp.so" || fail "the plugin is not for OpenSM $of_plugin"
fi

# said_in FILE SED: the version in FILE must be the project's.
said_in() { expect_equal "$1" "$(sed -nE "$2" "$1" | sed -n 1p)" "$version"; }
said_in debian/changelog '1s/^opensm-pssp \((.*)\).*/\1/p'
said_in CITATION.cff 's/^version: (.*)/\1/p'
said_in packaging/rpm/pssp.spec 's/^Version: *(.*)/\1/p'
said_in packaging/easybuild/opensm-pssp.eb "s/^version = '(.*)'/\\1/p"
grep -qF "version(\"$version\"" packaging/spack/package.py || fail "packaging/spack/package.py has no version $version"
if command -v dpkg-parsechangelog >"$scratch/null"; then
  expect_equal 'dpkg-parsechangelog' "$(dpkg-parsechangelog -S Version)" "$version"
fi
expect_equal 'first version in CHANGELOG.md' "$(sed -nE 's/^## \[([0-9.]+)\].*/\1/p' CHANGELOG.md | sed -n 1p)" "$version"
