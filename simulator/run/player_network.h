#pragma once

// The packet simulator as a network of applications: each message is a stream of its adapter, and
// has arrived when its last packet is taken.

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

/// Rules for packets besides the tables; each must outlive the network.
struct PacketRules {
  const ServiceLevels* levels = nullptr;             ///< of routes; null: those of messages
  const CongestionParameters* congestion = nullptr;  ///< null: congestion control is off
  const AdaptiveRouting* adaptive = nullptr;         ///< groups of the tables; null: tables only
  const LaterStates* later = nullptr;                ///< changes of the fabric; null: none
};

class PacketNetwork : public MessageNetwork {
 public:
  /// `hosts` must contain all senders and receivers. Arguments must outlive the object. Throws the
  /// errors of simulate(), Error(verification_failed) if the tables lack a route between two of the
  /// hosts, and Error(usage) for adaptive and later together, because adaptive routing requires a
  /// constant fabric. O(hosts * switches).
  PacketNetwork(const Fabric& fabric, const ForwardingTables& tables, const Model& model,
                std::span<const EndPortId> hosts, const PacketRules& rules = {});
  ~PacketNetwork() override;

  double picoseconds_per_byte() const override;
  ReplayTime delay(EndPortId from, EndPortId to) override;
  ReplayTime time_alone(double bytes, EndPortId from, EndPortId to) override;
  void begin(std::uint32_t message, double bytes, EndPortId from, EndPortId to,
             ReplayTime now) override;
  void settle(ReplayTime /*now*/) override {}
  /// Throws Error(verification_failed) if packets deadlock, or if a connection gave up after too
  /// many losses of a message.
  ReplayTime next_event(ReplayTime until) override;
  bool take_events(ReplayTime now, MessageEvents& arrivals) override;
  bool tells_arrivals() const override { return true; }

  /// Must be called before the first message: the service level, 0 .. 15, of each message by its
  /// number; 0 for further ones. Levels of routes in PacketRules take precedence.
  void set_levels(std::vector<std::uint8_t> by_message);

  /// Number of events handled so far.
  std::uint64_t events() const noexcept;
  /// Packets of arrived messages, and how many of these arrived after a packet that the same host
  /// had sent later to the same host.
  std::uint64_t packets() const noexcept;
  std::uint64_t overtaken() const noexcept;
  /// For runs whose fabric changes.
  const LossCounts& losses() const noexcept;
  /// Number of congestion notifications (BECN) that hosts received.
  std::uint64_t notifications() const noexcept;
  /// Must be called when everything has arrived: throws Error(internal) if a packet or a credit is
  /// lost, or if one packet overtook another although only tables choose ports.
  void check_conservation() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace pssp
