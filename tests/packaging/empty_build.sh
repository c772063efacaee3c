#!/usr/bin/env bash
# Builds the packages from the committed files in an empty system with only the packages in debian/control, without network and
# not as root. lintian reports nothing. Existing packages must be identical, although they were built in a folder of different
# length, and in another time zone, locale and account.
# usage: empty_build.sh [FOLDER]: keeps the packages in FOLDER.
# PSSP_COMMIT is the commit (default: HEAD); PSSP_DEBS the folder of the packages to compare with (default: dist/ of the sources).
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
# shellcheck source=tests/packaging/roots.sh
. "$(dirname "$(readlink -f "$0")")/roots.sh"

commit=${PSSP_COMMIT:-HEAD}
need_roots "$@"
skip_without git ip
debs=$(readlink -m "${PSSP_DEBS:-$PSSP_SOURCE_DIR/dist}")
trap leave_roots EXIT
find_base
make_root building
in_root useradd --create-home builder
place=$root/home/builder/a-place-with-quite-another-name/opensm-pssp
mkdir -p "$place"
git -C "$PSSP_SOURCE_DIR" -c safe.directory='*' archive "$commit" | tar -x -C "$place"
epoch=$(git -C "$PSSP_SOURCE_DIR" -c safe.directory='*' log -1 --format=%ct "$commit")
in_root chown -R builder: /home/builder
expect 0 '' in_root apt-get build-dep --yes --no-install-recommends -o APT::Keep-Downloaded-Packages=true "${place#"$root"}"
for other in git ccache npm opensm; do ! in_root sh -c "command -v $other" >"$scratch/found" || fail "$other is there, which nobody asked for"; done
printf '%3d s  the system is there; building\n' "$SECONDS"

# Builders without network still have a loopback interface. Without any interface MPI's compiler wrapper prints warnings into
# output that CMake parses.
started=$SECONDS
build_packages() {
  ip link set lo up
  # shellcheck disable=SC2016  # of the shell in there
  chroot --userspec=builder "$root" env -i PATH=/usr/bin:/bin HOME=/home/builder TZ=Asia/Tokyo LC_ALL=C SOURCE_DATE_EPOCH="$epoch" \
    bash -c 'cd "$1" && time dpkg-buildpackage -b -us -uc "-j$(nproc)"' bash "${place#"$root"}"
}
export root place epoch
export -f build_packages
if ! unshare --net bash -c build_packages >"$scratch/log" 2>&1 </dev/null; then
  fail "dpkg-buildpackage: $(grep -m 3 -A 5 -E 'CMake Error|error:' "$scratch/log" || true)"$'\n'"$(tail -n 20 "$scratch/log")"
fi
printf '%3d s  built in %d s:%s\n' "$SECONDS" $((SECONDS - started)) "$(tail -n 4 "$scratch/log" | tr '\n\t' '  ')"
if [[ -n ${1:-} ]]; then
  mkdir -p "$1"
  cp "${place%/*}"/*.deb "${place%/*}"/*.changes "${place%/*}"/*.buildinfo "$1"
fi

# ---- lintian, in a separate system because of its many dependencies ----
built=${place%/*}
make_root judging
cp "$built"/*.deb "$built"/*.changes "$built"/*.buildinfo "$root/debs/"
install_in_root --no-install-recommends lintian
in_root useradd --create-home judge
expect 0 '' chroot --userspec=judge "$root" env -i PATH=/usr/bin:/bin HOME=/home/judge LC_ALL=C.UTF-8 sh -c 'lintian --fail-on error,warning /debs/*.changes'
printf '%3d s  lintian finds no error and no warning\n' "$SECONDS"

# ---- identical packages ----
compared=0
for deb in "$debs"/*.deb; do
  [[ -e $deb ]] || break
  expect_same "$deb" "$built/$(basename "$deb")" 'built in another place'
  ((++compared))
done
if ((compared)); then
  printf '%3d s  the same bytes: %d packages of %s\n' "$SECONDS" "$compared" "$debs"
else
  printf 'there are no packages in %s to compare with\n' "$debs"
fi
