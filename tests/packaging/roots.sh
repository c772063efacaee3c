# shellcheck shell=bash disable=SC2154  # expect.sh sets scratch
# Creates clean Debian systems (minbase) for installation tests, in folders with their own processes, mounts and, on request,
# network. Sourced after expect.sh. Packages come from the machine's own package sources, because other addresses may not be
# reachable. PSSP_SUITE selects another Debian release than the machine's, such as trixie.

# need_roots ARGUMENT...: restarts the script in separate mount and process namespaces, which end with the script.
need_roots() {
  ((EUID == 0)) || skip 'needs root, for chroot and mounts'
  skip_without mmdebstrap unshare chroot
  # shellcheck disable=SC1091  # of the machine
  own_suite=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-}")
  [[ -n $own_suite ]] || skip 'this system has no code name: it is no Debian'
  suite=${PSSP_SUITE:-$own_suite}
  if [[ -z ${PSSP_IN_ROOTS:-} ]]; then
    clean_up
    PSSP_IN_ROOTS=1 exec unshare --mount --pid --fork --kill-child --mount-proc "$0" "$@"
  fi
  cache=${XDG_CACHE_HOME:-$HOME/.cache}/opensm-pssp/packaging
  mkdir -p "$cache/archives/partial"
  # Only one test at a time may use the folder of downloaded packages.
  exec 8>"$cache/lock"
  flock 8
}

# Writes the machine's package sources and apt's proxy settings, with the release $suite.
write_sources() {
  # shellcheck disable=SC2016  # apt's variables
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT) $(TRUSTED)' | sort -u |
    awk -v own="$own_suite" -v suite="$suite" '$2 ~ "^" own "(-|$)" { sub("^" own, suite, $2); print "deb " ($4 == "yes" ? "[trusted=yes] " : "") $1, $2, $3 }' >"$scratch/sources.list"
  [[ -s $scratch/sources.list ]] || skip "apt knows no packages of $own_suite: apt-get update"
  apt-config dump | grep -E '^Acquire::(http|https|Check|Retries|ForceIPv)' >"$scratch/apt.conf" || true
}

# Sets base to the archive of a minimal system, which is rebuilt when the machine's package lists have changed.
find_base() {
  local key
  write_sources
  key=$({
    cat "$scratch/sources.list" "$scratch/apt.conf"
    find /var/lib/apt/lists -maxdepth 1 -type f -name '*Release' -print0 | sort -z | xargs -0r cat
  } | sha256sum | cut -c 1-16)
  base=$cache/minbase-$suite-$key.tar
  printf 'packages from:\n'
  sed 's/^/  /' "$scratch/sources.list"
  [[ ! -s $base ]] || return 0
  rm -f "$cache/minbase-$suite"-*.tar*
  mmdebstrap --quiet --format=tar --variant=minbase --skip=cleanup/apt/lists --aptopt="$scratch/apt.conf" "$suite" "$base.part" "$scratch/sources.list" ||
    fail 'mmdebstrap could not make a minimal system'
  mv "$base.part" "$base"
}

# make_root NAME: sets root to a new system with /proc, /dev and the downloaded packages of earlier runs. Installed services do
# not start.
make_root() {
  root=$scratch/$1
  mkdir "$root"
  tar -xf "$base" -C "$root"
  mount -t proc proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount -t tmpfs tmpfs "$root/tmp"
  mount -t tmpfs tmpfs "$root/run"
  mkdir -p "$root/debs" "$root/var/cache/apt/archives"
  mount --bind "$cache/archives" "$root/var/cache/apt/archives"
  cp /etc/resolv.conf "$root/etc/resolv.conf"
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod +x "$root/usr/sbin/policy-rc.d"
}

# in_root COMMAND...: runs a command as root in this system, without this machine's environment.
in_root() {
  env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
    chroot "$root" "$@" </dev/null
}
# as_user COMMAND...: runs a command as alice, in her home folder, whose name has a blank.
as_user() {
  chroot --userspec=alice "$root" env -i PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C.UTF-8 HOME='/home/alice b' \
    bash -c 'cd && exec "$@"' bash "$@" </dev/null
}
# offline_as_user COMMAND...: the same without network, not even a loopback interface.
offline_as_user() {
  export root
  export -f as_user
  unshare --net bash -c 'as_user "$@"' bash "$@"
}
add_user() { in_root useradd --create-home --home-dir '/home/alice b' --shell /bin/bash alice; }

# install_in_root ARGUMENT...: runs apt-get install; the output is in $scratch/stdout.
install_in_root() { expect 0 '' in_root apt-get install --yes -o APT::Keep-Downloaded-Packages=true "$@"; }

# give_debs FOLDER: copies the packages in FOLDER to /debs of the root.
give_debs() { find "$1" -maxdepth 1 -name "*.deb" ! -name "*-dbgsym_*" -exec cp {} "$root/debs/" ";"; }

# Mounts end with the namespace, and only folders remain.
leave_roots() {
  local mounted
  awk -v place="$scratch/" 'index($5, place) == 1 { print $5 }' /proc/self/mountinfo | sort -r | while read -r mounted; do
    umount -l "$mounted"
  done
  clean_up
}
