# What compare_engines makes of the results of single engines. A result is what dry_run.sh --json printed, or why it
# printed nothing, as result() has it.

# Engines of opensm that give each route a virtual lane such that no lane has a credit loop.
def assigns_lanes: IN("lash", "dfsssp", "nue", "torus-2QoS");

def result($spec; $name; $own; $directory; $state; $reasons; $seconds; $report):
  {
    engine: $spec,
    name: $name,
    origin: (if $own then "opensm" else "plugin" end),
    state: $state,
    reasons: $reasons,
    directory: $directory,
    seconds: $seconds
  } + if $report == null then {} else {
    ebb: ($report.ebb | {mean, stderr, interval_95, patterns, seed}),
    edge_forwarding_index: ($report.edge_forwarding_index | {max, bound}),
    hops: ($report.hops | {mean, max}),
    usable: $report.usable,
    unreachable_pairs: $report.unreachable_pairs,
    separated_pairs: $report.separated_pairs,
    forwarding_loops: $report.forwarding_loops,
    dead_port_entries: $report.dead_port_entries,
    credit_loop: $report.credit_loop,
    lanes: (if $report.credit_loop == false then 1 else $report.lanes end),
    routing_ms: $report.routing_ms,
    peak_memory_kib: $report.peak_memory_kib
  } end;

# ---- which may be used ----

def is_routed: .state == "routed";

# Free of deadlocks with that many lanes: without a credit loop, or by an engine that knows how to use lanes.
def is_deadlock_free($lanes):
  .credit_loop == false
  or (.lanes != null and .lanes <= $lanes and (.origin == "plugin" or (.name | assigns_lanes)))
  or (.lanes == null and (.name | assigns_lanes));

def is_scored: is_routed and .usable and .ebb.mean != null;
def is_safe($lanes): is_scored and is_deadlock_free($lanes);

# The directories of the tables to compare with eval_lft, the most promising first.
def contest($lanes):
  (map(select(is_safe($lanes))) | if length > 0 then max_by(.ebb.mean).engine else null end) as $first
  | map(select(is_scored)) | sort_by([.engine != $first, -.ebb.mean]) | .[].directory;

