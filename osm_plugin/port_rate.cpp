#include "osm_plugin/port_rate.h"

#include <string>
#include <string_view>

namespace pssp {
namespace {

constexpr unsigned ndr_active = 8;  // LinkSpeedExtActive beyond what OpenSM's headers name

std::string_view width_name(unsigned active) {
  switch (active) {
    case IB_LINK_WIDTH_ACTIVE_1X:
      return "1x";
    case IB_LINK_WIDTH_ACTIVE_2X:
      return "2x";
    case IB_LINK_WIDTH_ACTIVE_4X:
      return "4x";
    case IB_LINK_WIDTH_ACTIVE_8X:
      return "8x";
    case IB_LINK_WIDTH_ACTIVE_12X:
      return "12x";
    default:
      return "";
  }
}

std::string_view extended_speed_name(unsigned active) {
  switch (active) {
    case IB_LINK_SPEED_EXT_ACTIVE_14:
      return "FDR";
    case IB_LINK_SPEED_EXT_ACTIVE_25:
      return "EDR";
    case IB_LINK_SPEED_EXT_ACTIVE_50:
      return "HDR";
    case ndr_active:
      return "NDR";
    default:
      return "";
  }
}

std::string_view speed_name(unsigned active) {
  switch (active) {
    case IB_LINK_SPEED_ACTIVE_2_5:
      return "SDR";
    case IB_LINK_SPEED_ACTIVE_5:
      return "DDR";
    case IB_LINK_SPEED_ACTIVE_10:
      return "QDR";
    default:
      return "";
  }
}

}  // namespace

LinkRate active_rate(const ib_port_info_t& info, const ib_mlnx_ext_port_info_t& extended) {
  std::string_view speed = extended_speed_name(ib_port_info_get_link_speed_ext_active(&info));
  if (speed.empty() && (extended.link_speed_active & FDR10) != 0) speed = "FDR10";
  if (speed.empty()) speed = speed_name(ib_port_info_get_link_speed_active(&info));
  std::string rate(width_name(info.link_width_active));
  rate += speed;
  return parse_link_rate(rate).value_or(LinkRate{});
}

}  // namespace pssp
