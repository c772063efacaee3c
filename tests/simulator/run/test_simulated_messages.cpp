// Tests messages whose packets arrive in any order, with a list that maps each packet to its
// message.

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "base/random.h"
#include "simulator/run/simulated_messages.h"

namespace pssp {
namespace {

constexpr std::uint32_t packet_bytes = 100;

struct SentPacket {
  Packet packet;
  std::uint32_t message;
};

/// Adds the packets of a message to `sent`, as an adapter sends them.
void send(SimulatedMessages& messages, std::uint32_t flow, std::uint32_t message,
          std::uint64_t bytes, std::vector<SentPacket>& sent) {
  std::uint32_t sequence = messages.begun(flow, message, bytes, packet_bytes);
  for (std::uint64_t left = bytes; left != 0;) {
    Packet packet{};
    packet.flow = flow;
    packet.sequence = sequence++;
    packet.bytes = static_cast<std::uint16_t>(std::min<std::uint64_t>(left, packet_bytes));
    left -= packet.bytes;
    sent.push_back({packet, message});
  }
}

TEST_CASE("packets count for their message in any order of arrival") {
  RandomGenerator random(3, 0);
  for (int round = 0; round < 50; ++round) {
    SimulatedMessages messages;
    std::vector<SentPacket> sent;
    std::map<std::uint32_t, std::size_t> left;
    std::uint32_t message = 0;
    std::uint64_t overtaken = 0, taken = 0;
    std::map<std::uint32_t, std::uint32_t> latest;  // by flow: the highest sequence number received
    for (int step = 0; step < 40; ++step) {
      const std::uint32_t flow = random.below(3);
      const std::size_t before = sent.size();
      send(messages, flow, message, 1 + random.below(5 * packet_bytes), sent);
      left[message++] = sent.size() - before;
      // Some of the packets in transit arrive, from any message.
      for (std::uint32_t n = random.below(8); n != 0 && !sent.empty(); --n) {
        const std::size_t at = random.below(static_cast<std::uint32_t>(sent.size()));
        const SentPacket got = sent[at];
        sent.erase(sent.begin() + static_cast<std::ptrdiff_t>(at));
        const auto [found, is_first] = latest.try_emplace(got.packet.flow, got.packet.sequence);
        if (got.packet.sequence < found->second) ++overtaken;
        found->second = std::max(found->second, got.packet.sequence);
        messages.took(got.packet);
        ++taken;
        if (--left[got.message] != 0) {
          CHECK(!messages.has_deliveries());
          continue;
        }
        REQUIRE(messages.has_deliveries());
        const SimulatedMessages::Deliveries events = messages.take_events();
        CHECK(events.message == got.message);
        CHECK(events.has_arrived);
      }
    }
    CHECK(messages.overtaken() == overtaken);
    CHECK(messages.taken() == taken);
  }
}

TEST_CASE("packets that arrive in order do not count as overtaken") {
  SimulatedMessages messages;
  std::vector<SentPacket> sent;
  for (std::uint32_t message = 0; message < 5; ++message) {
    send(messages, 0, message, 250, sent);
    send(messages, 1, 10 + message, 100, sent);
  }
  for (const SentPacket& each : sent) messages.took(each.packet);
  CHECK(messages.overtaken() == 0);
  CHECK(messages.taken() == 20);
}

}  // namespace
}  // namespace pssp
