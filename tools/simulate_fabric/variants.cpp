#include "tools/simulate_fabric/variants.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "simulator/scenarios/parameter_change.h"
#include "tools/simulation/congestion_set.h"

namespace pssp {
namespace {

constexpr const char* set_off = "off";

/// All combinations of the values, the last parameter varying fastest.
std::vector<std::vector<std::string>> combinations(const std::vector<VariedParameter>& varied) {
  std::vector<std::vector<std::string>> all(1);
  for (const VariedParameter& each : varied) {
    std::vector<std::vector<std::string>> longer;
    for (const std::vector<std::string>& before : all) {
      for (const std::string& value : each.values) {
        longer.push_back(before);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

void add_grid(const std::vector<VariedParameter>& varied, const std::string& set,
              const TrafficFile& traffic, std::vector<Variant>& variants) {
  const CongestionParameters base = set_for(set, traffic);
  for (std::vector<std::string>& cell : combinations(varied)) {
    std::vector<std::pair<std::string, std::string>> changes;
    std::string name;
    for (std::size_t i = 0; i < varied.size(); ++i) {
      changes.emplace_back(varied[i].name, cell[i]);
      name += fmt::format("{}{}={}", i == 0 ? "" : " ", varied[i].name, cell[i]);
    }
    variants.push_back({name, set, 0, with_changes(base, changes), std::move(cell)});
  }
}

}  // namespace

bool counts_congestion(const Variant& variant) {
  return variant.congestion && variant.congestion->switches.threshold != 0;
}

std::vector<VariedParameter> varied_parameters(const SimulateOptions& options,
                                               const SimulationInput& input) {
  std::vector<VariedParameter> varied = options.varied;
  if (!varied.empty() || input.scenario == nullptr || !options.sets.empty()) return varied;
  for (const ScenarioAxis& axis : input.scenario->axes) {
    varied.push_back({std::string(axis.parameter), {axis.values.begin(), axis.values.end()}});
  }
  return varied;
}

std::vector<Variant> make_variants(const SimulateOptions& options, const SimulationInput& input,
                                   const TrafficFile& traffic) {
  std::vector<std::string> sets = options.sets;
  if (sets.empty()) {
    sets = {set_off};
    if (input.scenario != nullptr) sets.emplace_back(input.scenario->set);
  }
  const std::vector<VariedParameter> varied = varied_parameters(options, input);
  std::vector<Variant> variants;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    const bool is_grid = !varied.empty() && i + 1 == sets.size();
    if (is_grid && sets[i] == set_off) {
      throw Error(ErrorKind::usage,
                  "--cc-vary changes parameters of the last --cc, which is 'off'; expected a "
                  "parameter set, for example --cc off --cc thesis-mesh");
    }
    if (is_grid) {
      add_grid(varied, sets[i], traffic, variants);
    } else if (sets[i] == set_off) {
      variants.push_back({set_off, set_off, 0, std::nullopt, {}});
    } else {
      variants.push_back({sets[i], sets[i], 0, set_for(sets[i], traffic), {}});
    }
  }
  const std::vector<Variant> of_first = variants;
  for (std::size_t t = 1; t < input.tables.size(); ++t) {
    for (Variant variant : of_first) {
      variant.tables = t;
      variants.push_back(std::move(variant));
    }
  }
  if (input.tables.size() > 1) {
    for (Variant& each : variants) {
      const std::string& tables = input.tables[each.tables].name;
      each.name =
          sets.size() == 1 && varied.empty() ? tables : fmt::format("{}, {}", tables, each.name);
    }
  }
  return variants;
}

}  // namespace pssp
