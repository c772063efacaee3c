#pragma once

// Assigns the ranks of an application to hosts.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "applications/replay/network_replay.h"
#include "applications/schedule/schedule.h"
#include "fabric/fabric.h"
#include "tools/simulate_application/answer/question.h"

namespace pssp {

/// All hosts with traffic, by GUID of their switch, then by its port.
std::vector<EndPortId> hosts_by_switch(const Fabric& fabric);

/// In the requested order with this seed, or from the file of hosts. Throws Error.
std::vector<EndPortId> choose_hosts(const Fabric& fabric, const ApplicationQuestion& question,
                                    std::uint64_t seed, std::vector<std::string>& warnings);

/// Places ranks on the first of these hosts, `each` on one: in blocks, or with `cyclic` one on each
/// host before a second one on any. As many as fit.
std::vector<EndPortId> place_on_hosts(const std::vector<EndPortId>& hosts, std::size_t ranks,
                                      std::size_t each, bool cyclic);

/// Whether an operation names an adapter other than the first.
bool names_adapters(const Schedule& schedule);

/// Adds the end ports of each rank's node, by rail (fabric/nodes/node_rails.h), if `several` are
/// named.
RankPlacement with_adapters(const Fabric& fabric, std::vector<EndPortId> hosts, bool several);

}  // namespace pssp
