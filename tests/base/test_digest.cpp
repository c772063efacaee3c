#include <catch2/catch.hpp>
#include <cstdint>
#include <span>
#include <vector>

#include "base/digest.h"

using namespace pssp;

namespace {

DigestValue digest_of(const std::vector<std::uint64_t>& numbers) {
  Digest digest;
  for (const std::uint64_t number : numbers) digest.add(number);
  return digest.value();
}

}  // namespace

TEST_CASE("digests depend on the order, the count and the boundaries of the values") {
  CHECK(digest_of({1, 2}) == digest_of({1, 2}));
  CHECK(digest_of({1, 2}) != digest_of({2, 1}));
  CHECK(digest_of({}) != digest_of({0}));
  CHECK(digest_of({0}) != digest_of({0, 0}));
  Digest joined, split;
  joined.add_text("ab");
  joined.add_text("");
  split.add_text("a");
  split.add_text("b");
  CHECK(joined.value() != split.value());
  Digest zero, half;
  zero.add_real(0.0);
  half.add_real(0.5);
  CHECK(zero.value() != half.value());
}

TEST_CASE("digests depend on each byte, and on how the bytes were split into calls") {
  const std::vector<std::uint8_t> bytes{1, 2, 3, 4, 5, 6, 7, 8, 9};
  const auto digest_with = [](std::span<const std::uint8_t> values) {
    Digest digest;
    digest.add_all(values);
    return digest.value();
  };
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::vector<std::uint8_t> changed = bytes;
    changed[i] ^= 0x80U;
    CHECK(digest_with(changed) != digest_with(bytes));
    CHECK(digest_with(std::span(bytes).first(i)) != digest_with(bytes));
  }
  CHECK(digest_with(std::vector<std::uint8_t>(8)) != digest_with(std::vector<std::uint8_t>(9)));
}

TEST_CASE("a digest can be added to another digest") {
  Digest inner, same, outer;
  inner.add(1);
  same.add(1);
  outer.add(inner);
  Digest alike;
  alike.add(same);
  CHECK(outer.value() == alike.value());
  CHECK(outer.value() != inner.value());
  // The two words of a digest differ.
  const DigestValue before = inner.value();
  CHECK(before[0] != before[1]);
}
