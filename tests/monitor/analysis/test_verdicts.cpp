// Verdicts of single ports, by a table of counters, counts, windows and link rates.

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "monitor/analysis/verdicts.h"

using namespace pssp;

namespace {

constexpr LinkRate edr{4, 25'000}, hdr_link{4, 50'000};

FabricMap one_cable(LinkRate rate) {
  FabricMap map;
  map.nodes.push_back({1, NodeKind::switch_node, 1, 1, 0, 0, "a", 0});
  map.nodes.push_back({2, NodeKind::switch_node, 1, 2, 0, 0, "b", 1});
  map.ports.resize(2);
  for (std::uint32_t p = 0; p < 2; ++p) {
    map.ports[p].node = p;
    map.ports[p].peer = 1 - p;
    map.ports[p].rate = rate;
    map.ports[p].state = LinkState::active;
  }
  return map;
}

PortWindow window_of(double seconds) {
  PortWindow window;
  window.seconds = seconds;
  window.known = all_counters;
  window.status = PortStatus::read;
  return window;
}

std::vector<Verdict> evaluate(LinkRate rate, double seconds, Counter counter, std::uint64_t count) {
  const FabricMap map = one_cable(rate);
  PortWindow window = window_of(seconds);
  window.counted[static_cast<std::size_t>(counter)] = count;
  return evaluate_port(map, 0, window, window);
}

Level level_of(const std::vector<Verdict>& verdicts) {
  return verdicts.empty() ? Level::good : verdicts.front().level;
}

struct VerdictRow {
  LinkRate rate;
  double seconds;
  Counter counter;
  std::uint64_t count;
  Level level;
};

}  // namespace

