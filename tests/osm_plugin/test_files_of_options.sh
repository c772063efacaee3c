#!/usr/bin/env bash
# Every text option of the plugin may name a file. The test takes the options from the table of options, so that none is
# forgotten. Each option, and the state file, gets every kind of file that a name can refer to. opensm must neither hang nor end,
# the subnet must come up, and all files must remain unchanged. All files are in the folder of this test; device nodes are created
# here, and no device of the machine is used.
# shellcheck source=tests/osm_plugin/common.sh
. "$(dirname "$(readlink -f "$0")")/common.sh"
skip_without opensm ibsim ibsim-run

make_tree 3 2 2 1 >"$scratch/tree.net"
dir=$scratch/sim
simulate "$dir" "$scratch/tree.net"
mounted=
trap '[[ -z $mounted ]] || umount "$mounted"; end_children; clean_up' EXIT

# Options with free text as value: neither a range nor a choice.
mapfile -t options < <("$bin/route_lft" --list | sed -n '/^ *[a-z_.]*=/{ / | \| \.\. /!s/^ *\([a-z_.]*\)=.*/\1/p }')
for known in coordinates service_level_dump options_file congestion_control; do
  [[ " ${options[*]} " == *" $known "* ]] || fail "option $known is not in the list: ${options[*]}"
done

# ---- kinds of files: make_KIND PATH ----

kinds=(nothing empty text link link_to_link dangling loop folder fifo socket huge unreadable full)
make_nothing() { :; }
make_empty() { : >"$1"; }
make_text() { printf 'notes of the user\n' >"$1"; }
make_link() { printf 'a target\n' >"$1.target" && ln -s "${1##*/}.target" "$1"; }
make_link_to_link() { make_link "$1.second" && ln -s "${1##*/}.second" "$1"; }
make_dangling() { ln -s nowhere "$1"; }
make_loop() { ln -s "${1##*/}" "$1"; }
make_folder() { mkdir "$1" && : >"$1/precious"; }
make_fifo() { mkfifo "$1"; }
make_socket() { (cd "${1%/*}" && python3 -c 'import socket, sys; socket.socket(socket.AF_UNIX).bind(sys.argv[1])' "${1##*/}"); }
# As long as a file can be, but sparse. It does not begin like a state file; a file of zeros would be a remnant of ours.
make_huge() { printf 'a disk image\n' >"$1" && { truncate -s 8E "$1" 2>/dev/null || truncate -s 8T "$1"; }; }
make_unreadable() { printf 'a secret\n' >"$1" && chmod 0 "$1"; }
# A name on a full disk.
make_full() { :; }
# The null device under another name, and a device without a driver.
make_null_device() { mknod "$1" c 1 3; }
make_no_device() { mknod "$1" b 240 7; }

if mknod "$scratch/node" c 1 3 2>/dev/null; then
  kinds+=(null_device no_device)
else
  echo 'device nodes are left out: mknod is not allowed here'
fi
command -v python3 >/dev/null || kinds=("${kinds[@]/socket/nothing}")
mkdir "$scratch/disk"
if mount -t tmpfs -o size=8k none "$scratch/disk" 2>/dev/null; then
  mounted=$scratch/disk
  head -c 8192 /dev/zero >"$mounted/filled"
else
  echo 'a full disk is left out: mount is not allowed here'
fi

# Prints the contents of a folder: kind, mode, size and modification time of each file, targets of links, and texts.
picture_of() {
  (cd "$1" && find . -mindepth 1 -printf '%P %y %m %s %T@ %l\n' | sort && find . -type f -size -1M -readable -exec cat {} + 2>/dev/null)
}

# Runs a sweep and sets status. A FIFO without a partner must not block opensm.
sweep() {
  write_opensm_conf "$dir" meshdor,pssp "$plugin_options"
  prepare_opensm "$dir" meshdor,pssp once -Q
  status=0
  run_child 60 "${opensm_command[@]}" >"$dir/opensm.out" 2>&1 || status=$?
}

# check WHAT: compares with the picture before.
check() {
  ((status == 0)) || fail "$1: opensm ended with status $status: $(tail_of "$dir/opensm.out")"
  subnet_is_up "$dir" || fail "$1: the subnet is not up: $(tail_of "$dir/opensm.log")"
  case $(used_engine "$dir") in
    pssp) ;;
    minhop) grep -q '0x01 -> .*osmpssp' "$dir/opensm.log" || fail "$1: minhop, and not a word about it" ;;
    *) fail "$1: engine '$(used_engine "$dir")'" ;;
  esac
}

place=$scratch/things
for kind in "${kinds[@]}"; do
  [[ $kind != full || -n $mounted ]] || continue
  # First all options at once, each with a file of its own; then options_file alone, which makes the plugin ignore the other
  # options.
  for turn in others options_file; do
    rm -rf "$place"
    mkdir "$place"
    folder=$place
    [[ $kind != full ]] || folder=$mounted
    plugin_options='stable=on'
    for option in "${options[@]}"; do
      own_turn=others
      [[ $option != options_file ]] || own_turn=options_file
      [[ $turn == "$own_turn" ]] || continue
      "make_$kind" "$folder/$option"
      plugin_options+=" $option=$folder/$option"
    done
    if [[ $turn == others && $kind != full ]]; then
      rm -rf "$dir/osm/osmpssp-pssp.state"
      (cd "$dir/osm" && "make_$kind" "$dir/osm/osmpssp-pssp.state")
      kept_state=$(stat -c '%F %s %Y %N' "$dir/osm/osmpssp-pssp.state" 2>/dev/null || true)
    fi
    before=$(picture_of "$folder")
    sweep
    check "$kind for $turn"
    case $kind in
      nothing | empty)
        # A dump may be created where no file is.
        [[ -z $(find "$folder" -name '*.tmp') ]] || fail "$kind for $turn: a temporary file stays"
        ;;
      *)
        expect_equal "content of the folder after $kind for $turn" "$(picture_of "$folder")" "$before"
        [[ $turn == options_file || $kind == full ]] ||
          expect_equal "the state file that is $kind" "$(stat -c '%F %s %Y %N' "$dir/osm/osmpssp-pssp.state" 2>/dev/null || true)" "$kept_state"
        ;;
    esac
    rm -rf "$dir/osm/"osmpssp-pssp.state*
  done
done
stop_simulation "$dir"
