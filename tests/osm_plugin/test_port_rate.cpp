#include <catch2/catch.hpp>
#include <string>

#include "osm_plugin/port_rate.h"

using pssp::active_rate;

namespace {

struct Active {
  unsigned width = 0;     // LinkWidthActive
  unsigned speed = 0;     // LinkSpeedActive
  unsigned extended = 0;  // LinkSpeedExtActive
  bool fdr10 = false;
};

std::string rate(Active active) {
  ib_port_info_t info{};
  info.link_width_active = static_cast<std::uint8_t>(active.width);
  // The low nibbles hold the enabled speeds. All are set, so that the test fails if they are taken
  // for the active speed.
  info.link_speed = static_cast<std::uint8_t>(active.speed << 4 | 0xF);
  info.link_speed_ext = static_cast<std::uint8_t>(active.extended << 4 | 0xF);
  ib_mlnx_ext_port_info_t vendor{};
  vendor.link_speed_active = active.fdr10 ? 1 : 0;
  return to_string(active_rate(info, vendor));
}

}  // namespace

// Encodings: InfiniBand architecture 1.6, PortInfo (LinkWidthActive, LinkSpeedActive,
// LinkSpeedExtActive).
TEST_CASE("the active rate of a port is read from PortInfo") {
  CHECK(rate({.width = 1, .speed = 1}) == "1xSDR");
  CHECK(rate({.width = 2, .speed = 1}) == "4xSDR");
  CHECK(rate({.width = 2, .speed = 2}) == "4xDDR");
  CHECK(rate({.width = 4, .speed = 4}) == "8xQDR");
  CHECK(rate({.width = 8, .speed = 4}) == "12xQDR");
  CHECK(rate({.width = 16, .speed = 4}) == "2xQDR");
}

TEST_CASE("the extended speed of a port takes precedence, then FDR10") {
  CHECK(rate({.width = 2, .speed = 4, .extended = 1}) == "4xFDR");
  CHECK(rate({.width = 2, .speed = 4, .extended = 2}) == "4xEDR");
  CHECK(rate({.width = 16, .speed = 4, .extended = 4}) == "2xHDR");
  CHECK(rate({.width = 2, .speed = 0, .extended = 8}) == "4xNDR");
  CHECK(rate({.width = 2, .speed = 4, .fdr10 = true}) == "4xFDR10");
  CHECK(rate({.width = 2, .speed = 4, .extended = 1, .fdr10 = true}) == "4xFDR");
}

TEST_CASE("an undefined width or speed gives an empty rate") {
  CHECK(rate({.width = 0, .speed = 4}).empty());
  CHECK(rate({.width = 3, .speed = 4}).empty());
  CHECK(rate({.width = 2, .speed = 0}).empty());
  CHECK(rate({.width = 2, .speed = 3}).empty());
}
