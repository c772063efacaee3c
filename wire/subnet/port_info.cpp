// Fields by their first bit, as in the tables of the specification. Fields of one byte or less do
// not cross a byte boundary.

#include "wire/subnet/port_info.h"

#include <span>

#include "wire/big_endian.h"
#include "wire/get_request.h"

namespace pssp {
namespace {

std::uint8_t bits(const MadData& data, unsigned bit, unsigned width) {
  const unsigned behind = 8 - bit % 8 - width;
  return static_cast<std::uint8_t>((data[bit / 8] >> behind) & ((1U << width) - 1));
}

template <std::unsigned_integral Number>
Number number(const MadData& data, unsigned bit) {
  return take<Number>(std::span<const std::uint8_t>(data).subspan(bit / 8));
}

MadRequest subnet_get(SubnetAttribute attribute, std::uint32_t modifier, const Destination& to,
                      std::uint64_t m_key) {
  return subnet_request(static_cast<std::uint16_t>(attribute), modifier, to, m_key);
}

}  // namespace

MadRequest port_info_request(const Destination& to, PortNumber port, std::uint64_t m_key) {
  return subnet_get(SubnetAttribute::port_info, port, to, m_key);
}

MadRequest vendor_port_info_request(const Destination& to, PortNumber port, std::uint64_t m_key) {
  return subnet_get(SubnetAttribute::vendor_port_info, port, to, m_key);
}

MadRequest switch_info_request(const Destination& to, std::uint64_t m_key) {
  return subnet_get(SubnetAttribute::switch_info, 0, to, m_key);
}

MadRequest manager_info_request(const Destination& to, std::uint64_t m_key) {
  return subnet_get(SubnetAttribute::manager_info, 0, to, m_key);
}

MadRequest linear_table_request(const Destination& to, std::uint16_t block, std::uint64_t m_key) {
  return subnet_get(SubnetAttribute::linear_forwarding_table, block, to, m_key);
}

PortInfo decode_port_info(const MadData& data) {
  PortInfo info;
  info.lid = number<Lid>(data, 128);
  info.manager_lid = number<Lid>(data, 144);
  info.capabilities = number<std::uint32_t>(data, 160);
  info.width_enabled = bits(data, 232, 8);
  info.width_supported = bits(data, 240, 8);
  info.width_active = bits(data, 248, 8);
  info.speed_supported = bits(data, 256, 4);
  info.state = bits(data, 260, 4);
  info.physical_state = bits(data, 264, 4);
  info.lmc = bits(data, 277, 3);
  info.speed_active = bits(data, 280, 4);
  info.speed_enabled = bits(data, 284, 4);
  info.mtu_active = bits(data, 288, 4);
  info.lanes_supported = bits(data, 296, 4);
  info.mtu_supported = bits(data, 332, 4);
  info.lanes_operational = bits(data, 344, 4);
  info.extended_speed_active = bits(data, 496, 4);
  info.extended_speed_supported = bits(data, 500, 4);
  info.extended_speed_enabled = bits(data, 507, 5);
  return info;
}

SwitchInfo decode_switch_info(const MadData& data) {
  return {number<std::uint16_t>(data, 0), number<std::uint16_t>(data, 48), bits(data, 93, 1) != 0,
          bits(data, 132, 1) != 0};
}

ManagerInfo decode_manager_info(const MadData& data) {
  return {number<Guid>(data, 0), number<std::uint32_t>(data, 128), bits(data, 160, 4),
          static_cast<ManagerInfo::State>(bits(data, 164, 4))};
}

bool decode_runs_fdr10(const MadData& data) { return (data[15] & 1U) != 0; }

}  // namespace pssp
