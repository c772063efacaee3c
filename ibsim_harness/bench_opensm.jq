# What bench_opensm makes of the times of single sweeps: objects with size, hosts, switches, series ("sizes" or
# "placement"), engine, iteration, event, used, and microseconds for each phase.

# Phases as sweep_phases.awk has them, in the order of a sweep.
def phases: ["binding", "heavy_sweep", "partitions", "sm_lid", "subnet_lids", "routes", "tables", "multicast", "ports",
  "links"];

def sweep_of:
  split("\t") as $cell
  | {series: $cell[0], size: $cell[1], hosts: ($cell[2] | tonumber), switches: ($cell[3] | tonumber), engine: $cell[4],
      iteration: ($cell[5] | tonumber), event: $cell[6], used: $cell[7]}
    + ([phases, ($cell[8:] | map(tonumber))] | transpose | map({(.[0]): .[1]}) | add);

# The different values of a key, as they came first.
def in_order(key): map(key) | reduce .[] as $each ([]; if index([$each]) then . else . + [$each] end);

def sweeps: [inputs | select(. != "") | sweep_of];

# The benchmarks of the thesis, and the phases that make up each; its own words for them.
def benchmarks: [
  {name: "Subnet_Discovery_Time", events: ["start"], columns: [
    {name: "binding SM to port", of: ["binding"]}, {name: "heavy sweep", of: ["heavy_sweep"]},
    {name: "total", of: ["binding", "heavy_sweep"]}]},
  {name: "Subnet_LID-Configuration_Time", events: ["start"], columns: [
    {name: "partitions and QoS", of: ["partitions"]}, {name: "SM LID", of: ["sm_lid"]},
    {name: "subnet LIDs", of: ["subnet_lids"]}, {name: "total", of: ["partitions", "sm_lid", "subnet_lids"]}]},
  {name: "Subnet_Routing_Time", events: ["start"], columns: [
    {name: "route calculation", of: ["routes"]}, {name: "switch tables", of: ["tables"]},
    {name: "multicast", of: ["multicast"]}, {name: "ports and links", of: ["ports", "links"]},
    {name: "total", of: ["routes", "tables", "multicast", "ports", "links"]}]},
  {name: "Subnet_Total_Time", events: ["start"], columns: [
    {name: "discovery", of: ["binding", "heavy_sweep"]}, {name: "LID configuration", of: ["partitions", "sm_lid", "subnet_lids"]},
    {name: "routing", of: ["routes", "tables", "multicast", "ports", "links"]}, {name: "total", of: phases}]},
  {name: "Subnet_Reconfigure_Time", events: ["resweep", "failure", "repair"], columns: [
    {name: "discovery", of: ["heavy_sweep"]}, {name: "LID configuration", of: ["partitions", "sm_lid", "subnet_lids"]},
    {name: "routing", of: ["routes", "tables", "multicast", "ports", "links"]}, {name: "total", of: phases[1:]}]}
];

def benchmark($name): benchmarks[] | select(.name == $name);

# Over the iterations: milliseconds of some phases of a list of sweeps.
def span($of): . as $sweep | $of | map($sweep[.]) | add / 1000;
def statistics($of): map(span($of)) | {mean: (add / length), min: min, max: max};

# The sweeps of one benchmark, with what it measured, in the order of sizes, engines and events.
def measured($benchmark):
  map(.event_index = (.event as $event | $benchmark.events | index($event)) | select(.event_index != null))
  | group_by([.size_index, .engine_index, .event_index])
  | map({
      size: .[0].size, hosts: .[0].hosts, switches: .[0].switches, engine: .[0].engine, event: .[0].event,
      used: (map(.used) | unique), iterations: length,
      ms: (. as $sweeps | $benchmark.columns | map({(.name): (.of as $of | $sweeps | statistics($of))}) | add)
    });

# Numbers the sizes and engines as they came first.
def numbered:
  in_order(.size) as $sizes
  | in_order(.engine) as $engines
  | map(.size_index = (.size as $each | $sizes | index([$each]))
      | .engine_index = (.engine as $each | $engines | index([$each])));

def rounded: (. * 100 | round) / 100 | tostring
  | if test("\\.") then . + "0" * (2 - (split(".")[1] | length)) else . + ".00" end;

def remark: (.engine | split(":")[0]) as $name | if .used == [$name] then "" else " (routed by \(.used | map(select(. != $name)) | join(", ")))" end;

def file_name: split("/") | last;

def table_of($benchmark):
  ($benchmark.events | length > 1) as $with_event
  | (["fabric", "hosts", "engine"] + (if $with_event then ["after"] else [] end) + ($benchmark.columns | map(.name))),
    (.[] | . as $row | [(.size | file_name), (.hosts | tostring), .engine + remark] + (if $with_event then [.event] else [] end)
      + ($benchmark.columns | map($row.ms[.name].mean | rounded)))
  | @tsv;

# ---- for the pictures: a line of headings, then a line for each group of bars ----

def bars($groups; $bars; value):
  . as $rows
  | (["group"] + $bars), ($groups[] as $group | [$group] + ($bars | map(. as $bar
      | [$rows[] | value as $value | select($value.group == $group and $value.bar == $bar) | $value.ms] | first // "NaN")))
  | @tsv;

# A size by its hosts, and its name where others have as many.
def size_label: "\(.hosts) hosts" + if .is_alone then "" else ", \(.size | file_name)" end;
def with_labels: . as $rows
  | map(. as $row | .is_alone = ([$rows[] | select(.hosts == $row.hosts) | .size] | unique | length == 1));

# Figures 3.6 to 3.10: the phases of one engine over the sizes.
def phase_bars($engine):
  [with_labels[] | select(.engine == $engine)] as $rows
  | [$rows[] | . as $row | .ms | to_entries[] | {group: ($row | size_label), bar: .key, ms: .value.mean}]
  | bars($rows | in_order(size_label); benchmark("Subnet_Total_Time").columns | map(.name); .);

# Figures 3.11, 3.12, 3.15: one total of all engines over the sizes.
def engine_bars($column):
  with_labels as $rows
  | [$rows[] | {group: size_label, bar: .engine, ms: .ms[$column].mean}]
  | bars($rows | in_order(size_label); $rows | in_order(.engine); .);

# Figure 3.13: the same hosts on one switch or on many.
def placement_bars:
  . as $rows
  | [.[] | {group: .engine, bar: .size, ms: .ms.total.mean}]
  | bars($rows | in_order(.engine); $rows | in_order(.size); .);

# Figure 3.14: share of the pairs, by the first engine that routed the fabric. The others' differ where they are not
# minimal.
def hop_bars:
  group_by(.size) as $by_size
  | in_order(.size) as $sizes
  | [$sizes[] as $size | ($by_size[] | select(.[0].size == $size)) as $rows
      | ($rows | in_order(.engine) | first) as $engine
      | [$rows[] | select(.engine == $engine)] | (map(.pairs) | add) as $all
      | .[] | {group: (.hops | tostring), bar: (.size | file_name), ms: (100 * .pairs / $all)}]
  | bars(map(.group | tonumber) | unique | map(tostring); $sizes | map(file_name); .);
