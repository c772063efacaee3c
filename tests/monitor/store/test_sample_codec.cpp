#include <zlib.h>

#include <array>
#include <catch2/catch.hpp>
#include <cmath>

#include "base/random.h"
#include "monitor/store/period_codec.h"
#include "monitor/store/sample_codec.h"

namespace pssp {
namespace {

constexpr CounterMask extended = all_counters & ~mask_of(Counter::qp1_dropped);

std::uint64_t value_of(RandomGenerator& random) { return random() >> (random() % 64); }

/// A port that was read and whose counters are known, as in most samples.
PortSample busy_port(RandomGenerator& random, CounterMask known = extended) {
  PortSample port;
  port.present = true;
  port.known = port.held = known;
  port.covered_ms = 9'950 + random() % 100;
  for (std::size_t at = 0; at < counter_count; ++at) {
    if ((known >> at & 1U) == 0) continue;
    port.delta[at] = at < 9 ? value_of(random) : 0;
    port.value[at] = port.delta[at] + value_of(random);
  }
  return port;
}

/// A port with arbitrary valid content.
PortSample any_port(RandomGenerator& random) {
  PortSample port = busy_port(random, static_cast<CounterMask>(random()) & all_counters);
  port.status = static_cast<PortStatus>(random() % 7);
  port.present = random() % 8 != 0;
  port.saturated = port.known & static_cast<CounterMask>(random() & random());
  port.held = port.known & static_cast<CounterMask>(random());
  if (port.held == 0) port.covered_ms = 0;
  for (std::size_t at = 0; at < counter_count; ++at) {
    if ((port.held >> at & 1U) == 0) port.delta[at] = 0;
  }
  return port;
}

std::vector<PortSample> without_values(std::vector<PortSample> ports) {
  for (PortSample& port : ports) port.value = {};
  return ports;
}

void require_round_trip(const std::vector<PortSample>& ports) {
  for (const bool absolute : {false, true}) {
    const std::string row = encode_samples(ports, absolute);
    const auto read = decode_samples(row);
    REQUIRE(read);
    CHECK(read->absolute == absolute);
    std::vector<PortSample> expected = absolute ? ports : without_values(ports);
    for (std::size_t at = 0; at < ports.size(); ++at) {
      // The covered time is kept to within 1/2048, or 1/8 for a port that counted nothing.
      const bool idle = ports[at].delta == CounterValues{};
      const std::uint64_t got = read->ports[at].covered_ms, given = ports[at].covered_ms;
      CHECK(std::max(got, given) - std::min(got, given) <= given / (idle ? 7 : 2000));
      expected[at].covered_ms = got;
    }
    CHECK(read->ports == expected);
    for (std::size_t at = 0; at < ports.size(); ++at) {
      CHECK(decode_sample(row, at) == expected[at]);
    }
    CHECK(decode_sample(row, ports.size()) == PortSample{});
  }
}

TEST_CASE("rows of samples are decoded as they were encoded") {
  RandomGenerator random(1, 0);
  require_round_trip({});
  for (std::size_t round = 0; round < 20; ++round) {
    std::vector<PortSample> ports;
    for (std::size_t at = 0; at < 1 + round * 6; ++at) {
      ports.push_back(at % 3 == 0 ? any_port(random) : busy_port(random));
    }
    require_round_trip(ports);
  }
}

TEST_CASE("unicast counts that contradict the total counts are kept unchanged") {
  PortSample port;
  port.present = true;
  port.known = port.held = all_counters;
  port.covered_ms = 10'000;
  port.delta[static_cast<std::size_t>(Counter::transmit_packets)] = 10;
  port.delta[static_cast<std::size_t>(Counter::unicast_transmit_packets)] = 12;
  port.delta[static_cast<std::size_t>(Counter::multicast_transmit_packets)] = 7;
  port.delta[static_cast<std::size_t>(Counter::unicast_receive_packets)] = ~std::uint64_t{0};
  require_round_trip({port});
}

TEST_CASE("rows of idle and unconnected ports take about one byte per port") {
  PortSample idle;
  idle.present = true;
  idle.known = idle.held = extended;
  idle.covered_ms = 10'000;
  PortSample down;
  down.present = true;
  down.status = PortStatus::not_active;
  std::vector<PortSample> ports(chunk_ports, idle);
  for (std::size_t at = 0; at < ports.size(); at += 4) ports[at] = down;
  CHECK(encode_samples(ports, false).size() < chunk_ports + 32);
}

TEST_CASE("a truncated or damaged row is refused") {
  RandomGenerator random(1, 1);
  std::vector<PortSample> ports;
  for (int at = 0; at < 20; ++at) ports.push_back(any_port(random));
  const std::string row = encode_samples(ports, true);
  for (std::size_t size = 0; size < row.size(); ++size) {
    CHECK_FALSE(decode_samples(row.substr(0, size)));
  }
  CHECK_FALSE(decode_samples(row + '\0'));
  for (std::size_t at = 0; at < row.size(); ++at) {
    std::string damaged = row;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (random() % 8)));
    CHECK_FALSE(decode_samples(damaged));
    CHECK_FALSE(decode_sample(damaged, 3));
  }
  CHECK_FALSE(decode_periods(row));
}