# Adds to each result how it differs from the first of the contest, as eval_lft --compare found.
def with_differences($lanes; $comparison):
  [contest($lanes)] as $order
  | map(
      .directory as $directory
      | ($order | index($directory)) as $place
      | if $comparison == null or $place == null then .
        else .difference = ($comparison.tables[$place].difference // null) end);

# ---- recommendation ----

def significance: 0.05;
def is_reference: is_scored and .difference == null;
def ties_with_reference: is_reference or .difference.adjusted_p >= significance;

def rounded($digits): . as $value | pow(10; $digits) as $unit | ($value * $unit | round) / $unit;
def shown: (rounded(4) * 10000 | round | tostring) as $digits | "0.\("0000"[($digits | length):] + $digits)"
  | if length > 6 then .[2:-4] + "." + .[-4:] else . end;
def percent:
  rounded(1) | if . == 0 then "as much as" elif . > 0 then "\(.) % more than" else "\(- .) % less than" end;
def shortened: if length > 160 then .[:157] + "..." else . end;
def listed: if length < 2 then join("") else (.[:-1] | join(", ")) + " and " + .[-1] end;

def lanes_phrase:
  if .credit_loop == false then "deadlock-free on one lane"
  elif .lanes != null then "deadlock-free on \(.lanes) lanes"
  else "deadlock-free on lanes of its own" end;

def against($other): "\((.ebb.mean / $other.ebb.mean - 1) * 100 | percent) \($other.engine)"
  + if $other | ties_with_reference then " (no significant difference)" else "" end;

# Other than the chosen: the best safe one of the other origin, and opensm's default.
def rival_phrases($all; $lanes):
  . as $chosen
  | [
      ($all | map(select(is_safe($lanes) and .origin != $chosen.origin and .ebb.mean > 0)) | max_by(.ebb.mean)
        | if . == null then empty
          else . as $rival | "\($chosen | against($rival)), the best of \(if .origin == "opensm" then "opensm\u0027s own" else "ours" end)" end),
      ($all | map(select(is_scored and .engine == "minhop" and .ebb.mean > 0)) | first
        | if . == null or $chosen.engine == "minhop" then empty
          else . as $default | "\($chosen | against($default)), opensm\u0027s default" end)
    ]
  | unique;

def unsafe_phrase($all; $lanes):
  .ebb.mean as $mean
  | [$all[] | select(is_scored and (is_deadlock_free($lanes) | not) and .ebb.mean > $mean
      and (ties_with_reference | not))] | sort_by(-.ebb.mean)
  | if length == 0 then ""
    else " \(map("\(.engine) (\(.ebb.mean | shown))") | listed) would have more, but \(if length == 1 then "its" else "their" end) "
      + "routes can deadlock\(if any(.lanes != null and (.origin == "plugin" or (.name | assigns_lanes)))
        then " within \($lanes) lanes" else "" end)." end;

# One sentence, or two, and the engine.
def recommendation($lanes):
  . as $all
  | map(select(is_safe($lanes))) as $safe
  | if ($safe | length) == 0 then
      {
        engine: null,
        text: (if any(is_routed) then "No engine gave tables that are whole and free of deadlocks within \($lanes) lanes."
          else "No engine gave tables for this fabric." end)
      }
    else
      ($safe | map(select(ties_with_reference))
        | min_by([.lanes // $lanes, .edge_forwarding_index.max, .hops.mean, .routing_ms])) as $chosen
      | ($safe | map(select(ties_with_reference and .engine != $chosen.engine) | .engine)) as $ties
      | {
          engine: $chosen.engine,
          text: (
            "Take \($chosen.engine): effective bisection bandwidth \($chosen.ebb.mean | shown)"
            + " (95 % interval \($chosen.ebb.interval_95 | map(shown) | join(" to "))), \($chosen | lanes_phrase)"
            + ($chosen | rival_phrases($all; $lanes) | if length > 0 then "; \(join("; "))" else "" end) + "."
            + if ($ties | length) > 0 then " As good, by bandwidth: \($ties | listed)." else "" end
            + ($chosen | unsafe_phrase($all; $lanes))),
          as_good: $ties
        }
    end;

# ---- tables ----

def columns: ["engine", "bandwidth", "95 % interval", "index", "bound", "hops", "longest", "lanes", "credit loop",
  "routing ms", "MiB"];

def number($digits): if . == null then "-" else rounded($digits) | tostring end;

def table_row:
  if is_routed then
    [
      .engine,
      (.ebb.mean | if . == null then "-" else shown end),
      (.ebb.interval_95 | if . == null or .[0] == null then "-" else map(shown) | join("-") end),
      (.edge_forwarding_index.max | number(0)),
      (.edge_forwarding_index.bound | number(0)),
      (.hops.mean | number(3)),
      (.hops.max | number(0)),
      (.lanes | number(0)),
      (if .credit_loop == null then "?" elif .credit_loop then "yes" else "none" end),
      (.routing_ms | number(1)),
      (.peak_memory_kib | if . == null then "-" else . / 1024 | number(0) end)
    ]
  else [.engine, .state] end;

# Engines with tables by bandwidth, then the others as they were named.
def ranked: (map(select(is_routed)) | sort_by(-(.ebb.mean // -1))) + map(select(is_routed | not));

def table: columns, (ranked[] | table_row) | @tsv;

def remarks:
  ranked[]
  | if is_routed | not then "\(.engine): \(.state): \(.reasons | first // "no reason given" | shortened)"
    elif .usable | not then
      "\(.engine): not usable: \(.unreachable_pairs) pairs without a route, \(.forwarding_loops) forwarding loops, "
      + "\(.dead_port_entries) entries to dead ports"
    else empty end;

def csv:
  ["engine", "origin", "state", "bandwidth", "stderr", "interval_low", "interval_high", "index", "index_bound",
    "hops_mean", "hops_max", "lanes", "credit_loop", "usable", "routing_ms", "peak_memory_kib", "seconds",
    "difference", "adjusted_p", "reason"],
  (.[] | [.engine, .origin, .state, .ebb.mean, .ebb.stderr, (.ebb.interval_95 // [null, null])[0, 1],
    .edge_forwarding_index.max, .edge_forwarding_index.bound, .hops.mean, .hops.max, .lanes, .credit_loop, .usable,
    .routing_ms, .peak_memory_kib, .seconds, .difference.mean, .difference.adjusted_p, (.reasons | first)])
  | @csv;

# For the picture, worst first, since gnuplot counts upwards: place, name, origin, mean, low, high, index, ms.
def plot_rows:
  ranked | reverse | to_entries[]
  | [.key, .value.engine, .value.origin, (.value | if is_routed and .ebb.mean != null
      then .ebb.mean, .ebb.interval_95[0], .ebb.interval_95[1], .edge_forwarding_index.max, .routing_ms
      else "NaN", "NaN", "NaN", "NaN", "NaN" end), .value.state]
  | @tsv;
