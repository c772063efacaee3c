// locate_slow: which cable, adapter or node makes these rates low (docs/reference/locate-slow.md).

#include <optional>

#include "base/error.h"
#include "base/file_io.h"
#include "operations/diagnosis/next_round.h"
#include "operations/diagnosis/plan_output.h"
#include "operations/diagnosis/rate_input.h"
#include "tools/kit/report.h"
#include "tools/kit/tool.h"
#include "tools/locate_slow/options.h"
#include "tools/locate_slow/report.h"

namespace pssp {
namespace {

RateInput read_rates(const SlowOptions& options, const MeasuredFabric& fabric) {
  constexpr std::size_t largest_file = std::size_t{1} << 30;
  RateInput rates(*fabric.nodes, {options.fabric.skip_unknown, options.both_ways, options.unit});
  for (const std::string& file : options.rates) rates.add(read_file(file, largest_file), file);
  if (rates.measurements().empty()) {
    throw Error(ErrorKind::unreadable_input, "no usable rate found");
  }
  return rates;
}

/// In the unit of the rates; 0 if the unit or the speed of the links is unknown.
double link_rate(const Fabric& fabric, const RateUnit& unit) {
  constexpr double megabits_of_gigabit = 1000;
  if (!unit.is_known()) return 0;
  return fabric.reference_capacity() / megabits_of_gigabit / unit.gigabits;
}

/// In the format of a plan of single end ports.
std::string next_text(const SlowOptions& options, const MeasuredFabric& fabric,
                      const RateDiagnosis& diagnosis) {
  const std::vector<MeasuredUnit> units = fabric.nodes->units(fabric.chosen, false);
  std::vector<std::uint32_t> unit_of_rank(fabric.alternatives->endpoint_count(), 0);
  for (std::uint32_t u = 0; u < units.size(); ++u) unit_of_rank[units[u].ports[0].rank] = u;
  RoundPlan plan;
  for (const auto& flows : plan_next_rounds(*fabric.alternatives, fabric.nodes->ranks(),
                                            fabric.ranks(), diagnosis, options.seed)) {
    plan.rounds.emplace_back();
    for (const Flow flow : flows) {
      plan.rounds.back().push_back({unit_of_rank[flow.source], unit_of_rank[flow.destination]});
    }
  }
  return write_plan(*fabric.nodes, units, plan, {}).front().content;
}

/// Returns the exit code: 7 if something is slow. Throws Error.
int locate_slow(const SlowOptions& options) {
  const Report report("locate_slow");
  // Errors of the database or time are reported before any computation.
  std::optional<CountedPorts> counted;
  if (!options.database.empty()) {
    counted.emplace(options.database, measured_window(options.database, options.since,
                                                      options.until, options.recording));
  }
  const auto fabric = read_measured_fabric({options.tables, options.topology}, options.fabric);
  report.warn(fabric->warnings);
  const RateInput rates = read_rates(options, *fabric);
  report.warn(rates.warnings());
  SlowReport slow{.fabric = *fabric,
                  .measurements = rates.measurements(),
                  .unit = rates.unit(),
                  .link_rate = link_rate(fabric->alternatives->fabric(), rates.unit()),
                  .diagnosis = {},
                  .given_rate = options.full.value_or(0),
                  .counted = counted ? &*counted : nullptr};
  slow.diagnosis = find_slow_objects(
      *fabric->alternatives, fabric->nodes->ranks(), rates.measurements(),
      {.full_rate = slow.given_rate, .link_rate = slow.link_rate, .most_faults = 64});
  report.warn(impossible_rates(slow));
  const std::string text = options.json ? to_json(slow) : to_text(slow);
  if (!options.next.empty()) {
    write_file(options.next, next_text(options, *fabric, slow.diagnosis));
  }
  write_file(options.output, text);
  return slow.diagnosis.is_slow() ? static_cast<int>(ErrorKind::verification_failed) : 0;
}

}  // namespace
}  // namespace pssp

int main(int argc, char** argv) {
  using namespace pssp;
  return run_tool("locate_slow", argc, argv, parse_slow_options, locate_slow);
}
