#pragma once

// The packets of the simulator as a network of applications: each message is a stream of its
// adapter, and is in when its last packet was taken.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "applications/networks/message_network.h"
#include "congestion/parameters.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"
#include "fabric/tables/service_levels.h"
#include "simulator/adaptive/port_choice.h"
#include "simulator/changes/later_states.h"
#include "simulator/model.h"

namespace pssp {

/// What packets go by beside the tables; each must outlive the network.
struct PacketRules {
  const ServiceLevels* levels = nullptr;             ///< of routes; null: those of messages
  const CongestionParameters* congestion = nullptr;  ///< null: congestion control is off
  const AdaptiveRouting* adaptive = nullptr;  ///< of groups of the tables; null: these decide alone
  const LaterStates* later = nullptr;         ///< changes of the fabric; null: it stays
};

class PacketNetwork : public MessageNetwork {
 public:
  /// All that send or receive are in `hosts`. Arguments must outlive the object. Throws as
  /// simulate(); Error(verification_failed) where the tables lack a route between two of the hosts.
  /// Packets choose ports in a fabric that stays alone: adaptive and later together are
  /// Error(usage).
  /// O(hosts * switches).
  PacketNetwork(const Fabric& fabric, const ForwardingTables& tables, const Model& model,
                std::span<const EndPortId> hosts, const PacketRules& rules = {});
  ~PacketNetwork() override;

  double picoseconds_per_byte() const override;
  ReplayTime delay(EndPortId from, EndPortId to) override;
  ReplayTime time_alone(double bytes, EndPortId from, EndPortId to) override;
  void begin(std::uint32_t message, double bytes, EndPortId from, EndPortId to,
             ReplayTime now) override;
  void settle(ReplayTime /*now*/) override {}
  /// Throws Error(verification_failed) where packets wait for each other for ever, and where a
  /// message was lost so often that its connection gave up.
  ReplayTime next_event(ReplayTime until) override;
  bool take_events(ReplayTime now, MessageEvents& arrivals) override;
  bool tells_arrivals() const override { return true; }

  /// Before the first message: the service level, 0 .. 15, of each message by its number; further
  /// ones have 0. Where PacketRules has levels of routes, these count.
  void set_levels(std::vector<std::uint8_t> by_message);

  /// That were handled so far.
  std::uint64_t events() const noexcept;
  /// Packets of messages that have arrived, and of these the ones that came in behind one that the
  /// same host had sent later to the same host.
  std::uint64_t packets() const noexcept;
  std::uint64_t overtaken() const noexcept;
  /// Where the fabric changes.
  const LossCounts& losses() const noexcept;
  /// How often a host was told of congestion (by BECN).
  std::uint64_t notifications() const noexcept;
  /// To be called when all has arrived: throws Error(internal) where a packet or a credit is lost,
  /// and where one overtook another although the tables decide alone.
  void check_conservation() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pssp
