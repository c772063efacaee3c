#pragma once

// Random settings, with each value in the range of its field.

#include <cstdint>
#include <random>

#include "wire/congestion/attributes.h"

namespace pssp {

class Values {
 public:
  explicit Values(unsigned seed) : random_(seed) {}

  template <class Number>
  Number up_to(std::uint32_t largest) {
    return static_cast<Number>(std::uniform_int_distribution<std::uint32_t>(0, largest)(random_));
  }
  PortMask mask() {
    PortMask mask;
    for (std::size_t port = 0; port <= cc_limits::highest_port; ++port) {
      mask[port] = up_to<unsigned>(1) == 1;
    }
    return mask;
  }
  CctEntry entry() {
    return {up_to<std::uint8_t>(cc_limits::shift), up_to<std::uint16_t>(cc_limits::multiplier)};
  }
  SwitchSetting switch_setting() {
    return {up_to<std::uint32_t>(0x1f),
            mask(),
            mask(),
            up_to<std::uint8_t>(15),
            up_to<std::uint8_t>(255),
            up_to<std::uint8_t>(15),
            entry(),
            up_to<std::uint16_t>(65535)};
  }
  AdapterCongestionParameters adapter() {
    AdapterCongestionParameters setting;
    setting.port_control = static_cast<CongestionScope>(up_to<std::uint16_t>(1));
    setting.control_map = up_to<std::uint16_t>(0xffff);
    for (AdapterSlParameters& sl : setting.sl) {
      sl = {up_to<std::uint16_t>(65535), up_to<std::uint8_t>(255), up_to<std::uint8_t>(255),
            up_to<std::uint8_t>(255)};
    }
    return setting;
  }

 private:
  std::mt19937 random_;
};

}  // namespace pssp
