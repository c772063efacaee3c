#pragma once

// Identifiers: small integers with separate types, so that a switch cannot be passed as a channel.
// Names and GUIDs appear only in readers, writers and messages.

#include <compare>
#include <cstdint>
#include <limits>

namespace pssp {

/// Index into one of the flat arrays of a Fabric. A default-constructed Id is "none".
template <class Tag>
class Id {
 public:
  constexpr Id() noexcept = default;
  constexpr explicit Id(std::uint32_t value) noexcept : value_(value) {}

  constexpr std::uint32_t value() const noexcept { return value_; }
  constexpr bool valid() const noexcept { return value_ != none_value; }
  // clang-tidy 14 takes the zero that a defaulted comparison is compared with for a pointer.
  friend constexpr auto operator<=>(Id, Id) noexcept = default;  // NOLINT(modernize-use-nullptr)

 private:
  static constexpr std::uint32_t none_value = std::numeric_limits<std::uint32_t>::max();
  std::uint32_t value_ = none_value;
};

/// A switch: 0 .. Fabric::switch_count() - 1, in ascending order of node GUID.
using SwitchId = Id<struct SwitchTag>;
/// A port of a channel adapter or router: 0 .. Fabric::end_port_count() - 1, in ascending order of
/// (node GUID, port number).
using EndPortId = Id<struct EndPortTag>;
/// One direction of a switch-to-switch link: 0 .. Fabric::channel_count() - 1, ordered by (source
/// switch, out port).
using ChannelId = Id<struct ChannelTag>;

/// Port number on a node: 1 .. 254 are external ports, 0 is a switch's management port.
using PortNumber = std::uint8_t;
constexpr PortNumber management_port = 0;
/// "No route" in a linear forwarding table (InfiniBand architecture 1.3, section 18.2.4.3.2).
constexpr PortNumber no_port = 0xFF;
constexpr unsigned max_port_number = 254;

/// Local identifier in host byte order.
using Lid = std::uint16_t;
constexpr Lid no_lid = 0;
constexpr Lid first_unicast_lid = 0x0001;
constexpr Lid last_unicast_lid = 0xBFFF;
constexpr unsigned max_lmc = 7;

/// 64-bit global identifier in host byte order; 0 is "unknown".
using Guid = std::uint64_t;

/// The GUID with reversed bytes. OpenSM stores GUIDs in network byte order and sorts its tables by
/// that number, read in host byte order: on little-endian machines (x86, arm64) this is the
/// ascending order of the reversed GUIDs.
constexpr Guid byte_swapped(Guid guid) noexcept {
  Guid swapped = 0;
  for (unsigned byte = 0; byte < sizeof(Guid); ++byte) {
    swapped = (swapped << 8) | ((guid >> (8 * byte)) & 0xFF);
  }
  return swapped;
}

}  // namespace pssp
