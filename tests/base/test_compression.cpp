#include <catch2/catch.hpp>
#include <string>

#include "base/compression.h"

using namespace pssp;

namespace {

constexpr std::size_t limit = std::size_t{1} << 20U;

}  // namespace

TEST_CASE("repetitive data are compressed, and decompression restores them") {
  for (const std::size_t size : {0U, 1U, 70'000U, 900'000U}) {
    const std::string data(size, 'x');
    const std::string stored = compressed(data);
    CHECK(stored.size() < 100 + size / 100);
    CHECK(decompressed(stored, size, limit) == data);
  }
}

TEST_CASE("decompression refuses data that are truncated or have another size") {
  const std::string data = "entries of all switches, entries of all switches";
  const std::string stored = compressed(data);
  for (std::size_t at = 0; at < stored.size(); ++at) {
    CHECK_FALSE(decompressed(stored.substr(0, at), data.size(), limit));
  }
  CHECK_FALSE(decompressed(stored, data.size() - 1, limit));
  CHECK_FALSE(decompressed(stored, data.size() + 1, limit));
  CHECK_FALSE(decompressed(stored, data.size(), data.size() - 1));
}

TEST_CASE("decompression refuses a forged size before it allocates memory") {
  const std::string stored = compressed("text");
  CHECK_FALSE(decompressed(stored, ~std::uint64_t{0}, ~std::size_t{0}));
  CHECK_FALSE(decompressed("", 1033, limit));
}
