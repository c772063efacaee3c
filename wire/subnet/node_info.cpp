#include "wire/subnet/node_info.h"

#include <algorithm>
#include <span>

#include "wire/big_endian.h"
#include "wire/get_request.h"

namespace pssp {
namespace {

// Offsets in the attribute.
constexpr std::size_t type_at = 2, ports_at = 3, node_guid_at = 12, port_guid_at = 20,
                      device_at = 30, local_port_at = 36;

}  // namespace

MadRequest node_info_request(const Destination& to, std::uint64_t m_key) {
  return subnet_request(node_info_attribute, 0, to, m_key);
}

MadRequest node_description_request(const Destination& to, std::uint64_t m_key) {
  return subnet_request(node_description_attribute, 0, to, m_key);
}

std::string decode_node_description(const MadData& data) {
  const auto end = data.begin() + subnet_class.data_size;
  return {data.begin(), std::find(data.begin(), end, std::uint8_t{0})};
}

NodeInfo decode_node_info(const MadData& data) {
  const std::span<const std::uint8_t> bytes(data);
  NodeInfo info;
  info.type = static_cast<NodeInfo::Type>(data[type_at]);
  info.ports = data[ports_at];
  info.node_guid = take<Guid>(bytes.subspan(node_guid_at));
  info.port_guid = take<Guid>(bytes.subspan(port_guid_at));
  info.device = take<std::uint16_t>(bytes.subspan(device_at));
  info.local_port = data[local_port_at];
  // The local port and the vendor share a word.
  info.vendor = take<std::uint32_t>(bytes.subspan(local_port_at)) & 0xff'ffffU;
  return info;
}

}  // namespace pssp
