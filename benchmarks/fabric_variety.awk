# Prints the tables of fabric_variety.sh. Input lines: fabric, engine, name, value. Names that begin with "=" are figures; all other names are patterns,
# whose values are times. The values of the engine "*" are targets ("-": no target). The lists `engines` and `rivals` are separated by commas.

BEGIN {
  engine_count = split(engines, engine, ",")
  rival_count = split(rivals, rival, ",")
}

!($1 in seen) { seen[$1] = 1; fabric[++fabrics] = $1 }
{ value[$1, $2, $3] = $4 }
$3 !~ /^=/ && !($3 in known) { known[$3] = 1; pattern[++patterns] = $3 }

# Geometric mean of the ratio of the times of engines a and b over all patterns that both have; 0 if there are none.
function mean_ratio(f, a, b,    p, sum, n) {
  for (p = 1; p <= patterns; ++p) {
    if (!((f, a, pattern[p]) in value) || !((f, b, pattern[p]) in value)) continue
    sum += log(value[f, a, pattern[p]] / value[f, b, pattern[p]])
    ++n
  }
  return n ? exp(sum / n) : 0
}

# The rival that is fastest for a pattern; empty if no rival routes the fabric.
function fastest(f, p,    r, best) {
  best = ""
  for (r = 1; r <= rival_count; ++r) {
    if ((f, rival[r], p) in value && (best == "" || value[f, rival[r], p] < value[f, best, p])) best = rival[r]
  }
  return best
}

# The targets of the table of fabrics that an engine misses.
function missed_limits(f, e,    text) {
  if (value[f, "*", "=bandwidth"] != "-" && value[f, e, "=bandwidth"] < value[f, "*", "=bandwidth"])
    text = text " bandwidth (target " value[f, "*", "=bandwidth"] ")"
  if (value[f, "*", "=S"] != "-" && value[f, e, "=S"] > value[f, "*", "=S"]) text = text " S (target " value[f, "*", "=S"] ")"
  if (value[f, "*", "shifts"] != "-" && value[f, e, "shifts"] > value[f, "*", "shifts"])
    text = text " shifts (target " value[f, "*", "shifts"] ")"
  return substr(text, 2)
}

function row(f, e,    r, ratio, line, text) {
  if ((f, e, "=refused") in value) {
    print f, e, "refused"
    return
  }
  ++routed[e]
  line = sprintf("%s\t%s\t%.4f\t%.3f\t%.3f", f, e, value[f, e, "=bandwidth"], value[f, e, "=S"], value[f, e, "shifts"])
  for (r = 1; r <= rival_count; ++r) {
    ratio = mean_ratio(f, e, rival[r])
    line = line "\t" (ratio ? sprintf("%.3f", ratio) : "-")
    if (!ratio) continue
    ++compared[e, r]
    sum[e, r] += log(ratio)
    # Equal tables must not count as faster because of rounding errors of the logarithm.
    if (ratio > 1 + 1e-9) ++ahead[e, r]
    if (ratio > 1.02) ++far_ahead[e, r]
  }
  text = missed_limits(f, e)
  if (text != "") ++limits_missed[e]
  print line, text
}

function compare_patterns(f, e,    p, best, ratio) {
  for (p = 1; p <= patterns; ++p) {
    best = fastest(f, pattern[p])
    if (best == "" || !((f, e, pattern[p]) in value)) continue
    ratio = value[f, e, pattern[p]] / value[f, best, pattern[p]]
    ++scored[e]
    if (ratio > 1.25) ++slow[e]
    if (ratio > 1) printf "%.3f\t%s\t%s\t%s\t%.3f\t%s\t%.3f\n", ratio, e, f, pattern[p], value[f, e, pattern[p]], best, value[f, best, pattern[p]] | worst
  }
}

function summary(e,    r) {
  printf "\n%s: %d fabrics; of %d patterns %d (%.1f %%) are slower than 1.25 times the fastest rival; targets missed on %d fabrics\n", e, routed[e],
    scored[e], slow[e], (scored[e] ? 100 * slow[e] / scored[e] : 0), limits_missed[e]
  print "rival", "fabrics", "mean ratio", "rival faster", "by more than 2 %"
  for (r = 1; r <= rival_count; ++r) {
    if (!compared[e, r]) continue
    print rival[r], compared[e, r], sprintf("%.3f", exp(sum[e, r] / compared[e, r])), ahead[e, r] + 0, far_ahead[e, r] + 0
    if (far_ahead[e, r]) failed = 1
  }
  if (limits_missed[e] || slow[e] > .02 * scored[e]) failed = 1
}

END {
  worst = "LC_ALL=C sort -t '\t' -k 1,1gr -k 2 | head -n 20"
  line = "fabric\tengine\tbandwidth\tS\tshifts"
  for (r = 1; r <= rival_count; ++r) line = line "\tratio to " rival[r]
  print line, "missed"
  for (f = 1; f <= fabrics; ++f) {
    for (e = 1; e <= engine_count; ++e) row(fabric[f], engine[e])
  }
  print "\nratio", "engine", "fabric", "pattern", "time", "fastest rival", "time of the rival"
  fflush()
  for (f = 1; f <= fabrics; ++f) {
    for (e = 1; e <= engine_count; ++e) compare_patterns(fabric[f], engine[e])
  }
  close(worst)
  for (e = 1; e <= engine_count; ++e) summary(engine[e])
  exit failed
}
