#pragma once

// Digests of the input of a computation, to recognize it, to detect damage, and to compare
// processes. Not cryptographic.

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

namespace pssp {

using DigestValue = std::array<std::uint64_t, 2>;

/// Two 64-bit sums over words, each mixed by multiplication and shifts (the finalizer of
/// MurmurHash3), with different constants, so that collisions are independent. Order, number and
/// boundaries of the added values matter.
class Digest {
 public:
  void add(std::uint64_t word) {
    sums_[0] = spread((sums_[0] ^ word) * 0x9E3779B97F4A7C15U);
    sums_[1] = spread((sums_[1] + word) * 0xC2B2AE3D27D4EB4FU);
  }
  void add_real(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(const Digest& other) {
    for (const std::uint64_t sum : other.sums_) add(sum);
  }
  /// Adds their number, and their bytes in this machine's order.
  template <class Value>
  void add_all(std::span<const Value> values) {
    add(values.size());
    const auto bytes = std::as_bytes(values);
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
      add(word);
    }
  }
  void add_text(std::string_view text) { add_all(std::span<const char>(text)); }

  const DigestValue& value() const noexcept { return sums_; }

 private:
  static std::uint64_t spread(std::uint64_t value) {
    value ^= value >> 33U;
    value *= 0xFF51AFD7ED558CCDU;
    return value ^ value >> 29U;
  }

  // Not zero, so that words of zero change the sums.
  DigestValue sums_{0x243F6A8885A308D3U, 0x13198A2E03707344U};
};

}  // namespace pssp
