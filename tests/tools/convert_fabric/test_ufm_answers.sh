#!/usr/bin/env bash
# Answers of UFM's REST interface as saved by curl: together, with tables, and in programs that do not read them.
# shellcheck source=tests/kit/expect.sh
. "$(dirname "$(readlink -f "$0")")/../../kit/expect.sh"

PATH=$bin:$PATH
ufm=$PSSP_SOURCE_DIR/tests/fabric/formats/ufm
cd "$scratch"

expect 0 '3 end ports, 2 switches, 2 links' convert_fabric "$ufm"/{links,ports,systems}.json -o fabric.net
expect 0 '3 end ports, 2 switches, 2 links' convert_fabric "$ufm"/{systems,links}.json -o links.net
# Documents without line ends are equivalent.
for answer in links ports; do tr -d '\n' <"$ufm/$answer.json" >"$answer.json"; done
expect 0 '3 end ports' convert_fabric links.json ports.json -o again.net
expect_same fabric.net again.net
route_lft --engine pssp fabric.net -o fabric.lft 2>/dev/null
expect 0 'with forwarding tables' convert_fabric "$ufm"/{links,ports,systems}.json fabric.lft -o fabric.dot

expect 2 'has no links; add the reply for /ufmRest/resources/links' convert_fabric ports.json -o x.net
expect 2 'are both topologies' convert_fabric links.json fabric.net -o x.net
expect 3 'truncated or garbled' sh -c 'head -c 900 links.json | convert_fabric - -o x.net'
eval_lft fabric.lft fabric.net --json -n 10 >report.json 2>/dev/null
expect 3 "it looks like a JSON document; of JSON, only UFM's" convert_fabric report.json -o x.net
[[ ! -e x.net ]] || fail 'a file was left behind'
for file in links.json "$PSSP_SOURCE_DIR/tests/fabric/formats/other_commands/03-iblinkinfo.txt"; do
  expect 3 "run 'pssp convert .* -o fabric.net'" opensm_hints --roots "$file" -o roots.txt
done
