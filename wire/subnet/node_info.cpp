#include "wire/subnet/node_info.h"

#include <span>

#include "wire/big_endian.h"

namespace pssp {
namespace {

// Offsets in the attribute.
constexpr std::size_t type_at = 2, ports_at = 3, node_guid_at = 12, port_guid_at = 20,
                      local_port_at = 36;

}  // namespace

MadRequest node_info_request(const Destination& to, std::uint64_t m_key) {
  MadRequest request;
  request.management_class = to.lid == permissive_lid ? directed_subnet_class : subnet_class;
  request.attribute = node_info_attribute;
  request.key = m_key;
  request.to = to;
  return request;
}

NodeInfo decode_node_info(const MadData& data) {
  const std::span<const std::uint8_t> bytes(data);
  NodeInfo info;
  info.type = static_cast<NodeInfo::Type>(data[type_at]);
  info.ports = data[ports_at];
  info.node_guid = take<Guid>(bytes.subspan(node_guid_at));
  info.port_guid = take<Guid>(bytes.subspan(port_guid_at));
  info.local_port = data[local_port_at];
  return info;
}

}  // namespace pssp
