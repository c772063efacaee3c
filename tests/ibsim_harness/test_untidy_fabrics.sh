#!/usr/bin/env bash
# Real topology files are irregular. compare_engines and dry_run simulate every file that eval_lft and route_lft read, with the
# same figures as for the regular file and the stated number of hosts.
# shellcheck source=tests/ibsim_harness/testing.sh
. "$(dirname "$0")/testing.sh"
cd "$scratch"

# Leaves of three hosts; hosts have LIDs 1, 5, 8 to 14, switches 2, 3, 4, 6, 7.
"$bin/make_topo" xgft 3,3 1,2 --lids -o tidy.net 2>/dev/null
bare() { sed -E 's/#.*//; /guid/d; /^$/d' tidy.net; }

tr -d '\t' <tidy.net >no_tabs.net
bare | tr -d '\t ' >bare_no_blanks.net
{
  printf 'admin@sw1> show fabric\r\n-- press any key --\r\nLast login: from [1] "x"\r\n'
  sed 's/$/\r/' tidy.net
  printf '\r\nadmin@sw1> exit\r\nConnection to 10.0.0.1 closed.\r\n'
} >banner.net
{
  printf 'A banner: Switch to the other console\n'
  bare | tr -d '\t'
} >bare_banner.net
sed -E 's/lid 6( |$)/lid 0\1/' tidy.net >switch_without_lid.net
sed -E 's/lid 6( |$)/lid 65535\1/; s/lid 3( |$)/lid 0\1/' tidy.net >switches_without_lid.net
sed -E 's/lid 5( |$)/lid 0\1/; s/lid 13( |$)/lid 65535\1/' tidy.net >hosts_without_lid.net
# A second subnet with the same LIDs, as in a file with two dumps, and one with different LIDs.
second() { sed -E '/^#/d; s/0x2000/0x3000/; s/0x1000/0x4000/; s/\(2000/(3000/; s/\(1000/(4000/; s/"S000/"T000/; s/"H000/"G000/' tidy.net; }
{
  cat tidy.net
  echo
  second
} >two_subnets.net
tr -d '\t' <two_subnets.net >two_subnets_no_tabs.net

# figures JSON_FILE [PATH]: prints the figures that must be equal.
figures() { jq -c "${2:-.} | [.hosts, .end_ports, .switches, .ebb.mean, .edge_forwarding_index.max, .hops.mean]" "$1"; }

# simulated FILE EXPECTED WITHOUT_LID: compares the figures of compare_engines and dry_run.
simulated() {
  expect 0 '' "$bin/compare_engines" --engines minhop --patterns 20 --out "compared.$1" --json-file report.json "$1"
  expect_equal "figures of compare_engines for $1" "$(figures report.json '.engines[0]')" "$2"
  said stdout "^hosts: $(jq -r '.engines[0].hosts' report.json) end ports in traffic, of 9$3, at 5 switches"
  expect 0 '' "$bin/dry_run" --engine minhop "$1" --patterns 20 --out "dry.$1" --json
  expect_equal "figures of dry_run for $1" "$(figures stdout)" "$2"
}

expect 0 '' "$bin/route_lft" tidy.net -e pssp -o tidy.lft
expect 0 '' "$bin/compare_engines" --engines minhop --patterns 20 --out compared.tidy --json-file report.json tidy.net
tidy=$(figures report.json '.engines[0]')
[[ $tidy == '[9,9,5,'* ]] || fail "the tidy fabric: $tidy"

for name in no_tabs bare_no_blanks banner bare_banner switch_without_lid switches_without_lid; do
  expect 0 '' "$bin/route_lft" "$name.net" -e pssp -o "$name.lft"
  expect 0 '' "$bin/eval_lft" "$name.lft" "$name.net" --patterns 20
  simulated "$name.net" "$tidy" ''
done

expect 0 '' "$bin/eval_lft" --json tidy.lft hosts_without_lid.net --patterns 20
[[ $(figures stdout) == '[7,9,5,'* ]] || fail "hosts without LIDs: $(figures stdout)"
simulated hosts_without_lid.net "$(
  expect 0 '' "$bin/eval_lft" --json compared.tidy/minhop/routing.lft hosts_without_lid.net --patterns 20
  figures stdout)" ', 2 without LID'

for name in two_subnets two_subnets_no_tabs; do
  simulated "$name.net" "$tidy" ''
  said stderr '5 switches and 9 adapters without a connection'
  expect_line "compared.$name.net/report.txt" '5 switches and 9 adapters without a connection'
done
