// Differences of counters, by a table of readings: wraps, resets, full counters and unknown values.

#include <catch2/catch.hpp>
#include <limits>
#include <string>

#include "monitor/counters/rates.h"

using namespace pssp;

namespace {

constexpr std::int64_t second = 1'000'000'000;
constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();
/// 4xHDR: 25 GByte/s.
constexpr LinkRate hdr{4, 50'000};
constexpr std::uint64_t line_bytes = 25'000'000'000;

struct Reading {
  std::uint64_t value = 0;
  bool narrow = false, saturated = false, known = true;
};

std::shared_ptr<FabricMap> one_port(LinkRate rate, Guid guid = 1) {
  auto map = std::make_shared<FabricMap>();
  map->nodes.push_back({guid, NodeKind::switch_node, 1, 7, 0, 0, "s", 0});
  MapPort port;
  port.rate = rate;
  map->ports.push_back(port);
  return map;
}

Snapshot snapshot_of(std::shared_ptr<const FabricMap> map, std::int64_t ns, Counter counter,
                     const Reading& reading) {
  Snapshot snapshot;
  const std::size_t ports = map->ports.size();
  snapshot.map = std::move(map);
  snapshot.status.assign(ports, PortStatus::read);
  snapshot.read_ns.assign(ports, ns);
  snapshot.known.assign(ports, reading.known ? all_counters : all_counters & ~mask_of(counter));
  snapshot.narrow.assign(ports, reading.narrow ? mask_of(counter) : 0);
  snapshot.saturated.assign(ports, reading.saturated ? mask_of(counter) : 0);
  snapshot.values.assign(ports * counter_count, 0);
  snapshot.values[static_cast<std::size_t>(counter)] = reading.value;
  return snapshot;
}

PortDifference difference(Counter counter, const Reading& before, const Reading& after,
                          std::int64_t ns = second, LinkRate rate = hdr) {
  const auto map = one_port(rate);
  return differences(snapshot_of(map, 100, counter, before),
                     snapshot_of(map, 100 + ns, counter, after))
      .at(0);
}

enum class Reports { known, reset, saturated, implausible, nothing };

struct Row {
  std::string what;
  Counter counter;
  Reading before, after;
  Reports has_value;
  std::uint64_t delta;
};

const std::vector<Row>& rows() {
  using enum Counter;
  constexpr std::uint64_t word_limit = 0xffff'ffffULL * 4;
  static const std::vector<Row> table{
      {"rises", transmit_bytes, {1000}, {5000}, Reports::known, 4000},
      {"unchanged", symbol_errors, {3, true}, {3, true}, Reports::known, 0},
      {"the whole link", transmit_bytes, {0}, {line_bytes}, Reports::known, line_bytes},
      {"a twentieth more is a matter of clocks",
       transmit_bytes,
       {0},
       {line_bytes / 100 * 104},
       Reports::known,
       line_bytes / 100 * 104},
      {"more than the link carries",
       receive_bytes,
       {0},
       {line_bytes / 100 * 106},
       Reports::implausible,
       0},
      {"more packets than the link carries",
       transmit_packets,
       {0},
       {line_bytes / 20},
       Reports::implausible,
       0},
      {"as many packets as the link carries",
       transmit_packets,
       {0},
       {line_bytes / 26},
       Reports::known,
       line_bytes / 26},
      {"wraps at 2^64", transmit_bytes, {largest - 999}, {1000}, Reports::known, 2000},
      {"wraps at 2^64 onto 0", receive_packets, {largest}, {0}, Reports::known, 1},
      {"cleared, wide", transmit_bytes, {5'000'000}, {100}, Reports::reset, 0},
      {"cleared, 16 bits", receive_errors, {7, true}, {0, true}, Reports::reset, 0},
      {"cleared at the largest value",
       link_downed,
       {255, true, true},
       {0, true},
       Reports::reset,
       0},
      {"4 bits are full",
       local_link_integrity_errors,
       {14, true},
       {15, true, true},
       Reports::saturated,
       0},
      {"8 bits are full", link_downed, {255, true, true}, {255, true, true}, Reports::saturated, 0},
      {"16 bits are full", symbol_errors, {0, true}, {65'535, true, true}, Reports::saturated, 0},
      {"32 bits are full",
       transmit_wait,
       {1, true},
       {0xffff'ffff, true, true},
       Reports::saturated,
       0},
      {"32 bits of words are full",
       transmit_bytes,
       {8, true},
       {word_limit, true, true},
       Reports::saturated,
       0},
      {"just not full", symbol_errors, {65'530, true}, {65'534, true}, Reports::known, 4},
      {"not known before", qp1_dropped, {0, true, false, false}, {9, true}, Reports::nothing, 0},
      {"not known now", qp1_dropped, {9, true}, {9, true, false, false}, Reports::nothing, 0},
      {"another width", transmit_bytes, {8, true}, {16, false}, Reports::nothing, 0},
  };
  return table;
}

}  // namespace

TEST_CASE("a difference is known, reset, saturated, implausible or unknown", "[monitor][faults]") {
  for (const Row& row : rows()) {
    CAPTURE(row.what);
    const PortDifference found = difference(row.counter, row.before, row.after);
    const CounterMask bit = mask_of(row.counter);
    CHECK(found.ns == second);
    CHECK(((found.known & bit) != 0) == (row.has_value == Reports::known));
    CHECK(((found.reset & bit) != 0) == (row.has_value == Reports::reset));
    CHECK(((found.saturated & bit) != 0) == (row.has_value == Reports::saturated));
    CHECK(((found.implausible & bit) != 0) == (row.has_value == Reports::implausible));
    CHECK(found.of(row.counter) == row.delta);
  }
}

TEST_CASE("a reset invalidates the differences of the whole port", "[monitor][faults]") {
  const PortDifference cleared = difference(Counter::transmit_bytes, {5000}, {100});
  CHECK(cleared.known == 0);
  CHECK(cleared.reset == mask_of(Counter::transmit_bytes));
  CHECK(utilisation(cleared, Counter::transmit_bytes, hdr) < 0);
  CHECK(waiting_share(cleared) < 0);
}

TEST_CASE("an implausible counter does not affect the others", "[monitor][faults]") {
  const PortDifference garbled = difference(Counter::receive_bytes, {0}, {largest / 2});
  CHECK(garbled.known == (all_counters & ~mask_of(Counter::receive_bytes)));
}

TEST_CASE("rates refer to the time between the answers", "[monitor][faults]") {
  const PortDifference found =
      difference(Counter::transmit_bytes, {0}, {10'000'000'000}, 2'500'000'000);
  CHECK(found.per_second(Counter::transmit_bytes) == Approx(4e9).epsilon(1e-9));
  CHECK(utilisation(found, Counter::transmit_bytes, hdr) == Approx(0.16).epsilon(1e-9));
  CHECK(utilisation(found, Counter::transmit_bytes, {}) < 0);
  // A late answer makes the interval before it too long and the interval after it too short.
  PortDifference late = found;
  late.delta[static_cast<std::size_t>(Counter::transmit_bytes)] *= 7;
  CHECK(utilisation(late, Counter::transmit_bytes, hdr) == 1);
}

TEST_CASE("the waiting share relates the words waited to the words sent") {
  auto map = one_port(hdr);
  const Snapshot before = snapshot_of(map, 1, Counter::transmit_wait, {0});
  Snapshot after = snapshot_of(map, 1 + second, Counter::transmit_wait, {300});
  CHECK(waiting_share(differences(before, after)[0]) == 1);
  after.values[static_cast<std::size_t>(Counter::transmit_bytes)] = 2800;
  CHECK(waiting_share(differences(before, after)[0]) == Approx(0.3).epsilon(1e-12));
  CHECK(waiting_share(differences(before, before)[0]) < 0);
  after.values.assign(counter_count, 0);
  CHECK(waiting_share(differences(before, after)[0]) == 0);
}

TEST_CASE("ticks of known length are converted to words") {
  auto map = one_port(hdr);
  const Snapshot before = snapshot_of(map, 1, Counter::transmit_wait, {0});
  Snapshot after = snapshot_of(map, 1 + second, Counter::transmit_wait, {1001});
  after.values[static_cast<std::size_t>(Counter::transmit_bytes)] = 4 * 8008;
  const auto words = [&](std::uint16_t bytes) {
    after.tick_bytes = {bytes};
    return differences(before, after)[0].of(Counter::transmit_wait);
  };
  CHECK(words(0) == 1001);  // tick length unknown
  CHECK(words(4) == 1001);
  CHECK(words(1) == 250);
  CHECK(words(12) == 3003);
  CHECK(words(32) == 8008);
  CHECK(waiting_share(differences(before, after)[0]) == Approx(0.5));
  CHECK(after.values[static_cast<std::size_t>(Counter::transmit_wait)] == 1001);
}

TEST_CASE("a link of unknown rate is treated as the fastest existing link") {
  CHECK(difference(Counter::transmit_bytes, {0}, {line_bytes * 2}, second, {}).known ==
        all_counters);
  CHECK(difference(Counter::transmit_bytes, {0}, {line_bytes * 20}, second, {}).implausible ==
        mask_of(Counter::transmit_bytes));
}

TEST_CASE("ports are matched by GUID and number if both sweeps read them") {
  const Snapshot before = snapshot_of(one_port(hdr), 1, Counter::transmit_bytes, {5});
  SECTION("the same port in another map") {
    const Snapshot after = snapshot_of(one_port(hdr), 1 + second, Counter::transmit_bytes, {9});
    CHECK(differences(before, after)[0].of(Counter::transmit_bytes) == 4);
  }
  SECTION("a port of another node") {
    const Snapshot after = snapshot_of(one_port(hdr, 2), 1 + second, Counter::transmit_bytes, {9});
    CHECK(differences(before, after)[0].ns == 0);
  }
  SECTION("not read in the second sweep") {
    Snapshot after = snapshot_of(before.map, 1 + second, Counter::transmit_bytes, {9});
    after.status[0] = PortStatus::silent;
    CHECK(differences(before, after)[0].ns == 0);
  }
  SECTION("the same reading twice") { CHECK(differences(before, before)[0].ns == 0); }
}