TEST_CASE("a count in a window is good, watch or bad", "[monitor]") {
  using enum Counter;
  constexpr double hour = 3600, day = 86400;
  const VerdictRow row = GENERATE(values<VerdictRow>({
      {edr, day, symbol_errors, 9, Level::good},
      // 4xEDR carries 1.03e11 bit/s, so a bit error rate of 1e-12 is 371 errors per hour.
      {edr, hour, symbol_errors, 36, Level::good},
      {edr, hour, symbol_errors, 40, Level::watch},
      {edr, hour, symbol_errors, 380, Level::bad},
      {hdr_link, day, symbol_errors, 1, Level::watch},
      {hdr_link, day, symbol_errors, 170, Level::watch},
      {hdr_link, day, symbol_errors, 180, Level::bad},
      {edr, day, link_error_recoveries, 0, Level::good},
      {edr, day, link_error_recoveries, 1, Level::watch},
      {edr, day, link_error_recoveries, 10, Level::bad},
      {edr, day, link_downed, 2, Level::watch},
      {edr, day, link_downed, 3, Level::bad},
      {edr, hour, receive_errors, 9, Level::watch},
      {edr, hour, receive_errors, 10, Level::bad},
      {edr, hour, local_link_integrity_errors, 10, Level::bad},
      {edr, hour, receive_remote_physical_errors, 60'000, Level::watch},
      {edr, hour, receive_switch_relay_errors, 99, Level::good},
      {edr, hour, receive_switch_relay_errors, 100, Level::watch},
      {edr, hour, transmit_discards, 1, Level::watch},
      {edr, hour, transmit_discards, 99, Level::watch},
      {edr, hour, transmit_discards, 100, Level::bad},
      {edr, hour, vl15_dropped, 100, Level::bad},
      {edr, hour, transmit_wait, 1, Level::watch},
      {edr, hour, transmit_packets, 1'000'000, Level::good},
  }));
  CAPTURE(info_of(row.counter).name, row.count, row.seconds);
  CHECK(level_of(evaluate(row.rate, row.seconds, row.counter, row.count)) == row.level);
}

TEST_CASE("discards are also judged per packet, and waiting by its share of the time",
          "[monitor]") {
  const FabricMap map = one_cable(edr);
  PortWindow window = window_of(3600);
  const auto set = [&window](Counter counter, std::uint64_t count) {
    window.counted[static_cast<std::size_t>(counter)] = count;
  };
  set(Counter::transmit_packets, 1'000'000);
  set(Counter::transmit_discards, 10);
  const std::vector<Verdict> bad = evaluate_port(map, 0, window, window);
  REQUIRE(level_of(bad) == Level::bad);
  // The reported limit is the configured one, not one derived from the counts.
  CHECK(bad[0].value == 10);
  CHECK(bad[0].limit == 1);
  CHECK_THAT(bad[0].reason,
             Catch::Contains("10 in 1 hour, 10.0 per million packets, limit 1 per million "
                             "packets: "));
  set(Counter::transmit_packets, 100'000'000);
  CHECK(level_of(evaluate_port(map, 0, window, window)) == Level::watch);
  set(Counter::transmit_discards, 0);
  set(Counter::transmit_wait, 100);
  set(Counter::transmit_bytes, 4 * 300);
  CHECK(level_of(evaluate_port(map, 0, window, window)) == Level::good);
  set(Counter::transmit_wait, 140);
  CHECK(evaluate_port(map, 0, window, window).at(0).what == "transmit_wait");
}

TEST_CASE("a link below the width or speed of both ends is bad at once", "[monitor]") {
  FabricMap map = one_cable({1, 8'000});
  for (MapPort& port : map.ports) {
    port.width_supported = port.width_enabled = 3;
    port.speed_supported = port.speed_enabled = 7;
    port.extended_speed_supported = port.extended_speed_enabled = 3;
  }
  const PortWindow window = window_of(10);
  std::vector<Verdict> verdicts = evaluate_port(map, 0, window, window);
  REQUIRE(verdicts.size() == 2);
  CHECK(verdicts[0].what == "width");
  CHECK(verdicts[1].what == "speed");
  CHECK(verdicts[1].limit == 25'000);
  CHECK(evaluate_port(map, 1, window, window).empty());
  map.ports[1].extended_speed_enabled = 0;
  map.ports[1].width_enabled = 1;
  CHECK(evaluate_port(map, 0, window, window).empty());
}

TEST_CASE("full counters and missing readings are unknown", "[monitor]") {
  const FabricMap map = one_cable(edr);
  PortWindow window = window_of(10);
  window.saturated = mask_of(Counter::link_downed);
  CHECK(level_of(evaluate_port(map, 0, window, window)) == Level::unknown);
  window = {};
  window.status = PortStatus::read;
  CHECK(evaluate_port(map, 0, window, window).empty());  // first reading of a new node
  window.seconds = 10;
  for (const PortStatus status : {PortStatus::silent, PortStatus::backed_off, PortStatus::refused,
                                  PortStatus::doubtful, PortStatus::read}) {
    window.status = status;
    CHECK(evaluate_port(map, 0, window, window).at(0).what == "readings");
  }
  window.status = PortStatus::not_active;
  CHECK(evaluate_port(map, 0, window, window).empty());
}

TEST_CASE("thresholds of totals are parsed strictly", "[monitor]") {
  const auto thresholds = parse_thresholds("# a remark\nSymbolErrorCounter=10\n\n", "file");
  CHECK(thresholds.size() == 14);
  CHECK(thresholds.front().most == 0);
  const auto found = std::ranges::find(thresholds, Counter::symbol_errors, &Threshold::counter);
  CHECK(found->most == 10);
  CHECK_THROWS_WITH(parse_thresholds("\nSymbols=10\n", "file"), Catch::Contains("file:2"));
  CHECK_THROWS_AS(parse_thresholds("SymbolErrorCounter=x", "file"), Error);
  CHECK_THROWS_AS(parse_thresholds("SymbolErrorCounter", "file"), Error);
  CHECK_THROWS_AS(parse_thresholds("PortXmitData=1", "file"), Error);
}

TEST_CASE("the worst verdict comes first", "[monitor]") {
  std::vector<Verdict> verdicts{{0, Level::watch, "a", "", 0, 0},
                                {2, Level::bad, "b", "", 0, 0},
                                {1, Level::bad, "c", "", 0, 0},
                                {0, Level::unknown, "d", "", 0, 0}};
  sort_verdicts(verdicts);
  CHECK(verdicts[0].what == "c");
  CHECK(verdicts[1].what == "b");
  CHECK(verdicts[2].what == "a");
  CHECK(verdicts[3].what == "d");
}
