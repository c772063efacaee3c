#pragma once

// The destination of a MAD: a LID, or a directed route, which needs no forwarding tables.

#include <array>
#include <compare>
#include <cstdint>

#include "fabric/ids.h"

namespace pssp {

/// The output ports of a directed-route MAD, one per hop: port[1] at the sender, port[2] at the
/// first switch, and so on; port[0] is unused. Zero hops denote the sending port itself.
struct DirectedRoute {
  static constexpr unsigned most_hops = 63;

  std::uint8_t hops = 0;  ///< 0 .. most_hops
  std::array<PortNumber, most_hops + 1> port{};

  // clang-tidy 14 takes the zero that a defaulted comparison is compared with for a pointer.
  friend auto operator<=>(const DirectedRoute&,
                          const DirectedRoute&) = default;  // NOLINT(modernize-use-nullptr)
};

/// Queue pair 0 is for subnet management, queue pair 1 for everything else.
enum class QueuePair : std::uint8_t { subnet_management = 0, general_services = 1 };

struct Destination {
  Lid lid = no_lid;  ///< permissive_lid for a directed route
  QueuePair queue_pair = QueuePair::general_services;
  std::uint8_t service_level = 0;
  std::uint16_t pkey_index = 0;
  DirectedRoute route;  ///< used only with permissive_lid

  friend auto operator<=>(const Destination&,
                          const Destination&) = default;  // NOLINT(modernize-use-nullptr)
};

/// Matches any receiver: the address of every hop of a directed route.
inline constexpr Lid permissive_lid = 0xffff;

/// Performance management, congestion control and so on at a LID.
constexpr Destination general_services_at(Lid lid) {
  return {lid, QueuePair::general_services, 0, 0, {}};
}
/// Subnet management at a LID, through the forwarding tables.
constexpr Destination subnet_management_at(Lid lid) {
  return {lid, QueuePair::subnet_management, 0, 0, {}};
}
/// Subnet management at the end of a route.
constexpr Destination subnet_management_along(const DirectedRoute& route) {
  return {permissive_lid, QueuePair::subnet_management, 0, 0, route};
}

}  // namespace pssp
