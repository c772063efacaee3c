#include "monitor/analysis/observed_traffic.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "fabric/nodes/node_description.h"

namespace pssp {

std::vector<std::uint8_t> groups_by_name(const Fabric& fabric) {
  std::unordered_map<std::string, std::uint8_t> known;
  std::vector<std::uint8_t> groups;
  groups.reserve(fabric.end_port_count());
  for (const EndPort& port : fabric.end_ports()) {
    const std::string& name = description_or_name(port);
    const auto next = std::min(known.size(), ObservedTraffic::most_groups - 1);
    groups.push_back(known
                         .emplace(name.substr(0, name.find_first_of("0123456789 ")),
                                  static_cast<std::uint8_t>(next))
                         .first->second);
  }
  return groups;
}

}  // namespace pssp
