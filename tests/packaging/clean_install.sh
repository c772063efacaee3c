#!/usr/bin/env bash
# The packages on clean systems: each package alone, all together, an upgrade, and what remains after removal.
# usage: clean_install.sh [--keep]
# PSSP_DEBS is the folder of the .deb files (default: dist/ of the sources), PSSP_OLD_DEBS the folder of an earlier release, if
# any.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../kit/expect.sh"
# shellcheck source=tests/packaging/roots.sh
. "$(dirname "$(readlink -f "$0")")/roots.sh"

keep=0
[[ ${1:-} != --keep ]] || keep=1
debs=$(readlink -f "${PSSP_DEBS:-$PSSP_SOURCE_DIR/dist}")
for package in opensm-plugin-pssp pssp-tools pssp-tools-mpi pssp-monitor pssp-doc python3-pssp; do
  files=("$debs/${package}"_*.deb)
  [[ -e ${files[0]} ]] || skip "no package $package in $debs: PSSP_DEBS names the folder (docs/how-to/releasing.md makes them)"
  ((${#files[@]} == 1)) || fail "several packages $package in $debs"
done
need_roots "$@"
end_all() {
  if ((keep)); then
    printf 'kept: %s\n' "$scratch"
  else
    leave_roots
  fi
}
trap end_all EXIT
find_base
step() { printf '%3d s  %s\n' "$SECONDS" "$1"; }

# Two leaf switches and a spine, hosts with names; the file was not written by a program of this project.
write_topology() {
  cat >"$1" <<'END'
Switch	4 "S1"
[1]	"H1"[1]
[2]	"H2"[1]
[3]	"S3"[1]

Switch	4 "S2"
[1]	"H3"[1]
[2]	"H4"[1]
[3]	"S3"[2]

Switch	4 "S3"
[1]	"S1"[3]
[2]	"S2"[3]

Hca	1 "H1"
[1]	"S1"[1]

Hca	1 "H2"
[1]	"S1"[2]

Hca	1 "H3"
[1]	"S2"[1]

Hca	1 "H4"
[1]	"S2"[2]
END
}

plugin_alone() {
  make_root plugin
  give_debs "$debs"
  in_root sh -c 'apt-get install --yes --no-install-recommends /debs/opensm-plugin-pssp_*.deb' >"$scratch/log" 2>&1 || fail "$(tail "$scratch/log")"
  check test -x "$root/usr/sbin/opensm"
  [[ ! -e $root/usr/bin/eval_lft ]] || fail 'the plugin brings the tools'
  install_in_root --no-install-recommends ibsim-utils
  write_topology "$root/tmp/four.net"
  printf 'event_plugin_name osmpssp\nforce_log_flush TRUE\n' >"$root/tmp/opensm.conf"
  # shellcheck disable=SC2016  # the shell in there
  expect 0 '' in_root bash -c 'cd /tmp; export IBSIM_SOCKNAME=clean-$$ SIM_HOST=H1 OSM_CACHE_DIR=/tmp OSM_TMP_DIR=/tmp
    ibsim -s -n four.net >ibsim.log 2>&1 & ibsim=$!
    until grep -q "@$IBSIM_SOCKNAME:ctl" /proc/net/unix; do kill -0 $ibsim || exit; sleep .05; done
    timeout 60 ibsim-run opensm -R pssp -F opensm.conf -o -f /tmp/opensm.log; kill $ibsim'
  expect_line "$root/tmp/opensm.log" 'pssp tables configured on all switches'
}

# Another version of opensm must be neither installed beside the plugin nor replace the version that the plugin needs.
other_opensm() {
  local folder=$scratch/other_opensm
  mkdir -p "$folder/DEBIAN" "$root/other"
  printf 'Package: opensm\nVersion: 3.3.24-1\nArchitecture: %s\nMaintainer: nobody <nobody@nowhere.example>\nDescription: empty\n' \
    "$(dpkg --print-architecture)" >"$folder/DEBIAN/control"
  dpkg-deb --build --root-owner-group "$folder" "$root/other/opensm.deb" >"$scratch/log"
  # An upgrade keeps both packages unchanged.
  (cd "$root/other" && dpkg-scanpackages -m . >Packages 2>"$scratch/log") || skip_without dpkg-scanpackages
  printf 'deb [trusted=yes] file:/other ./\n' >"$root/etc/apt/sources.list.d/other.list"
  expect 0 '' in_root apt-get update
  expect 0 'kept back' in_root apt-get --simulate upgrade
  said stdout '^  opensm$'
  # If another version is already installed, the plugin is refused.
  make_root other
  give_debs "$debs"
  cp "$folder.deb" "$root/debs/" 2>/dev/null || dpkg-deb --build --root-owner-group "$folder" "$root/debs/opensm.deb" >"$scratch/log"
  expect 0 '' in_root dpkg --install /debs/opensm.deb
  expect 100 'opensm-plugin-pssp : Depends: opensm \(<<? 3\.3\.23\+1~\)' in_root sh -c 'apt-get install --yes /debs/opensm-plugin-pssp_*.deb'
}

tools_alone() {
  make_root tools
  give_debs "$debs"
  in_root sh -c 'apt-get install --yes --no-install-recommends /debs/pssp-tools_*.deb' >"$scratch/log" 2>&1 || fail "$(tail "$scratch/log")"
  [[ ! -e $root/usr/sbin/opensm ]] || fail 'the tools bring opensm'
  add_user
  expect 0 '' as_user pssp make-topo k-ary-n-tree 4 2 --lids -o t.net
  expect 0 '' as_user pssp route --engine best t.net -o t.lft
  expect 0 'bisection' as_user pssp eval t.lft t.net
  expect 0 '' as_user pssp simulate --scenario thesis-a
  expect 20 'opensm|ibsim' as_user pssp dry-run
  ! ldd_of monitor_fabric eval_lft | grep mpi || fail 'the tools are linked with MPI'
}

# The Python module's own tests without other packages of ours; tests that compare with the tools are skipped.
python_alone() {
  make_root python
  give_debs "$debs"
  in_root sh -c 'apt-get install --yes --no-install-recommends /debs/python3-pssp_*.deb' >"$scratch/log" 2>&1 || fail "$(tail "$scratch/log")"
  [[ ! -e $root/usr/bin/eval_lft ]] || fail 'the module brings the tools'
  install_in_root --no-install-recommends python3-pytest
  mkdir -p "$root/tmp/sources/docs/reference"
  cp -r "$PSSP_SOURCE_DIR/python" "$root/tmp/sources/"
  cp "$PSSP_SOURCE_DIR/docs/reference/python.md" "$root/tmp/sources/docs/reference/"
  expect 0 ' passed' in_root python3 -m pytest -q -p no:cacheprovider /tmp/sources/python/tests
  add_user
  expect 0 '^ok$' as_user python3 /usr/share/doc/python3-pssp/examples/own_engine.py
}

# The documentation needs no other package, and its links resolve.
pages_alone() {
  make_root pages
  give_debs "$debs"
  expect 0 '1 newly installed' in_root sh -c 'apt-get install --yes --no-install-recommends /debs/pssp-doc_*.deb'
  expect 0 '' python3 "$here/../house/check_site.py" "$root/usr/share/doc/pssp-doc/html"
  check test -s "$root/usr/share/doc/pssp-doc/html/search/search_index.json"
}
ldd_of() {
  local name
  for name; do
    [[ ! -e $root/usr/bin/$name ]] || in_root ldd "/usr/bin/$name"
  done
}

# Lists the files below etc, usr and var, without those that apt and dpkg keep for all packages.
files_of_root() {
  (cd "$root" && find etc usr var \( -path var/lib/dpkg -o -path var/lib/apt -o -path var/cache/apt -o -path var/log \) -prune -o -print) | sort
}

everything() {
  local wanted engine rest
  # First install the dependencies and mpirun, so that all files that appear afterwards are ours.
  in_root sh -c 'apt-get install --simulate --yes /debs/*.deb' | awk '/^Inst / && $2 !~ /pssp/ { print $2 }' >"$scratch/others"
  mapfile -t others <"$scratch/others"
  install_in_root --no-install-recommends "${others[@]}" openmpi-bin
  in_root apt-get purge --yes python3-pssp >"$scratch/log" 2>&1
  files_of_root >"$scratch/before"
  in_root sh -c 'apt-get install --yes /debs/*.deb' >"$scratch/log" 2>&1 || fail "$(tail "$scratch/log")"
  step '  all packages are installed'
  # The table of the README, with the exact bandwidth and edge forwarding index.
  offline_as_user pssp dry-run >"$scratch/table" 2>"$scratch/said" || fail "pssp dry-run: $(tail -n 20 "$scratch/said" "$scratch/table")"
  sed -n '/^engine  *eff\. bisection/,/^```/p' "$PSSP_SOURCE_DIR/README.md" | grep -E '\+-' | while read -r engine wanted rest; do
    expect_line "$scratch/table" "^$engine +$wanted \\+- $(awk '{ print $2 " +" $3 }' <<<"$rest") "
  done
  step '  pssp dry-run has the table of the README'
  expect 0 '' as_user bash -c 'pssp make-topo chic --lids -o c.net; pssp route --engine pssp c.net -o c.lft
    pssp eval c.lft c.net --json >alone.json'
  as_user mpirun --oversubscribe -n 2 pssp eval c.lft c.net --json >"$scratch/together.json" 2>"$scratch/said" || fail "$(tail "$scratch/said")"
  expect_same "$root/home/alice b/alone.json" "$scratch/together.json"
  expect 2 'pssp-tools-mpi' as_user mpirun --oversubscribe -n 2 eval_lft c.lft c.net
  for page in man1/pssp.1.gz man1/pssp-eval.1.gz man1/pssp-dry-run.1.gz man1/pssp-monitor.1.gz man7/osmpssp.7.gz; do
    check in_root zgrep -q SYNOPSIS "/usr/share/man/$page"
  done
  # shellcheck disable=SC2016
  expect_equal 'completion' "$(as_user bash -c '. /usr/share/bash-completion/completions/pssp
    COMP_WORDS=(pssp eval --comp) COMP_CWORD=2; _pssp; echo "${COMPREPLY[*]}"')" --compare
}

monitor() {
  expect 0 'interval_s' in_root monitor_fabric serve --check-config --config /etc/monitor_fabric.conf
  expect 0 '' in_root getent passwd monitor_fabric
  expect 0 '' in_root systemd-analyze verify --man=no /lib/systemd/system/monitor_fabric.service
  expect 0 'Overall exposure level' in_root systemd-analyze security --no-pager --offline=true --threshold=30 /lib/systemd/system/monitor_fabric.service
  expect 0 '' in_root systemd-sysusers --dry-run /usr/lib/sysusers.d/monitor_fabric.conf
  # Grafana's and Prometheus' configurations refer to existing files.
  local folder=/usr/share/pssp-monitor/grafana dashboards
  dashboards=$(sed -n 's/^ *path: //p' "$root$folder/provisioning/dashboards/pssp.yml")
  check jq -e .panels "$root$dashboards/pssp-fabric.json" >"$scratch/null"
  for file in pssp-alerts.yml pssp-compat.yml provisioning/datasources/pssp.yml; do check test -s "$root$folder/$file"; done
  check test -x "$root/usr/share/pssp-monitor/slurm/pssp_node_fit"
  # shellcheck disable=SC2016  # of dpkg-query
  expect_equal 'conffiles' "$(in_root dpkg-query --show --showformat='${Conffiles}' pssp-monitor | awk '{ print $1 }' | xargs)" /etc/monitor_fabric.conf
}

# Upgrade while opensm runs: it keeps its state and sweeps once more.
upgrade() {
  local pid
  in_root bash -c 'cd /root; pssp make-topo k-ary-n-tree 4 2 -o t.net; start_ibsim.sh t.net && start_osm.sh pssp --stay' >"$scratch/log" 2>&1 ||
    fail "start_osm.sh --stay: $(tail "$scratch/log")"
  if [[ -n ${PSSP_OLD_DEBS:-} ]]; then
    mkdir "$root/old"
    cp "$PSSP_OLD_DEBS"/*.deb "$root/old/"
    expect 0 '' in_root sh -c 'dpkg --install /old/*.deb'
    expect 0 '' in_root sh -c 'dpkg --install /debs/*.deb'
  else
    printf 'no earlier release (PSSP_OLD_DEBS): the packages are installed over themselves\n'
    expect 0 '' in_root sh -c 'dpkg --install /debs/*pssp*.deb'
  fi
  pid=$(cut -d ' ' -f 1 "$root"/tmp/pssp-ibsim-0/default/state/opensm.pid)
  check kill -HUP "$pid"
  eventually several_routings "$root/tmp/pssp-ibsim-0/default/opensm.log"
  expect 0 '' in_root stop_ibsim.sh
}
several_routings() { (($(grep -c 'pssp tables configured on all switches' "$1") >= 2)); }

# Problems that all packages can have: a full disk, a configuration that a user has changed, a conflicting manual installation.
bad_times() {
  local place=$root/usr/share/opensm-pssp later=$scratch/later
  mount -t tmpfs -o size=4k tmpfs "$place"
  expect 1 'No space left on device' in_root sh -c 'dpkg --install /debs/pssp-tools_*.deb'
  umount "$place"
  # The old files are still there, and the same command completes the installation.
  expect 0 '^eval_lft [0-9]' as_user eval_lft --version
  expect 0 '' in_root sh -c 'dpkg --install /debs/pssp-tools_*.deb'
  expect 0 '' as_user pssp simulate --scenario thesis-a

  # A later version with a changed conffile that was also changed locally.
  dpkg-deb --raw-extract "$root"/debs/pssp-monitor_*.deb "$later"
  sed -i 's/^Version: .*/&+later/' "$later/DEBIAN/control"
  printf '# of a later version\n' >>"$later/etc/monitor_fabric.conf"
  dpkg-deb --build --root-owner-group "$later" "$root/later.deb" >"$scratch/log"
  printf '# changed here\n' >>"$root/etc/monitor_fabric.conf"
  cp "$root/etc/monitor_fabric.conf" "$scratch/changed.conf"
  # dpkg asks which version to keep, and gets no answer.
  expect 1 "Configuration file '/etc/monitor_fabric.conf'" in_root dpkg --install /later.deb
  expect_same "$root/etc/monitor_fabric.conf" "$scratch/changed.conf"
  expect 0 '' in_root dpkg --configure --force-confold pssp-monitor
  expect_same "$root/etc/monitor_fabric.conf" "$scratch/changed.conf"
  rm -f "$root/etc/monitor_fabric.conf.dpkg-dist"

  # The NEWS file describes how to remove the manual installation, and both print their versions.
  in_root zcat /usr/share/doc/pssp-tools/NEWS.Debian.gz >"$scratch/news"
  expect_line "$scratch/news" 'target uninstall'
  printf '#!/bin/sh\necho eval_lft of another version\n' >"$root/usr/local/bin/eval_lft"
  chmod +x "$root/usr/local/bin/eval_lft"
  expect 0 'another version' as_user eval_lft --version
  expect 0 '^eval_lft [0-9]' as_user /usr/bin/eval_lft --version
  rm "$root/usr/local/bin/eval_lft"
}

purge() {
  mkdir -p "$root/var/lib/monitor_fabric"
  touch "$root/var/lib/monitor_fabric/history.sqlite"
  expect 0 '' in_root apt-get remove --yes pssp-monitor
  check test -e "$root/var/lib/monitor_fabric/history.sqlite"
  check test -e "$root/etc/monitor_fabric.conf"
  expect 0 '' in_root apt-get purge --yes opensm-plugin-pssp pssp-tools pssp-tools-mpi pssp-monitor pssp-doc python3-pssp
  files_of_root >"$scratch/after"
  expect_equal 'left after purge' "$(comm -13 "$scratch/before" "$scratch/after")" ''
}

step 'the plugin alone'
plugin_alone
step 'another opensm'
other_opensm
step 'the tools alone'
tools_alone
step 'the module for Python alone'
python_alone
step 'the documentation alone'
pages_alone
step 'everything'
everything
step 'monitor'
monitor
step 'upgrade'
upgrade
step 'a full disk, a changed configuration, an installation by hand'
bad_times
step 'purge'
purge
step 'done'
