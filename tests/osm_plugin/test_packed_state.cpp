#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "base/random.h"
#include "osm_plugin/packed_state.h"

using namespace pssp;
using Catch::Matchers::Contains;

namespace {

constexpr std::size_t limit = std::size_t{1} << 20U;
constexpr std::size_t head = 23;  // "osmpssp state packed 1\n"

}  // namespace

TEST_CASE("a packed state unpacks to the same content and is smaller") {
  for (const std::size_t size : {0U, 1U, 70'000U, 900'000U}) {
    const std::string content(size, 'x');
    const std::string packed = packed_state(content);
    CHECK(packed.starts_with("osmpssp state packed 1\n"));
    CHECK(packed.size() < 100 + size / 100);
    CHECK(unpacked_state(packed, limit) == content);
  }
}

TEST_CASE("a packed state that is damaged, truncated or too large is refused") {
  const std::string content = "entries of all switches, entries of all switches";
  const std::string packed = packed_state(content);
  for (std::size_t at = 0; at < packed.size(); ++at) {
    CHECK_THROWS_AS(unpacked_state(std::string_view(packed).substr(0, at), limit), Error);
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << at % 8));
    try {
      const std::string unpacked = unpacked_state(damaged, limit);
      // Some bits of the zlib header do not affect the content.
      CHECK(unpacked == content);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unreadable_input);
    }
  }
  CHECK_THROWS_WITH(unpacked_state(packed, 10), Contains("does not unpack"));
  CHECK_THROWS_WITH(unpacked_state("osmpssp state 3\nxyz", limit), Contains("another version"));
}

TEST_CASE("a packed state with a forged size is unpacked correctly or refused") {
  RandomGenerator random(1, 0);
  const std::string packed = packed_state(std::string(5000, 'x'));
  for (unsigned i = 0; i < 500; ++i) {
    std::string forged = packed;
    forged[head + random.below(8)] = static_cast<char>(random.below(256));
    if (random.below(2) == 0) forged.resize(head + random.below(40));
    try {
      const std::string unpacked = unpacked_state(forged, limit);
      CHECK(unpacked.size() == 5000);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unreadable_input);
    }
  }
}
