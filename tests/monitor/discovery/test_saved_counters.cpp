#include <fmt/format.h>

#include <string>
#include <string_view>

#include "monitor/discovery/saved_counters.h"
#include "tests/fabric/formats/format_testing.h"

namespace pssp {
namespace {

using test::error_of;
using test::replaced;
using test::replaced_once;

const std::string saved_text = test::sample_text("golden/lmc2.ibdiagnet2.db_csv");
constexpr Guid leaf_1 = 0x0002c90300000101, leaf_2 = 0x0002c90300000200;

/// The text without the section, including its START_ and END_ lines.
std::string without_section(const std::string& text, const std::string& section) {
  const std::size_t begin = text.find("START_" + section + "\n");
  const std::string end = "END_" + section + "\n";
  return text.substr(0, begin) + text.substr(text.find(end) + end.size());
}

std::uint32_t port_of(const SavedCounters& saved, Guid guid, PortNumber number) {
  const auto port = saved.map->find_port(guid, number);
  REQUIRE(port.has_value());
  return *port;
}

std::uint64_t total(const SavedCounters& saved, std::uint32_t port, Counter counter) {
  return saved.totals.counters(port)[static_cast<std::size_t>(counter)];
}

TEST_CASE("saved counters: totals, differences and the time between readings come from the file") {
  const SavedCounters saved = parse_saved_counters(saved_text, "f");
  CHECK(saved.remarks.empty());
  CHECK(saved.pause_s == 60.0);
  REQUIRE(saved.between.size() == saved.map->ports.size());
  const std::uint32_t port = port_of(saved, leaf_1, 7);
  CHECK(saved.totals.status[port] == PortStatus::read);
  CHECK(total(saved, port, Counter::receive_errors) == 52);
  CHECK(saved.between[port].of(Counter::receive_errors) == 40);
  CHECK(saved.between[port].has(Counter::receive_errors));
  CHECK(saved.between[port].ns == 0);
  // The file counts data in words. The 64-bit column is used instead of the full 32-bit column.
  CHECK(total(saved, port, Counter::transmit_bytes) == 4 * 0x12a05f2000);
  CHECK((saved.totals.saturated[port] & mask_of(Counter::transmit_bytes)) == 0);
  CHECK(saved.map->node_of(saved.map->ports[port]).lid == 16);
  CHECK(saved.map->ports[port].peer == port_of(saved, leaf_2, 7));
  // This port has no cable.
  CHECK(saved.totals.status[port_of(saved, leaf_1, 3)] == PortStatus::not_active);
}

TEST_CASE("saved counters: full counters have no difference, and absent counters are unknown") {
  const SavedCounters saved = parse_saved_counters(saved_text, "f");
  const std::uint32_t full = port_of(saved, leaf_2, 7);
  CHECK(saved.totals.saturated[full] == mask_of(Counter::link_downed));
  CHECK(saved.between[full].saturated == mask_of(Counter::link_downed));
  CHECK_FALSE(saved.between[full].has(Counter::link_downed));
  CHECK(saved.between[full].has(Counter::symbol_errors));
  // An adapter without 64-bit counters has those of PortCounters.
  const std::uint32_t old = port_of(saved, 0x100, 1);
  CHECK(total(saved, old, Counter::symbol_errors) == 3);
  CHECK(total(saved, old, Counter::transmit_bytes) == 8'000'000'000);
  CHECK((saved.totals.narrow[old] & mask_of(Counter::symbol_errors)) != 0);
  CHECK((saved.totals.narrow[full] & mask_of(Counter::symbol_errors)) == 0);
  CHECK((saved.totals.known[old] & mask_of(Counter::qp1_dropped)) == 0);
  CHECK((saved.totals.known[old] & mask_of(Counter::unicast_receive_packets)) == 0);
}

TEST_CASE("saved counters: single sections, ports without rows and a missing pause are accepted") {
  const SavedCounters only_totals =
      parse_saved_counters(without_section(saved_text, "PM_DELTA"), "f");
  CHECK(only_totals.between.empty());
  const SavedCounters only_delta =
      parse_saved_counters(without_section(saved_text, "PM_INFO"), "f");
  const std::uint32_t port = port_of(only_delta, leaf_1, 7);
  CHECK(only_delta.totals.status[port] == PortStatus::read);
  CHECK(only_delta.totals.known[port] == 0);
  CHECK(only_delta.between[port].of(Counter::receive_errors) == 40);
  const std::string row = "0x0002c90300000101,0x0002c90300000101,7,0,0,0,52";
  const std::string text = without_section(saved_text, "PM_DELTA");
  const std::size_t at = text.find(row);
  REQUIRE(at != std::string::npos);
  const SavedCounters silent =
      parse_saved_counters(text.substr(0, at) + text.substr(text.find('\n', at) + 1), "f");
  CHECK(silent.totals.status[port] == PortStatus::silent);
  CHECK_FALSE(parse_saved_counters(replaced(saved_text, "--pm_pause_time 60", ""), "f").pause_s);
  CHECK_FALSE(parse_saved_counters(replaced(saved_text, "_time 60", "_time x"), "f").pause_s);
  const std::string extra = "0x0000000000000100,0x0000000000000101,1,3";
  const SavedCounters left_out =
      parse_saved_counters(replaced_once(text, extra, "0x999,0x99a,1,3"), "f");
  REQUIRE(left_out.remarks.size() == 1);
  CHECK_THAT(
      left_out.remarks[0],
      Catch::StartsWith("f: ignored 1 row(s) of counters of ports that section NODES does not "
                        "list: line "));
}

TEST_CASE("saved counters: supported and enabled speeds come from section PORTS") {
  std::string text = without_section(saved_text, "PM_DELTA");
  text = replaced(text, "LinkSpeedActv,LMC,PortPhyState,PortState,CapMsk2,FECActv",
                  "LinkSpeedActv,LMC,PortPhyState,PortState,LinkSpeedSup,LinkSpeedEn");
  text = replaced(text, ",5,4,1074,14\n", ",5,4,3847,0x0707\n");
  const SavedCounters saved = parse_saved_counters(text, "f");
  const MapPort& port = saved.map->ports[port_of(saved, leaf_1, 7)];
  CHECK(port.state == LinkState::active);
  CHECK(port.physical == PhysicalState::link_up);
  CHECK(port.speed_supported == 7);
  CHECK(port.extended_speed_supported == 15);
  CHECK(port.speed_enabled == 7);
  CHECK(port.extended_speed_enabled == 7);
  CHECK(saved.map->ports[port_of(saved, leaf_1, 3)].state == LinkState::down);
}

TEST_CASE("saved counters: absent or garbled counters are refused") {
  const std::string bare = without_section(without_section(saved_text, "PM_DELTA"), "PM_INFO");
  CHECK_THAT(error_of([&] { parse_saved_counters(bare, "f"); }),
             Catch::StartsWith("3: f: there are no counters (section PM_INFO); run ibdiagnet "
                               "without '--skip pm'"));
  CHECK_THAT(error_of([] { parse_saved_counters("hello", "f"); }),
             Catch::StartsWith("3: f: section NODES is missing"));
  CHECK_THAT(
      error_of([] { parse_saved_counters(replaced(saved_text, "320000000", "many"), "f"); }),
      Catch::Contains("'many' in column PortXmitPktsExtended of section PM_INFO is not a number"));
  CHECK_THAT(error_of([] {
               parse_saved_counters(
                   replaced(saved_text, "101,0x0002c90300000101,8,0,", "101,0x0,7,0,"), "f");
             }),
             Catch::EndsWith("this port has another row in the same section"));
  for (std::size_t size = saved_text.find("START_PM"); size < saved_text.find("END_PM_D");
       size += 31) {
    const std::string cut = saved_text.substr(0, size);
    // A file that ends between two sections looks complete.
    if (cut.rfind("END_PM_INFO\n") + 14 >= size && cut.rfind("END_PM_INFO") < size) continue;
    CHECK_THROWS_AS(parse_saved_counters(cut, "f"), Error);
  }
}

}  // namespace
}  // namespace pssp
