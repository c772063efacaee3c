#pragma once

// Messages as flows that share the links of their paths.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "applications/networks/message_network.h"
#include "applications/networks/paths.h"
#include "applications/networks/shared_links.h"

namespace pssp {

class FlowNetwork : public MessageNetwork {
 public:
  /// Without tables, only the links of hosts are shared; with `spread`, each message is divided
  /// evenly over all minimal paths, the best case of adaptive routing. Fabric and tables must
  /// outlive the object.
  FlowNetwork(const Fabric& fabric, const ForwardingTables* tables, const PathDelays& delays,
              LinkSharing sharing, bool spread = false);

  double picoseconds_per_byte() const override;
  ReplayTime delay(EndPortId from, EndPortId to) override;
  ReplayTime time_alone(double bytes, EndPortId from, EndPortId to) override;
  void begin(std::uint32_t message, double bytes, EndPortId from, EndPortId to,
             ReplayTime now) override;
  void settle(ReplayTime now) override { links_.share(now); }
  ReplayTime next_event(ReplayTime until) override;
  bool take_events(ReplayTime now, MessageEvents& events) override;
  bool tells_arrivals() const override { return false; }

  /// Jobs of messages: see SharedLinks::watch_groups().
  void watch_groups(std::vector<std::uint32_t> group_of, std::uint32_t groups) {
    links_.watch_groups(std::move(group_of), groups);
  }
  double held_up(std::uint32_t group, std::uint32_t by) const { return links_.held_up(group, by); }

  /// Bytes over each link, by the numbers of MessagePaths.
  std::span<const double> link_bytes() const noexcept { return links_.bytes(); }

 private:
  const MinimalPaths::AllPaths& divided(EndPortId from, EndPortId to);

  const Fabric& fabric_;
  MessagePaths paths_;
  std::optional<MinimalPaths> minimal_;  // of divided messages
  std::vector<double> capacities_;
  SharedLinks links_;
  std::vector<std::uint32_t> path_;
  std::vector<LinkPart> parts_;
};

}  // namespace pssp
