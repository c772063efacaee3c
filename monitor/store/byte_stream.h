#pragma once

// Variable-length integers for the rows of samples: LEB128, seven bits per byte starting with the
// lowest; the top bit of a byte means that another byte follows. A reader never reads past the end
// of its input: it returns 0 and remembers the failure.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pssp {

constexpr std::uint64_t zigzag(std::uint64_t difference) noexcept {
  return (difference << 1) ^ ((difference >> 63) != 0 ? ~std::uint64_t{0} : 0);
}
constexpr std::uint64_t unzigzag(std::uint64_t coded) noexcept {
  return (coded >> 1) ^ ((coded & 1) != 0 ? ~std::uint64_t{0} : 0);
}

class ByteWriter {
 public:
  explicit ByteWriter(std::string& to) : to_(to) {}

  void byte(std::uint8_t value) { to_.push_back(static_cast<char>(value)); }
  void number(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) byte(static_cast<std::uint8_t>(value | 0x80));
    byte(static_cast<std::uint8_t>(value));
  }
  void fixed32(std::uint32_t value) {
    for (unsigned shift = 0; shift < 32; shift += 8)
      byte(static_cast<std::uint8_t>(value >> shift));
  }

 private:
  std::string& to_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view text) : at_(text.data()), end_(at_ + text.size()) {}

  std::uint8_t byte() noexcept {
    if (at_ == end_) {
      failed_ = true;
      return 0;
    }
    return static_cast<std::uint8_t>(*at_++);
  }
  /// Also fails if the number does not fit into 64 bits.
  std::uint64_t number() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= std::uint64_t{next & 0x7FU} << shift;
      if (next < 0x80) {
        if (shift == 63 && next > 1) failed_ = true;
        return value;
      }
    }
    failed_ = true;
    return 0;
  }
  void fail() noexcept { failed_ = true; }
  bool failed() const noexcept { return failed_; }
  bool at_end() const noexcept { return at_ == end_; }

 private:
  const char *at_, *end_;
  bool failed_ = false;
};

}  // namespace pssp
