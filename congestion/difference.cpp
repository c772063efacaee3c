#include "congestion/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "congestion/parameter_values.h"

namespace pssp {
namespace {

using Differences = std::vector<ParameterDifference>;

void compare(Differences& found, std::string_view name, std::string left, std::string right) {
  if (left != right) found.push_back({std::string(name), std::move(left), std::move(right)});
}

void compare_switches(Differences& found, const SwitchCongestionParameters& left,
                      const SwitchCongestionParameters& right) {
  compare(found, "switch.control_map", switch_components_text(left.control_map),
          switch_components_text(right.control_map));
  compare(found, "switch.victim_mask", ports_text(left.victim_mask), ports_text(right.victim_mask));
  compare(found, "switch.credit_mask", ports_text(left.credit_mask), ports_text(right.credit_mask));
  compare(found, "switch.threshold", std::to_string(left.threshold),
          std::to_string(right.threshold));
  compare(found, "switch.packet_size", std::to_string(left.packet_size),
          std::to_string(right.packet_size));
  compare(found, "switch.credit_starvation_threshold",
          std::to_string(left.credit_starvation_threshold),
          std::to_string(right.credit_starvation_threshold));
  compare(found, "switch.credit_starvation_return_delay",
          entry_text(left.credit_starvation_return_delay),
          entry_text(right.credit_starvation_return_delay));
  compare(found, "switch.marking_rate", std::to_string(left.marking_rate),
          std::to_string(right.marking_rate));
}

using SlText = std::function<std::string(const AdapterSlParameters&)>;

/// Compares one value of all service levels.
void compare_levels(Differences& found, std::string_view name,
                    const AdapterCongestionParameters& left,
                    const AdapterCongestionParameters& right, const SlText& text) {
  Differences of_levels;
  for (std::size_t sl = 0; sl < service_levels; ++sl) {
    compare(of_levels, fmt::format("adapter.sl{}.{}", sl, name), text(left.sl[sl]),
            text(right.sl[sl]));
  }
  const bool is_one =
      of_levels.size() == service_levels &&
      std::all_of(of_levels.begin(), of_levels.end(), [&](const ParameterDifference& each) {
        return each.left == of_levels[0].left && each.right == of_levels[0].right;
      });
  if (is_one) {
    of_levels.resize(1);
    of_levels[0].name = fmt::format("adapter.{}", name);
  }
  found.insert(found.end(), of_levels.begin(), of_levels.end());
}

void compare_adapters(Differences& found, const AdapterCongestionParameters& left,
                      const AdapterCongestionParameters& right) {
  compare(found, "adapter.port_control", std::string(scope_text(left.port_control)),
          std::string(scope_text(right.port_control)));
  compare(found, "adapter.control_map", service_levels_text(left.control_map),
          service_levels_text(right.control_map));
  compare_levels(found, "ccti_timer", left, right, [](const AdapterSlParameters& sl) {
    return fmt::format("{} ({})", sl.ccti_timer, ccti_timer_as_time(sl.ccti_timer));
  });
  compare_levels(found, "ccti_increase", left, right,
                 [](const AdapterSlParameters& sl) { return std::to_string(sl.ccti_increase); });
  compare_levels(found, "trigger_threshold", left, right, [](const AdapterSlParameters& sl) {
    return std::to_string(sl.trigger_threshold);
  });
  compare_levels(found, "ccti_min", left, right,
                 [](const AdapterSlParameters& sl) { return std::to_string(sl.ccti_min); });
}

void compare_tables(Differences& found, const CongestionControlTable& left,
                    const CongestionControlTable& right) {
  compare(found, "table.ccti_limit", std::to_string(left.ccti_limit()),
          std::to_string(right.ccti_limit()));
  const auto text = [](const CongestionControlTable& table, std::size_t i) {
    return i < table.entries.size() ? entry_text(table.entries[i]) : std::string();
  };
  const std::size_t longer = std::max(left.entries.size(), right.entries.size());
  for (std::size_t i = 0; i < longer; ++i) {
    compare(found, fmt::format("table.entry[{}]", i), text(left, i), text(right, i));
  }
}

}  // namespace

std::vector<ParameterDifference> differences(const CongestionParameters& left,
                                             const CongestionParameters& right) {
  Differences found;
  compare_switches(found, left.switches, right.switches);
  compare_adapters(found, left.adapters, right.adapters);
  compare_tables(found, left.table, right.table);
  return found;
}

}  // namespace pssp
