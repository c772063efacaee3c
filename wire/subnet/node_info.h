#pragma once

// NodeInfo (InfiniBand architecture 1.3, 14.2.5.3): identifies the node at a LID or at the end of a
// route.

#include <string>

#include "wire/mad.h"

namespace pssp {

inline constexpr std::uint16_t node_description_attribute = 0x0010, node_info_attribute = 0x0011;

struct NodeInfo {
  enum class Type : std::uint8_t { channel_adapter = 1, switch_node = 2, router = 3 };

  Type type = Type::channel_adapter;
  std::uint8_t ports = 0;  ///< external ones
  Guid node_guid = 0;
  Guid port_guid = 0;  ///< of the port that received the request; for a switch, its node's
  PortNumber local_port = 0;
  std::uint16_t device = 0;
  std::uint32_t vendor = 0;  ///< 24 bits

  bool operator==(const NodeInfo&) const = default;
};

/// By LID or along a directed route, depending on the destination. `m_key` is needed only if
/// reading is protected.
MadRequest node_info_request(const Destination& to, std::uint64_t m_key = 0);
NodeInfo decode_node_info(const MadData& data);

/// NodeDescription: up to 64 bytes of arbitrary content, without trailing zeros.
MadRequest node_description_request(const Destination& to, std::uint64_t m_key = 0);
std::string decode_node_description(const MadData& data);

}  // namespace pssp
