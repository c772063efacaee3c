#!/usr/bin/env bash
# command.sh WHAT: items that need only one or two calls of a program.
# shellcheck source=reproduction/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

# Sets net and lft to the fabric chic with the tables of pssp.
chic() {
  net=$(fabric chic)
  lft=$(tables "$net" pssp)
}

# Prints the path of a graph of routes in the format of ORCS.
dot_graph() { kept_file dot convert_fabric "$net" "$lft" -o - --to dot; }
# Prints opensm's own dump of the tables, with the headers of ibdiagnet.
opensm_fdbs() {
  local folder=$work/fdbs
  "$BIN/dry_run" --engine minhop "$1" --patterns 1 --out "$folder" -- -D 0x47 >/dev/null &&
    sed "s/^dump_ucast_routes:/osm_ucast_mgr_dump_ucast_routes:/" "$folder/osm/opensm.fdbs"
}
bandwidth_of() { jq .ebb.mean "$(kept eval_lft "$@" -n 1000 --no-structured-suite --no-ceiling --json)"; }

case $1 in
  dot)
    net=$(fabric xgft 4,4 1,4)
    lft=$(tables "$net" pssp)
    dot=$(dot_graph)
    value 'bandwidth of the tables' "$(bandwidth_of "$lft" "$net")"
    value 'bandwidth of the graph' "$(bandwidth_of "$dot")"
    value 'difference' "$(awk -v a="$(bandwidth_of "$lft" "$net")" -v b="$(bandwidth_of "$dot")" 'BEGIN { print a - b }')"
    ;;
  fdbs)
    need opensm ibsim
    net=$(fabric k-ary-n-tree 4 2)
    held=$(kept_file fdbs opensm_fdbs "$net")
    graph() { convert_fabric "$net" "$held" -o - --to dot; }
    before=$(bandwidth_of "$held" "$net")
    after=$(bandwidth_of "$(kept_file dot graph "$held")")
    value 'bandwidth of the tables' "$before"
    value 'bandwidth of the graph' "$after"
    value difference "$(awk -v a="$before" -v b="$after" 'BEGIN { print a - b }')"
    ;;
  ranks)
    need mpirun
    chic
    one=$(kept eval_lft "$lft" "$net" -n 2000 --json)
    several() { mpirun --allow-run-as-root --oversubscribe -n 2 eval_lft "$lft" "$net" -n 2000 --json; }
    two=$(kept several)
    value 'differing bytes' "$(cmp -l "$one" "$two" | wc -l)"
    ;;
  noise)
    net=$(fabric atlas)
    lft=$(tables_of "$net" minhop)
    mean=()
    for second in null bisect; do
      answer=$(kept eval_lft "$lft" "$net" --ptrn ptrnvsptrn --frstptrn tree --secptrn "$second" --part_commsize 800 --metric dep_max_delay --num-runs 100 --json)
      value "delay with $second" "$(jq .dep_max_delay.mean "$answer")" "$(jq .dep_max_delay.stderr "$answer")"
      mean[${#mean[@]}]=$(jq .dep_max_delay.mean "$answer")
    done
    value 'slower by noise' "$(awk -v a="${mean[0]}" -v b="${mean[1]}" 'BEGIN { print b / a }')"
    ;;
  wide)
    net=$(fabric k-ary-n-tree 4 2)
    answer=$(kept eval_lft "$(tables "$net" pssp)" "$net" --ptrn bisect_fb_sym --metric hist_acc_band --num-runs 10000 --json)
    value mean "$(jq .hist_acc_band.mean "$answer")" "$(jq .hist_acc_band.stderr "$answer")"
    value 'best run' "$(jq .hist_acc_band.max "$answer")"
    value 'width from 5 to 95 %' "$(jq '.hist_acc_band.percentiles | .["95"] - .["5"]' "$answer")"
    ;;
  engines)
    for each in 'updn k-ary-n-tree 4 2' 'ftree k-ary-n-tree 4 2' 'minhop torus 4x4 --hosts 2' 'dor torus 4x4 --hosts 2' 'lash torus 4x4 --hosts 2'; do
      read -ra words <<<"$each"
      net=$(fabric "${words[@]:1}")
      lft=$(opensm_tables "$net" "${words[0]}")
      value "${words[0]}" "$(jq -r 'if .credit_loop then "loop" else "no loop" end' "$(kept eval_lft "$lft" "$net" -n 100 --no-structured-suite --no-ceiling --json)")"
    done
    ;;
  deadlock)
    net=$(fabric torus 6x6x4 --hosts 2)
    lft=$(tables "$net" best)
    answer=$(accepted=7 kept simulate_fabric "$lft" "$net" --uniform --time 5ms --json --no-progress --quiet -j 1)
    value end "$(jq -r '.runs[0].end' "$answer")"
    value 'ports in the credit loop' "$(jq '.runs[0].deadlock | length' "$answer")"
    ;;
  file_method)
    need opensm ibsim
    net=$(fabric k-ary-n-tree 4 2)
    lft=$(tables "$net" pssp)
    held=$(kept_file lft run_opensm "$net" file -- -U "$lft")
    before=$(bandwidth_of "$lft" "$net")
    after=$(bandwidth_of "$held" "$net")
    value bandwidth "$before"
    value 'in the switches' "$after"
    value difference "$(awk -v a="$before" -v b="$after" 'BEGIN { print a - b }')"
    ;;
  lower_both)
    net=$(fabric chic --kill-links 20)
    for engine in pssp p2ssp; do
      answer=$(kept eval_lft "$(tables "$net" "$engine")" "$net" --no-structured-suite --no-ceiling --json)
      value "index of $engine" "$(jq .edge_forwarding_index.max "$answer")"
      value "bandwidth of $engine" "$(jq .ebb.mean "$answer")" "$(jq .ebb.stderr "$answer")"
    done
    ;;
  bisections)
    # The default number of bisections of eval_lft.
    chic
    answer=$(kept eval_lft "$lft" "$net" --no-structured-suite --no-ceiling --json)
    value bisections "$(jq .ebb.patterns "$answer")"
    value pssp "$(jq .ebb.mean "$answer")" "$(jq .ebb.stderr "$answer")"
    ;;
  lmc)
    # The table of a switch has two entries per host and one per switch.
    net=$(kept_file net make_topo xgft 8,8 1,4)
    lft=$(kept_file lft route_lft -e pssp --lmc 1 "$net")
    value 'LIDs a host' "$(awk '/^Unicast/ { ++switches } switches == 1 && /Channel Adapter/ { ++n } END { print n / 64 }' "$lft")"
    ;;
  all_bisections)
    # All 8! / 4! ways to choose four senders of eight hosts and their receivers. Each is one level, so the mean over all flows is the mean over
    # all ways.
    net=$(fabric xgft 4,2 1,2)
    lft=$(tables "$net" pssp)
    awk 'function pair(sender,    r) {
        while (sender < 8 && !sends[sender]) ++sender
        if (sender == 8) { print "level"; for (s = 0; s < 8; ++s) if (sends[s]) print s, to[s]; return }
        for (r = 0; r < 8; ++r) if (!sends[r] && !taken[r]) { taken[r] = 1; to[sender] = r; pair(sender + 1); taken[r] = 0 }
      }
      BEGIN { for (set = 0; set < 256; ++set) { rest = set; n = 0; for (s = 0; s < 8; ++s) { sends[s] = rest % 2; n += sends[s]; rest = int(rest / 2) } if (n == 4) pair(0) } }' >"$work/all"
    answer=$(kept eval_lft "$lft" "$net" --ptrn "file:$work/all" --no-shuffle --num-runs 1 --metric hist_max_cong --json)
    sampled=$(kept eval_lft "$lft" "$net" -n 100000 --no-structured-suite --no-ceiling --json)
    value pairings "$(jq .levels "$answer")"
    value 'mean over all' "$(jq .hist_max_cong.bandwidth "$answer")"
    value 'sampled mean' "$(jq .ebb.mean "$sampled")" "$(jq .ebb.stderr "$sampled")"
    value 'standard errors apart' "$(jq -n --slurpfile a "$answer" --slurpfile s "$sampled" '($s[0].ebb.mean - $a[0].hist_max_cong.bandwidth) / $s[0].ebb.stderr | fabs')"
    ;;
  congestion_histogram)
    net=$(fabric chic)
    lft=$(tables_of "$net" minhop)
    answer=$(kept eval_lft "$lft" "$net" --ptrn bisect --metric hist_max_cong --num-runs 5000 --json)
    for congestion in 1 2 3 4; do
      value "congestion $congestion" "$(jq --argjson c "$congestion" '.hist_max_cong | 100 * ([.histogram[] | select(.from == $c).connections][0]) / .connections' "$answer")" '' %
    done
    value 'beyond 4' "$(jq '.hist_max_cong | 100 * ([.histogram[] | select(.from > 4).connections] | add // 0) / .connections' "$answer")" '' %
    ;;
  million)
    net=$(fabric chic)
    for engine in minhop pssp; do
      answer=$(kept eval_lft "$(tables_of "$net" "$engine")" "$net" --ptrn bisect --num-runs 1000000 --metric hist_acc_band --json)
      value "$engine" "$(jq .hist_acc_band.mean "$answer")" "$(jq .hist_acc_band.stderr "$answer")"
      value "bins of $engine with more than 1 %" "$(jq '[.hist_acc_band.histogram[] | select(.runs > 10000)] | length' "$answer")"
    done
    ;;
  parameters)
    for profile in "${@:2}"; do
      cc_params print "$profile" | sed -n 's/^[a-z]*\.\(threshold\|marking_rate\|packet_size\|victim_mask\|ccti_[a-z]*\) = \([^ ]*\).*/\1\t\2/p; s/^table\.law = \(.*\)/cct\t\1/p' >>"$OUT/values.tsv"
    done
    value 'parameters of a switch' "$(grep -cE '^(threshold|marking_rate|packet_size|victim_mask)	' "$OUT/values.tsv")"
    value 'parameters of an adapter' "$(grep -cE '^(cct|ccti_increase|ccti_timer|ccti_limit|ccti_min)	' "$OUT/values.tsv")"
    ;;
  ned)
    for shape in 3x3 3x3x3; do
      net=$(fabric mesh "$shape" --hosts 2 --ports thesis)
      ned=$(kept convert_fabric "$net" -o - --to ned)
      value "cables of $shape" "$(($(grep -c -- '-->.*-->' "$ned") / 2))"
    done
    ;;
  file_size)
    series() {
      simulate_fabric --scenario thesis-c1 --series "$work/series.csv" --series-of network -o "$work/report" --no-progress --quiet -j 1 &&
        cat "$work/series.csv"
    }
    value kilobytes "$(wc -c <"$(kept series)" | awk '{ print $1 / 1000 }')"
    ;;
  odin)
    # Without damage, pssp cannot be better than minhop. The others have missing links, or GUIDs and ports in random order, with ten seeds each.
    net=$(fabric odin)
    for kind in undamaged kill-links shuffled; do
      options=''
      [[ $kind != kill-links ]] || options='--kill-links 6'
      [[ $kind != shuffled ]] || options='--shuffle-guids --permute-ports'
      seeds='1 2 3 4 5 6 7 8 9 10'
      [[ $kind != undamaged ]] || seeds=1
      for seed in $seeds; do
        # shellcheck disable=SC2086  # several words
        net=$(fabric odin $options --seed "$seed")
        for engine in minhop pssp best; do
          printf '%s ' "$(jq .ebb.mean "$(kept eval_lft "$(tables_of "$net" "$engine")" "$net" -n 5000 --no-structured-suite --no-ceiling --no-credit-loops --json)")"
        done
        printf '\n'
      done >"$work/$kind"
      for engine in pssp best; do
        read -r mean error < <(awk -v column="$([[ $engine == pssp ]] && echo 2 || echo 3)" '{ g = 100 * ($column / $1 - 1); sum += g; square += g * g; ++n }
          END { mean = sum / n; spread = square / n - mean * mean; print mean, (n > 1 && spread > 0 ? sqrt(spread / (n - 1)) : 0) }' "$work/$kind")
        value "gain of $engine, $kind" "$mean" "$error" %
      done
    done
    ;;
  index)
    # One link between two groups of three hosts has nine routes in each direction.
    net=$(fabric xgft 3,2 1,1)
    value index "$(jq .edge_forwarding_index.max "$(kept eval_lft "$(tables "$net" pssp)" "$net" --no-structured-suite --no-ceiling --json)")"
    ;;
  failures)
    for dead in 0 8 16; do
      net=$(fabric inam71 --kill-links "$dead")
      answer=$(kept eval_lft "$(tables "$net" pssp)" "$net" --ptrn pairwise --no-shuffle --num-runs 1 --metric sum_max_cong --json)
      value "$dead links dead" "$(jq .sum_max_cong.mean "$answer")"
    done
    ;;
  *)
    printf 'no such item: %s\n' "$1" >&2
    exit 2
    ;;
esac
