// Tests reliable delivery over a channel that loses, repeats and reorders packets: either each
// packet of a message is taken once and in order, or the connection gives up.

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>

#include "base/random.h"
#include "simulator/delivery/reliable_delivery.h"

namespace pssp {
namespace {

constexpr std::uint32_t packet_bytes = 100;

/// A delivery in which flow 0 has begun a message of `bytes` bytes.
ReliableDelivery delivery_of(std::uint64_t bytes, const RetryRules& rules = {}) {
  ReliableDelivery delivery(packet_bytes, rules);
  delivery.begun(0, bytes, 0);
  return delivery;
}

Packet packet_of(std::uint32_t flow, std::uint32_t sequence) {
  Packet packet{};
  packet.flow = flow;
  packet.sequence = sequence;
  return packet;
}

TEST_CASE("delivery takes packets only in order and requests a missing packet once") {
  ReliableDelivery delivery = delivery_of(450);
  CHECK(delivery.received(packet_of(0, 0), 1).is_taken);
  const auto ahead = delivery.received(packet_of(0, 2), 2);
  CHECK_FALSE(ahead.is_taken);
  CHECK(ahead.missing == 1U);
  const auto further = delivery.received(packet_of(0, 3), 3);
  CHECK_FALSE(further.is_taken);
  CHECK_FALSE(further.missing);
  const auto twice = delivery.received(packet_of(0, 0), 3);
  CHECK_FALSE(twice.is_taken);
  CHECK_FALSE(twice.missing);
  const auto repeat = delivery.heard_nak(0, 1);
  REQUIRE(repeat);
  CHECK(repeat->sequence == 1);
  CHECK(repeat->left == 350);
  CHECK(repeat->packets == 5);
  CHECK(delivery.counts().recovered == never);
  for (std::uint32_t sequence = 1; sequence < 4; ++sequence) {
    CHECK(delivery.received(packet_of(0, sequence), 4 + sequence).is_taken);
  }
  // The packet with sequence number 3 is the last of those that were received too early.
  CHECK(delivery.counts().recovered == 7);
  CHECK_FALSE(delivery.heard_nak(0, 1));
  CHECK(delivery.received(packet_of(0, 4), 9).is_taken);
  CHECK(delivery.counts().not_taken == 3);
  CHECK(delivery.counts().repeats == 1);
}

TEST_CASE("packets of a pair are numbered across messages, and a repeat covers one message") {
  ReliableDelivery delivery = delivery_of(0, {.timeout = 10, .retries = 7});
  CHECK(delivery.begun(1, 250, 3) == 0);
  CHECK(delivery.begun(1, 100, 4) == 3);
  CHECK(delivery.begun(1, 201, 5) == 4);
  const auto timer = delivery.lost(packet_of(1, 4), 100);
  REQUIRE(timer);
  CHECK(timer->time == 110);
  CHECK_FALSE(delivery.lost(packet_of(1, 5), 101));  // the running timer covers this loss
  CHECK(delivery.received(packet_of(1, 3), 102).is_taken);
  std::optional<ReliableDelivery::Timer> again;
  const auto repeat = delivery.ran_out(1, timer->sequence, 110, again);
  REQUIRE(repeat);
  CHECK(repeat->first == 4);
  CHECK(repeat->sequence == 4);
  CHECK(repeat->left == 201);
  CHECK(repeat->level == 5);
  CHECK_FALSE(again);
  // Packet 5 is lost again at 120 and starts a new timer.
  const auto second = delivery.lost(packet_of(1, 5), 120);
  REQUIRE(second);
  CHECK(second->time == 130);
}

TEST_CASE("a retry timer that expires after a repetition considers only later losses") {
  ReliableDelivery delivery = delivery_of(300, {.timeout = 10, .retries = 7});
  REQUIRE(delivery.lost(packet_of(0, 1), 100));
  CHECK(delivery.received(packet_of(0, 0), 101).is_taken);
  CHECK_FALSE(delivery.received(packet_of(0, 2), 102).is_taken);
  CHECK(delivery.heard_nak(0, 1));
  std::optional<ReliableDelivery::Timer> again;
  SECTION("no packet was lost again") { CHECK_FALSE(delivery.ran_out(0, 1, 110, again)); }
  SECTION("the same packet was lost again at 108") {
    CHECK_FALSE(delivery.lost(packet_of(0, 1), 108));
    CHECK_FALSE(delivery.ran_out(0, 1, 110, again));
    REQUIRE(again);
    CHECK(again->time == 118);
    CHECK(delivery.ran_out(0, again->sequence, 118, again));
  }
}

/// A sender and a receiver with a channel that delays packets by a random time and loses packets
/// with probability `losing`. It calls ReliableDelivery only as a simulation run does.
struct LossyChannel {
  RandomGenerator random;
  double losing;
  std::uint64_t bytes;
  ReliableDelivery delivery;

