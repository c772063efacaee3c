#!/usr/bin/env bash
# Options that name files that the plugin must not touch. opensm keeps running, the log has the reason, and files that the plugin
# did not write remain unchanged. All files are in the folder of this test; no device of the machine is used.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run

make_tree 3 2 2 1 >"$scratch/tree.net"
odd=$scratch/odd
mkdir "$odd"

expect_log() { expect_line "$scratch/$1/opensm.log" "$2"; }
expect_engine() { expect_equal "engine of $1" "$(used_engine "$scratch/$1")" "$2"; }

# ---- messages of any length ----
# OpenSM formats log lines into a buffer of 4096 bytes, although lines can be longer.
{ printf 'deadlock=' && head -c 6000 /dev/zero | tr '\0' x && printf '\n'; } >"$scratch/long.conf"
plugin_options="options_file=$scratch/long.conf"
route "$scratch/long" pssp "$scratch/tree.net"
expect_log long "osmpssp: ERR 7A12: $scratch/long.conf:1: option deadlock=x{60}\\.\\.\\.: not require, prefer or ignore; using deadlock=require"
name=$(head -c 200 /dev/zero | tr '\0' n)
plugin_options="pssp.$name=1 options_file=$scratch/$name"
route "$scratch/long-name" pssp "$scratch/tree.net"
expect_engine long-name pssp
expect_log long-name 'osmpssp: ERR 7A11: option pssp\.n{50}'
awk 'length($0) > 4095 { exit 1 }' "$scratch"/long*/opensm.log || fail 'a line of the log is longer than 4095 bytes'

# ---- the contents of protected files do not appear in the log, which is world-readable ----
for option in options_file congestion_control capacity_file node_types_file meshdor.coordinates; do
  printf 'root:secret:19000:0\n' >"$scratch/shadow"
  chmod 600 "$scratch/shadow"
  plugin_options="$option=$scratch/shadow"
  route "$scratch/shadow-$option" meshdor "$scratch/tree.net"
  expect_log "shadow-$option" "$scratch/shadow:1: .*not every user may read"
  if grep secret "$scratch/shadow-$option/opensm.log"; then fail "$option: the log quotes the content of the file"; fi
done

# ---- foreign files are not changed ----
odd_things() {
  rm -rf "$odd"
  mkdir "$odd" "$odd/folder"
  mkfifo "$odd/fifo"
  printf 'notes of the user\n' >"$odd/text"
  printf '%s\n' target >"$odd/target"
  ln -s target "$odd/link"
}
for name in folder fifo text link; do
  odd_things
  plugin_options="service_level_dump=$odd/$name"
  for engine in minhop meshdor; do
    # minhop does not load the plugin, so it is configured as administrators do.
    printf 'event_plugin_name osmpssp\nevent_plugin_options %s\n' "$plugin_options" >"$scratch/conf"
    extra_conf=$scratch/conf
    [[ $engine == minhop ]] || extra_conf=
    LD_LIBRARY_PATH=$PSSP_BUILD_DIR/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
      route "$scratch/$name-$engine" "$engine" "$scratch/tree.net"
    expect_engine "$name-$engine" minhop
    [[ -e $odd/$name ]] || fail "service_level_dump=$name of the user is gone after -R $engine"
    expect_equal "lines about $name" \
      "$(grep -c "service_level_dump $odd/$name is out of date (another engine routes the fabric) and is not removed: it is " "$scratch/$name-$engine/opensm.log")" 1
  done
  extra_conf=
  route "$scratch/$name-pssp" pssp "$scratch/tree.net"
  expect_engine "$name-pssp" pssp
  expect_log "$name-pssp" "0x01 -> osmpssp: ERR 7A26: pssp: service_level_dump is not written: cannot write $odd/$name: it is "
done
expect_equal 'the text of the user' "$(<"$odd/text")" 'notes of the user'
expect_equal 'the target of a link' "$(<"$odd/target")" target

# ---- a FIFO without a partner does not block ----
odd_things
for option in options_file congestion_control meshdor.coordinates; do
  plugin_options="$option=$odd/fifo"
  dir=$scratch/fifo-$option
  simulate "$dir" "$scratch/tree.net"
  start_opensm "$dir" pssp
  expect_log "fifo-$option" "cannot read $odd/fifo: it is a FIFO"
  end_process "$opensm_pid"
  stop_simulation "$dir"
done
expect_engine fifo-options_file pssp
expect_engine fifo-congestion_control pssp
expect_engine fifo-meshdor.coordinates pssp

# ---- an outdated dump is removed, also if the next one cannot be written ----
dump=$scratch/dumps/levels
mkdir "$scratch/dumps"
plugin_options="service_level_dump=$dump"
dir=$scratch/full
simulate "$dir" "$scratch/tree.net"
start_opensm "$dir" pssp
[[ -s $dump ]] || fail 'no dump was written'
# If all names of temporary files are taken, the effect is the same as on a full disk.
for i in {0..99}; do mkdir "$dump.$opensm_pid-$i.tmp"; done
kill -HUP "$opensm_pid"
wait_for_sweeps "$dir" 2
expect_log full "0x01 -> osmpssp: ERR 7A26: pssp: service_level_dump is not written: cannot write $dump"
expect_log full "osmpssp: pssp: service_level_dump $dump was removed: the service levels have changed"
[[ ! -e $dump ]] || fail 'the dump of other tables is still there'
end_process "$opensm_pid"
stop_simulation "$dir"
