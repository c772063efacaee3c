#include "congestion/remarks.h"

#include <fmt/format.h>

#include <string_view>

#include "congestion/injection_delay.h"
#include "congestion/parameter_values.h"

namespace pssp {
namespace {

using Remarks = std::vector<std::string>;

bool marks_packets(const SwitchCongestionParameters& switches) {
  return (switches.control_map & switch_component::threshold_and_packet_size) != 0 &&
         switches.threshold > 0;
}

/// The configured service levels for which `is_so` is true.
template <class IsSo>
std::uint16_t levels_with(const AdapterCongestionParameters& adapters, const IsSo& is_so) {
  std::uint32_t levels = 0;
  for (std::size_t sl = 0; sl < service_levels; ++sl) {
    if (((adapters.control_map >> sl) & 1) != 0 && is_so(adapters.sl[sl])) levels |= 1U << sl;
  }
  return static_cast<std::uint16_t>(levels);
}

template <class IsSo>
void remark_on_levels(Remarks& found, const AdapterCongestionParameters& adapters,
                      std::string_view remark, const IsSo& is_so) {
  const std::uint16_t levels = levels_with(adapters, is_so);
  if (levels != 0) {
    found.push_back(fmt::format("service levels {}: {}", service_levels_text(levels), remark));
  }
}

void remark_on_switches(Remarks& found, const CongestionParameters& parameters) {
  const SwitchCongestionParameters& switches = parameters.switches;
  const std::uint32_t full_packet = parameters.table.mtu + packet_overhead_bytes;
  const std::uint32_t smallest_marked = switches.packet_size * packet_size_unit_bytes;
  if (marks_packets(switches) && smallest_marked > full_packet) {
    found.push_back(
        fmt::format("switch.packet_size: packets below {} bytes are not marked, but a full packet "
                    "of MTU {} has only {} bytes: no packet is marked",
                    smallest_marked, parameters.table.mtu, full_packet));
  }
  if (marks_packets(switches) && (switches.control_map & switch_component::marking_rate) == 0) {
    found.emplace_back("switch.marking_rate is not set: switches keep their current rate");
  }
}

void remark_on_adapters(Remarks& found, const CongestionParameters& parameters) {
  const AdapterCongestionParameters& adapters = parameters.adapters;
  const std::vector<CctEntry>& entries = parameters.table.entries;
  const std::uint16_t limit = parameters.table.ccti_limit();
  const auto reacts = [](const AdapterSlParameters& sl) { return sl.ccti_increase > 0; };
  if (marks_packets(parameters.switches)) {
    remark_on_levels(found, adapters,
                     "adapter.ccti_increase is 0: switches mark packets, and no flow slows down",
                     [&](const AdapterSlParameters& sl) { return !reacts(sl); });
  }
  remark_on_levels(found, adapters,
                   "adapter.ccti_timer is 0: no time is set after which a flow may speed up again",
                   [&](const AdapterSlParameters& sl) { return reacts(sl) && sl.ccti_timer == 0; });
  remark_on_levels(found, adapters,
                   "adapter.trigger_threshold exceeds CCTI_Limit: no event is logged",
                   [&](const AdapterSlParameters& sl) { return sl.trigger_threshold > limit; });
  remark_on_levels(
      found, adapters,
      "adapter.ccti_min selects an entry with a delay: flows are slowed down without congestion",
      [&](const AdapterSlParameters& sl) {
        return sl.ccti_min > 0 && delay_in_eighths(entries[sl.ccti_min]) > 0;
      });
  if (delay_in_eighths(entries.back()) == 0) {
    remark_on_levels(found, adapters,
                     "the table has no delay: marked packets have no effect on flows", reacts);
  }
  if (delay_in_eighths(entries.front()) > 0) {
    found.emplace_back(
        "entry 0 of the table has a delay: flows are slowed down without congestion");
  }
}

}  // namespace

std::vector<std::string> remarks(const CongestionParameters& parameters) {
  Remarks found;
  remark_on_switches(found, parameters);
  remark_on_adapters(found, parameters);
  return found;
}

}  // namespace pssp
