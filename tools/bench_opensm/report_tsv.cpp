#include <fmt/format.h>

#include "base/printable.h"
#include "tools/bench_opensm/reports.h"

namespace pssp {

std::string sweeps_tsv(const Measurements& measurements) {
  std::string text;
  for (const SweepRecord& each : measurements.sweeps) {
    text +=
        fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}", each.series, printable(each.size), each.hosts,
                    each.switches, each.engine, each.iteration, each.event, each.sweep.engine);
    for (const std::int64_t microseconds : each.sweep.microseconds)
      text += fmt::format("\t{}", microseconds);
    text += '\n';
  }
  return text;
}

std::string hops_tsv(const Measurements& measurements) {
  std::string text;
  for (const HopRecord& each : measurements.hops) {
    text +=
        fmt::format("{}\t{}\t{}\t{}\n", printable(each.size), each.engine, each.hops, each.pairs);
  }
  return text;
}

std::string refusals_tsv(const Measurements& measurements) {
  std::string text;
  for (const Refusal& each : measurements.refusals)
    text += fmt::format("{}\t{}\t{}\n", printable(each.size), each.engine, printable(each.reason));
  return text;
}

}  // namespace pssp
