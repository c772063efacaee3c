#pragma once

// A number that stands for data: equal data have equal digests, and different ones different
// digests but for one chance in 2^64. Not for what somebody might forge.

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

namespace pssp {

class Digest {
 public:
  void add(std::uint64_t number) noexcept {
    // The finaliser of MurmurHash3 over the sum of both, so that order counts.
    std::uint64_t mixed = value_ * 0x9E3779B97F4A7C15 + number + 1;
    mixed = (mixed ^ (mixed >> 33)) * 0xFF51AFD7ED558CCD;
    mixed = (mixed ^ (mixed >> 33)) * 0xC4CEB9FE1A85EC53;
    value_ = mixed ^ (mixed >> 33);
  }
  void add_real(double number) noexcept { add(std::bit_cast<std::uint64_t>(number)); }
  void add_bytes(std::span<const std::uint8_t> bytes) noexcept {
    add(bytes.size());
    for (const std::uint8_t byte : bytes) add(byte);
  }
  void add_text(std::string_view text) noexcept {
    add(text.size());
    for (const char c : text) add(static_cast<std::uint8_t>(c));
  }
  std::uint64_t value() const noexcept { return value_; }

 private:
  std::uint64_t value_ = 0;
};

}  // namespace pssp
