#pragma once

// On which hosts the ranks of an application are.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "applications/replay/network_replay.h"
#include "applications/schedule/schedule.h"
#include "fabric/fabric.h"
#include "tools/simulate_application/answer/question.h"

namespace pssp {

/// All that take part in traffic, by GUID of their switch, then by its port.
std::vector<EndPortId> hosts_by_switch(const Fabric& fabric);

/// In the order that was asked for, with this seed, or the file of hosts. Throws Error.
std::vector<EndPortId> choose_hosts(const Fabric& fabric, const ApplicationQuestion& question,
                                    std::uint64_t seed, std::vector<std::string>& warnings);

/// Of so many ranks on the first of these hosts, `each` on one: block after block, or `cyclic`, one
/// on each host before a second one is on any. As many as there is room for.
std::vector<EndPortId> place_on_hosts(const std::vector<EndPortId>& hosts, std::size_t ranks,
                                      std::size_t each, bool cyclic);

/// Whether an operation names an adapter other than the first.
bool names_adapters(const Schedule& schedule);

/// With the end ports of each rank's node, by rail (fabric/nodes/node_rails.h), where `several` are
/// named.
RankPlacement with_adapters(const Fabric& fabric, std::vector<EndPortId> hosts, bool several);

}  // namespace pssp