  std::deque<std::uint32_t> to_send{};
  std::vector<std::pair<SimulatedTime, std::uint32_t>> on_path{}, naks{}, timers{};
  std::vector<std::uint32_t> taken{};
  bool gave_up = false;

  LossyChannel(std::uint64_t size, std::uint64_t seed, double part)
      : random(random_stream(seed, 1, 1)),
        losing(part),
        bytes(size),
        delivery(delivery_of(size, {.timeout = 50, .retries = 3})) {
    for (std::uint32_t i = 0; i < packets(); ++i) to_send.push_back(i);
  }
  std::uint32_t packets() const {
    return static_cast<std::uint32_t>((bytes + packet_bytes - 1) / packet_bytes);
  }
  void begin_again(const std::optional<Repeat>& repeat) {
    if (!repeat) return;
    to_send.clear();
    gave_up |= repeat->gives_up;
    if (gave_up) return;
    CHECK(repeat->left == bytes - std::uint64_t{repeat->sequence} * packet_bytes);
    for (std::uint32_t i = repeat->sequence; i < packets(); ++i) to_send.push_back(i);
  }
  static std::vector<std::uint32_t> due(std::vector<std::pair<SimulatedTime, std::uint32_t>>& all,
                                        SimulatedTime now) {
    std::vector<std::uint32_t> found;
    for (const auto& [time, sequence] : all) {
      if (time <= now) found.push_back(sequence);
    }
    std::erase_if(all, [&](const auto& each) { return each.first <= now; });
    return found;
  }
  void step(SimulatedTime now) {
    if (!to_send.empty()) {
      const std::uint32_t sequence = to_send.front();
      to_send.pop_front();
      if (unit_interval(random()) < losing) {
        const auto timer = delivery.lost(packet_of(0, sequence), now);
        if (timer) timers.emplace_back(timer->time, timer->sequence);
      } else {
        on_path.emplace_back(now + 1 + static_cast<SimulatedTime>(random.below(9)), sequence);
      }
    }
    for (const std::uint32_t sequence : due(on_path, now)) {
      const auto reception = delivery.received(packet_of(0, sequence), now);
      if (reception.is_taken) taken.push_back(sequence);
      if (reception.missing) naks.emplace_back(now + 5, *reception.missing);
      if (reception.timer) timers.emplace_back(reception.timer->time, reception.timer->sequence);
    }
    for (const std::uint32_t missing : due(naks, now)) begin_again(delivery.heard_nak(0, missing));
    for (const std::uint32_t sequence : due(timers, now)) {
      std::optional<ReliableDelivery::Timer> again;
      begin_again(delivery.ran_out(0, sequence, now, again));
      if (again) timers.emplace_back(again->time, again->sequence);
    }
  }
};

TEST_CASE("over a lossy, reordering channel, delivery is complete and in order or gives up") {
  std::size_t gave_up = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    LossyChannel channel(1 + seed * 37 % 4000, seed, static_cast<double>(seed % 8) / 10);
    SimulatedTime now = 0;
    for (; now < 1'000'000; ++now) {
      channel.step(now);
      if (channel.gave_up || channel.taken.size() == channel.packets()) break;
    }
    INFO("seed " << seed);
    CHECK(std::ranges::is_sorted(channel.taken));
    CHECK(std::ranges::adjacent_find(channel.taken) == channel.taken.end());
    CHECK((channel.gave_up || channel.taken.size() == channel.packets()));
    gave_up += channel.gave_up ? 1U : 0U;
  }
  // If seven tenths of the packets are lost, three consecutive retries often fail.
  CHECK(gave_up > 0);
  CHECK(gave_up < 200);
}

}  // namespace
}  // namespace pssp