PeriodSample busy_period(RandomGenerator& random) {
  PeriodSample port;
  port.known = extended;
  port.covered_ms = 299'900 + random() % 200;
  for (std::size_t at = 0; at < 9; ++at) port.sum[at] = value_of(random) | 1;
  for (std::size_t i = 0; i < peak_counters.size(); ++i) {
    const double mean = static_cast<double>(port.sum[static_cast<std::size_t>(peak_counters[i])]) *
                        1e3 / static_cast<double>(port.covered_ms);
    port.peak[i] = mean * (1 + static_cast<double>(random() % 1000) / 50);
  }
  return port;
}

TEST_CASE("rows of periods are decoded as encoded, with peak rates to within 1.1 percent") {
  RandomGenerator random(1, 2);
  std::vector<PeriodSample> ports(3);  // ports without a reading
  for (std::size_t at = 0; at < 120; ++at) {
    ports.push_back(busy_period(random));
    if (at % 5 == 0) ports.back().partly = mask_of(Counter::symbol_errors);
    if (at % 7 == 0) {
      ports.back() = {};
      ports.back().known = extended;
      ports.back().covered_ms = 300'000;
    }
  }
  const std::string row = encode_periods(ports);
  const auto read = decode_periods(row);
  REQUIRE(read);
  REQUIRE(read->size() == ports.size());
  for (std::size_t at = 0; at < ports.size(); ++at) {
    PeriodSample got = (*read)[at];
    CHECK(decode_period(row, at) == got);
    for (std::size_t i = 0; i < peak_counters.size(); ++i) {
      CHECK(std::abs(got.peak[i] - ports[at].peak[i]) <= .011 * ports[at].peak[i]);
      got.peak[i] = ports[at].peak[i];
    }
    CHECK(got == ports[at]);
  }
  for (std::size_t size = 0; size < row.size(); ++size) {
    CHECK_FALSE(decode_periods(row.substr(0, size)));
  }
  CHECK_FALSE(decode_samples(row));
}

/// Appends the matching checksum, so that the decoder examines the changed body.
std::string with_checksum(std::string body) {
  const auto sum = static_cast<std::uint32_t>(
      crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size())));
  for (unsigned shift = 0; shift < 32; shift += 8) body += static_cast<char>(sum >> shift);
  return body;
}

void take_anything(const std::string& row) {
  if (const auto samples = decode_samples(row)) {
    CHECK(samples->ports.size() <= chunk_ports);
    for (const PortSample& port : samples->ports) {
      CHECK(((port.held | port.saturated) & ~port.known) == 0);
      CHECK((port.known & ~all_counters) == 0);
    }
    // Decoded samples can be encoded and decoded again.
    const auto again = decode_samples(encode_samples(samples->ports, samples->absolute));
    REQUIRE(again);
    CHECK(again->ports.size() == samples->ports.size());
  }
  if (const auto periods = decode_periods(row)) {
    CHECK(periods->size() <= chunk_ports);
    CHECK(decode_periods(encode_periods(*periods)));
  }
  static_cast<void>(decode_sample(row, 5));
  static_cast<void>(decode_period(row, 5));
}

TEST_CASE("arbitrary bytes with a valid checksum are decoded or refused") {
  RandomGenerator random(1, 3);
  std::vector<PortSample> ports;
  std::vector<PeriodSample> periods;
  for (int at = 0; at < 12; ++at) {
    ports.push_back(at % 2 == 0 ? any_port(random) : busy_port(random));
    periods.push_back(busy_period(random));
  }
  const std::array<std::string, 3> rows{encode_samples(ports, false), encode_samples(ports, true),
                                        encode_periods(periods)};
  for (int round = 0; round < 3000; ++round) {
    std::string body = rows[static_cast<std::size_t>(round % 3)];
    body.resize(body.size() - 4);
    for (std::uint32_t change = random.below(4); change < 4; ++change) {
      const std::size_t at = random.below(static_cast<std::uint32_t>(body.size()));
      switch (random.below(3)) {
        case 0:
          body[at] = static_cast<char>(random());
          break;
        case 1:
          body.erase(at, 1 + random.below(3));
          break;
        default:
          const std::size_t count = 1 + random.below(11);
          body.insert(at, count, static_cast<char>(random()));
      }
      if (body.empty()) body = "x";
    }
    take_anything(with_checksum(body));
  }
  for (int round = 0; round < 3000; ++round) {
    std::string body(1, static_cast<char>(round % 2 == 0 ? 1 : 2));
    while (random.below(60) != 0) body += static_cast<char>(random());
    take_anything(with_checksum(body));
  }
}

}  // namespace
}  // namespace pssp
