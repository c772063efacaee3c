#include <catch2/catch.hpp>
#include <vector>

#include "congestion/parameters.h"
#include "tests/congestion/parameter_testing.h"

using namespace pssp;
using namespace pssp::test;
using Catch::Matchers::Contains;

TEST_CASE("port p is bit p of a 256-bit number in big-endian byte order") {
  for (std::size_t port = 0; port < 256; ++port) {
    PortMask mask;
    mask.set(port);
    const auto bytes = port_mask_bytes(mask);
    for (std::size_t i = 0; i < 32; ++i) {
      const std::size_t low_bit = 8 * (31 - i);
      const bool here = port >= low_bit && port < low_bit + 8;
      REQUIRE(bytes[i] == (here ? 1U << (port - low_bit) : 0U));
    }
    REQUIRE(port_mask_of_bytes(bytes) == mask);
  }
}

TEST_CASE("a port selection contains the ports of its roles and its numbered ports") {
  using enum PortRole;
  const std::vector<PortRole> roles{host_facing, host_facing,   switch_facing,
                                    unconnected, switch_facing, host_facing};
  const auto ports = [&](PortSelection selection) { return resolve(selection, roles).to_ulong(); };
  PortMask by_number;
  by_number.set(0);
  by_number.set(3);
  by_number.set(5);
  CHECK(ports({}) == 0);
  CHECK(ports({.host_facing = true, .switch_facing = false, .ports = {}}) == 0b100010);
  CHECK(ports({.host_facing = false, .switch_facing = true, .ports = {}}) == 0b010100);
  CHECK(ports({.host_facing = true, .switch_facing = true, .ports = {}}) == 0b110110);
  CHECK(ports({.host_facing = true, .switch_facing = false, .ports = by_number}) == 0b101011);
  CHECK(resolve({.host_facing = true, .switch_facing = true, .ports = by_number}, {}) == by_number);
}

TEST_CASE("a role never selects the reserved bit 255") {
  const std::vector<PortRole> roles(256, PortRole::host_facing);
  const PortMask mask = resolve({.host_facing = true, .switch_facing = false, .ports = {}}, roles);
  CHECK(mask.count() == 254);
  CHECK_FALSE(mask.test(0));
  CHECK_FALSE(mask.test(255));
}

TEST_CASE("a parameter set with the largest value in each field is valid") {
  CongestionParameters set;
  check(set);
  set.switches.control_map = 0x1f;
  set.switches.threshold = 15;
  set.switches.packet_size = 255;
  set.switches.credit_starvation_threshold = 15;
  set.switches.credit_starvation_return_delay = {3, 16383};
  set.switches.marking_rate = 65535;
  set.switches.victim_mask.ports.set(254);
  set.adapters.port_control = CongestionScope::service_level;
  set.adapters.control_map = 0xffff;
  set.table.entries.assign(16320, CctEntry{0, 16383});
  set.adapters.sl.fill({65535, 255, 255, 255});
  check(set);
}

TEST_CASE("a value outside the range of its field is refused with the field and the range") {
  const auto refused = [](const std::function<void(CongestionParameters&)>& spoil) {
    CongestionParameters set;
    spoil(set);
    return error_of([&] { check(set); });
  };
  CHECK(refused([](auto& set) { set.switches.threshold = 16; }) ==
        "2: Threshold is 16; expected 0 .. 15");
  CHECK(refused([](auto& set) { set.switches.credit_starvation_threshold = 16; }) ==
        "2: CS_Threshold is 16; expected 0 .. 15");
  CHECK(refused([](auto& set) { set.switches.control_map = 0x20; }) ==
        "2: Control_Map of the switches is 32; expected 0 .. 31");
  CHECK(refused([](auto& set) {
          set.switches.credit_starvation_return_delay = {4, 0};
        }) == "2: the shift of CS_ReturnDelay is 4; expected 0 .. 3");
  CHECK(refused([](auto& set) {
          set.switches.credit_starvation_return_delay = {0, 16384};
        }) == "2: the multiplier of CS_ReturnDelay is 16384; expected 0 .. 16383");
  CHECK_THAT(refused([](auto& set) { set.switches.victim_mask.ports.set(255); }),
             Contains("Victim_Mask has bit 255"));
  CHECK_THAT(refused([](auto& set) { set.switches.credit_mask.ports.set(255); }),
             Contains("Credit_Mask has bit 255"));
  CHECK_THAT(refused([](auto& set) { set.adapters.port_control = CongestionScope{2}; }),
             Contains("Port_Control is 2; expected 0 .. 1"));
  CHECK_THAT(refused([](auto& set) { set.table.entries.clear(); }), Contains("has no entry"));
  CHECK_THAT(refused([](auto& set) {
               set.table.entries[0] = {4, 0};
             }),
             Contains("the shift of entry 0 of the table is 4"));
  CHECK_THAT(refused([](auto& set) { set.table.entries.assign(16321, CctEntry{}); }),
             Contains("expected a CCTI_Limit up to 16319"));
  CHECK_THAT(refused([](auto& set) { set.table.mtu = 1500; }), Contains("the MTU is 1500"));
  CHECK_THAT(refused([](auto& set) { set.table.link_rate = {}; }), Contains("link rate"));
  CHECK_THAT(
      refused([](auto& set) { set.adapters.sl[9].ccti_min = 1; }),
      Contains("CCTI_Min of service level 9 is 1, which exceeds CCTI_Limit; expected 0 .. 0"));
}

TEST_CASE("a table longer than the capacity of the hardware is refused") {
  CongestionParameters set;
  set.table.capacity_blocks = 2;
  set.table.entries.assign(128, CctEntry{});
  check(set);
  set.table.entries.assign(129, CctEntry{});
  CHECK_THAT(error_of([&] { check(set); }),
             Contains("129 entries (CCTI_Limit 128), more than the 128 of 2 blocks of 64; expected "
                      "a CCTI_Limit up to 127"));
  check_capacity(set.table, 3);
  CHECK_THAT(error_of([&] { check_capacity(set.table, 0); }), Contains("up to 0"));
}

TEST_CASE("delays in a table may repeat but not decrease") {
  CongestionParameters set;
  // 8/8, 1/1 and 4/4 are the same delay.
  set.table.entries = {{0, 0}, {3, 8}, {0, 1}, {2, 4}, {1, 3}};
  check(set);
  CHECK_FALSE(first_fall(set.table));
  set.table.entries.push_back({3, 11});
  CHECK(first_fall(set.table) == std::size_t{5});
  CHECK_THAT(
      error_of([&] { check(set); }),
      Contains("entry 5 of the table has a shorter delay than the one before it (1.375 after "
               "1.5 packet times)"));
}
