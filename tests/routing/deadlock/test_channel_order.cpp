#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "routing/deadlock/channel_order.h"

using namespace pssp;

namespace {

void check_equal(const ChannelOrder& order, const std::vector<std::uint32_t>& expected) {
  REQUIRE(order.sequence() == expected);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(order.previous(expected[i]) == (i == 0 ? order.front() : expected[i - 1]));
    if (i > 0) CHECK(order.before(expected[i - 1], expected[i]));
    if (i > 0) CHECK_FALSE(order.before(expected[i], expected[i - 1]));
  }
}

}  // namespace

TEST_CASE("moves in a ChannelOrder match moves in a list") {
  std::mt19937 random(7);
  for (const std::uint32_t size : {1U, 2U, 3U, 10U, 50U}) {
    std::vector<std::uint32_t> expected(size);
    std::iota(expected.begin(), expected.end(), 0U);
    std::shuffle(expected.begin(), expected.end(), random);
    ChannelOrder order(expected);
    check_equal(order, expected);
    for (unsigned step = 0; step < 200; ++step) {
      const std::uint32_t channel = static_cast<std::uint32_t>(random() % size);
      const std::uint32_t place = static_cast<std::uint32_t>(random() % (size + 1));
      if (place == channel) continue;
      order.move_behind(channel, place, order.label_behind(place));
      expected.erase(std::find(expected.begin(), expected.end(), channel));
      expected.insert(
          place == size ? expected.begin() : std::find(expected.begin(), expected.end(), place) + 1,
          channel);
      check_equal(order, expected);
    }
  }
}

TEST_CASE("ChannelOrder renews the labels when a gap is used up") {
  // All moves go into the same gap; 32 halvings use it up.
  std::vector<std::uint32_t> expected{0, 1, 2, 3, 4};
  ChannelOrder order(expected);
  for (unsigned step = 0; step < 500; ++step) {
    const std::uint32_t channel = 1 + step % 4;
    order.move_behind(channel, 0, order.label_behind(0));
    expected.erase(std::find(expected.begin(), expected.end(), channel));
    expected.insert(expected.begin() + 1, channel);
    check_equal(order, expected);
  }
}

TEST_CASE("a ChannelOrder can have no channels") {
  const ChannelOrder order(std::vector<std::uint32_t>{});
  CHECK(order.sequence().empty());
  CHECK(order.front() == 0);
}
