#!/usr/bin/env bash
# Tests the spec file on Debian: rpm parses it, rpmlint finds no error, and each installed file is in exactly one package. The
# packages contain an existing build. They are NOT FOR INSTALLATION, because they use Debian's libraries, and are deleted with
# this test.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
skip_without rpmbuild rpmspec rpmlint cmake
for program in monitor_fabric cc_apply eval_lft; do [[ -x $bin/$program ]] || skip "this build has no $program"; done
[[ -e $PSSP_BUILD_DIR/lib/libosmpssp.so ]] || skip 'this build has no plugin'
spec=$PSSP_SOURCE_DIR/packaging/rpm/pssp.spec
manifest=$PSSP_BUILD_DIR/install_manifest.txt
[[ ! -e $manifest ]] || skip "$manifest is of a real installation"
end_all() {
  rm -f "$manifest"
  clean_up
}
trap end_all EXIT

expect 0 '^Name: ' rpmspec -P "$spec"
expect 0 '0 errors' rpmlint "$spec"

version=$(sed -n 's/^Version: *//p' "$spec")
mkdir -p "$scratch/SOURCES"
git -C "$PSSP_SOURCE_DIR" archive --prefix "opensm-pssp-$version/" -o "$scratch/SOURCES/opensm-pssp-$version.tar.gz" HEAD
# With prefix /usr the plugin is installed in the multiarch folder (osm_plugin/CMakeLists.txt).
libraries=$(sed -n 's/^CMAKE_INSTALL_LIBDIR:[A-Z]*=//p' "$PSSP_BUILD_DIR/CMakeCache.txt")
[[ $libraries != lib || ! -e /etc/debian_version ]] || libraries+=/$(gcc -print-multiarch)
# Defines the macros of RPM systems that the file lists need. The prefix is that of a package. Removes files of parts that the
# build has but the spec file does not package.
rpm_here() {
  rpmbuild -bb --nodeps --with monitor --define "_topdir $scratch" --define 'cmake :' --define 'cmake_build true' \
    --define "cmake_install DESTDIR=%{buildroot} cmake --install '$PSSP_BUILD_DIR' --prefix /usr; rm -rf %{buildroot}/usr/lib/python3 %{buildroot}%{_libexecdir}/pssp/*-mpi" \
    --define "_libdir /usr/${libraries:-lib}" --define '_unitdir /lib/systemd/system' --define '_sysusersdir /usr/lib/sysusers.d' \
    --define '_udevrulesdir /usr/lib/udev/rules.d' --define 'sysusers_create_compat :' --define 'systemd_post :' \
    --define 'systemd_preun :' --define 'systemd_postun_with_restart :' --define 'debug_package %{nil}' "$@"
}
unit=$(sed -n 's/^PSSP_UNIT_DIR:[A-Z]*=//p' "$PSSP_BUILD_DIR/CMakeCache.txt")
[[ $unit == /* ]] || unit=/usr/$unit
expect 0 '' rpm_here --define "_unitdir $unit" "$spec"
for package in opensm-plugin-pssp pssp-tools pssp-monitor; do
  expect 0 '' rpm -qpl "$scratch"/RPMS/*/"$package-$version"-*.rpm
  sed "s/^/$package /" "$scratch/stdout"
done >"$scratch/listed"
expect_equal 'files in two packages' "$(grep -v '/$' "$scratch/listed" | awk '{ print $2 }' | sort | uniq -d | grep -v -e '/doc' -e '/licenses' | grep '\.' || true)" ''
grep -qE '^opensm-plugin-pssp .*/libosmpssp\.so$' "$scratch/listed" || fail 'the plugin is in no package'
expect 0 '^opensm = [0-9.]+$' rpm -qp --requires "$scratch"/RPMS/*/opensm-plugin-pssp-*.rpm
