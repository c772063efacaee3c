// Of tables that are otherwise equal, those are better that do not lead all hosts in the same
// position of their leaves over one uplink: these hosts can be a row of a matrix that is
// transposed, or servers without a recognizable name.

#include "routing/engines/parts/counts/place_traffic.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "routing/structured_suite/flow_follower.h"
#include "routing/structured_suite/phase_bound.h"
#include "routing/structured_suite/servers.h"

namespace pssp {

PositionTraffic::PositionTraffic(const Fabric& fabric, std::vector<EndPortId> hosts)
    : fabric_(fabric), hosts_(std::move(hosts)) {
  std::vector<std::string_view> wanted{"bit_reversal", "transpose"};
  if (!find_servers(fabric, hosts_).by_type) {
    wanted.insert(wanted.end(), {"servers_one", "servers_job"});
  }
  PhaseBound bound(fabric, hosts_);
  for (TrafficPattern& each : make_patterns(fabric, hosts_, false, phases_to_compare_by)) {
    if (std::ranges::find(wanted, each.name) == wanted.end()) continue;
    double sum = 0;
    each.visit([&](std::span<const HostFlow> flows) { sum += bound.of(flows); });
    bounds_.push_back(sum);
    patterns_.push_back(std::move(each));
  }
}

double PositionTraffic::slowdown(const ForwardingTables& tables, const StopSignal& stop) const {
  if (patterns_.empty()) return 1;
  FlowFollower follower(fabric_, tables, hosts_, {});
  double logarithms = 0;
  for (std::size_t i = 0; i < patterns_.size(); ++i) {
    stop.check("traffic between hosts at the same position");
    double sum = 0;
    patterns_[i].visit([&](std::span<const HostFlow> flows) {
      sum += std::max(1.0, follower.follow(flows).largest);
    });
    logarithms += std::log(sum / bounds_[i]);
  }
  return std::exp(logarithms / static_cast<double>(patterns_.size()));
}

}  // namespace pssp
