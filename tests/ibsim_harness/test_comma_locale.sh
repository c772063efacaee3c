#!/usr/bin/env bash
# In a locale with a decimal comma (a private de_DE.UTF-8), the output of every script and program is the same, byte for byte,
# except times and the memory of opensm.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/testing.sh"
cd "$scratch"
skip_without localedef jq
mkdir locale
localedef -i de_DE -f UTF-8 locale/de_DE.UTF-8 2>/dev/null || [[ -d locale/de_DE.UTF-8 ]] || skip 'no sources of locales here'
german=(env LOCPATH="$scratch/locale" LC_ALL=de_DE.UTF-8 LANG=de_DE.UTF-8)
[[ $("${german[@]}" awk 'BEGIN { printf "%.1f", 0.5 }' 2>/dev/null) == 0,5 || $("${german[@]}" bash -c 'printf %.1f 0,5' 2>/dev/null) == 0,5 ]] ||
  skip 'the locale has no effect'

mesh 3 2 >mesh.net
"$bin/make_topo" xgft 3,3 1,2 --lids -o tree.net 2>/dev/null
"$bin/route_lft" -e pssp tree.net -o tree.lft 2>/dev/null

# both WHAT FILTER COMMAND...: runs the command in the C locale and in the comma locale, in folders of the same name.
both() {
  local what=$1 filter=$2 place
  shift 2
  for place in c de; do
    rm -rf run
    mkdir run
    if [[ $place == c ]]; then
      (cd run && expect 0 '' env LC_ALL=C "$@")
    else
      (cd run && expect 0 '' "${german[@]}" "$@")
    fi
    bash -c "$filter" <stdout >"$place.answer"
    [[ -s $place.answer ]] || fail "$what says nothing"
  done
  expect_same c.answer de.answer "$what follows the locale"
}

# Times and memory differ from run to run; replace them, whatever their width.
readonly masked="sed -E 's/ +/ /g; s/[0-9.]+ ms/N ms/g; s/ [0-9.]+( [0-9]+)?\$/ N/; s/(out|run)[^ ]*//g'"
readonly json="jq -S 'walk(if type == \"object\" then del(.routing_ms, .peak_memory_kib, .seconds, .directory, .lft, .recommendation) else . end)'"

# Programs.
both eval_lft cat "$bin/eval_lft" ../tree.lft ../tree.net --patterns 50
both 'eval_lft --json' cat "$bin/eval_lft" ../tree.lft ../tree.net --patterns 50 --json
both 'eval_lft --csv' cat "$bin/eval_lft" ../tree.lft ../tree.net --patterns 50 -o t.txt --csv -
both cc_params cat "$bin/cc_params" explain thesis-mesh
both convert_fabric cat "$bin/convert_fabric" ../tree.net ../tree.lft --to dot -o -
both opensm_hints cat "$bin/opensm_hints" --roots ../tree.net
both 'route_lft --list' cat "$bin/route_lft" --list

# The scripts, one after the other on one fabric.
cat >life <<EOF
#!/usr/bin/env bash
set -e
"$harness/start_ibsim.sh" ../mesh.net 2>/dev/null
"$harness/start_osm.sh" minhop
"$harness/dump_routes.sh"
"$harness/stop_ibsim.sh"
EOF
chmod +x life
both 'start_ibsim.sh, start_osm.sh, dump_routes.sh' "$masked" ../life
both dry_run "$masked" "$bin/dry_run" --engine minhop --engine sssp --patterns 20 ../mesh.net --out out
both 'dry_run --json' "$json" "$bin/dry_run" --engine minhop --patterns 20 ../mesh.net --out out --json
both compare_engines "$masked" "$bin/compare_engines" --engines minhop,sssp --patterns 20 --out out ../mesh.net
both 'compare_engines --json' "$json" "$bin/compare_engines" --engines minhop,sssp --patterns 20 --out out --json ../mesh.net
both bench_opensm "sed -E 's/[0-9]+\\.[0-9]+|[0-9]+ ms/N/g; s/ +/ /g; /[Rr]esults|out/d'" "$bin/bench_opensm" --engines minhop --sizes '../tree.net' --out out

# demo.sh first installs and builds; stand-ins replace these steps in a copy of the few files that it needs.
mkdir -p house/ibsim_harness house/scripts stand_ins
cp "$PSSP_SOURCE_DIR/demo.sh" "$PSSP_SOURCE_DIR/CMakeLists.txt" house/
cp "$PSSP_SOURCE_DIR/scripts/demo_parts.sh" house/scripts/
cp "$harness"/*.sh house/ibsim_harness/
printf '#!/bin/sh\n' >house/scripts/install_dependencies.sh
printf '#!/bin/sh\n' >stand_ins/cmake
chmod +x house/scripts/install_dependencies.sh stand_ins/cmake
ln -s "$PSSP_BUILD_DIR" house/build
both demo.sh "$masked" env PATH="$scratch/stand_ins:$PATH" "$scratch/house/demo.sh" --engine minhop --engine sssp --patterns 20 ../mesh.net --out out
nothing_runs || fail 'something still runs'
