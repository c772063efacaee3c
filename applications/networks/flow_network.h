#pragma once

// Messages as flows that share the links of their ways.

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "applications/networks/message_network.h"
#include "applications/networks/shared_links.h"
#include "applications/networks/ways.h"

namespace pssp {

class FlowNetwork : public MessageNetwork {
 public:
  /// Without tables the links of hosts alone are shared; or, `spread`, each message is divided
  /// evenly over all minimal ways, which adaptive routing could reach at best. Fabric and tables
  /// must outlive the object.
  FlowNetwork(const Fabric& fabric, const ForwardingTables* tables, const WayDelays& delays,
              LinkSharing sharing, bool spread = false);

  double picoseconds_per_byte() const override;
  PlayTime delay(EndPortId from, EndPortId to) override;
  PlayTime time_alone(double bytes, EndPortId from, EndPortId to) override;
  void begin(std::uint32_t message, double bytes, EndPortId from, EndPortId to,
             PlayTime now) override;
  void settle(PlayTime now) override { links_.share(now); }
  PlayTime next_news(PlayTime until) override;
  bool take_news(PlayTime now, MessageNews& news) override;
  bool tells_arrivals() const override { return false; }

  /// Jobs of messages: SharedLinks::watch_groups().
  void watch_groups(std::vector<std::uint32_t> group_of, std::uint32_t groups) {
    links_.watch_groups(std::move(group_of), groups);
  }
  double held_up(std::uint32_t group, std::uint32_t by) const { return links_.held_up(group, by); }

  /// Bytes that have crossed each link, by the numbers of MessageWays.
  std::span<const double> link_bytes() const noexcept { return links_.bytes(); }

 private:
  const MinimalWays::Ways& divided(EndPortId from, EndPortId to);

  const Fabric& fabric_;
  MessageWays ways_;
  std::optional<MinimalWays> minimal_;  // of messages that are divided
  std::vector<double> capacities_;
  SharedLinks links_;
  std::vector<std::uint32_t> way_;
  std::vector<LinkPart> parts_;
};

}  // namespace pssp
