#include "tools/simulation/several_processes.h"

#include <array>

#include "evaluator/parallel/agreement.h"
#include "simulator/model_values.h"

namespace pssp {
namespace {

void add_traffic(const SourceOptions& options, const SimulationInput& input, Digest& digest) {
  digest.add(input.traffic.size());
  for (const TrafficSource& each : input.traffic) digest.add_text(each.text.value_or(each.name));
  digest.add_text(options.pattern);
  digest.add(options.bytes);
  digest.add(options.packet_bytes.value_or(0));
  for (const auto& time : {options.times.duration, options.times.warmup, options.times.sample}) {
    digest.add(static_cast<std::uint64_t>(time.value_or(-1)));
  }
}

}  // namespace

void require_same_simulation(Processes& processes, const SourceOptions& options,
                             const SimulationInput& input, const Model& model, Digest further) {
  if (processes.count() == 1) return;
  InputClaims of_inputs;
  Digest traffic;
  for (const SimulatedTables& each : input.tables) {
    of_inputs.add(each.fabric);
    of_inputs.add(each.tables);
  }
  if (input.levels) of_inputs.add(*input.levels);
  add_traffic(options, input, traffic);
  add_model(model, further);
  further.add(options.most_bytes);
  further.add(options.most_events);
  const std::array claims{of_inputs.topology(), of_inputs.tables(),
                          Claim{"other traffic", traffic.value()},
                          Claim{"other options", further.value()}};
  require_agreement(processes, claims);
}

}  // namespace pssp
