#include "fabric/link_rate.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace pssp {
namespace {

struct SpeedName {
  std::string_view name;
  std::uint32_t megabits_per_lane;
  double signalled_per_lane;
};

// Data rates after line coding, and what is on the wire: 8b/10b up to QDR, 64b/66b from FDR10 on,
// with error correction in it from HDR on (InfiniBand architecture 1.6, table 273).
constexpr std::array speeds{SpeedName{"SDR", 2000, 2500},     SpeedName{"DDR", 4000, 5000},
                            SpeedName{"QDR", 8000, 10000},    SpeedName{"FDR10", 10000, 10312.5},
                            SpeedName{"FDR", 13636, 14062.5}, SpeedName{"EDR", 25000, 25781.25},
                            SpeedName{"HDR", 50000, 53125},   SpeedName{"NDR", 100000, 106250},
                            SpeedName{"XDR", 200000, 212500}};

/// Null where the rate is not stated or has no name.
const SpeedName* named(LinkRate rate) {
  if (rate.lanes == 0) return nullptr;
  const auto found =
      std::ranges::find(speeds, rate.megabits_per_lane, &SpeedName::megabits_per_lane);
  return found == speeds.end() ? nullptr : &*found;
}

}  // namespace

std::optional<LinkRate> parse_link_rate(std::string_view text) {
  unsigned lanes = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, lanes);
  if (status != std::errc{} || rest == end || *rest != 'x') return std::nullopt;
  if (lanes != 1 && lanes != 2 && lanes != 4 && lanes != 8 && lanes != 12) return std::nullopt;
  const std::string_view speed(rest + 1, static_cast<std::size_t>(end - rest - 1));
  for (const SpeedName& known : speeds) {
    if (speed == known.name) {
      return LinkRate{static_cast<std::uint8_t>(lanes), known.megabits_per_lane};
    }
  }
  return std::nullopt;
}

std::string to_string(LinkRate rate) {
  const SpeedName* const speed = named(rate);
  return speed == nullptr ? "" : std::to_string(rate.lanes) + "x" + std::string(speed->name);
}

std::optional<double> signalled_capacity(LinkRate rate) {
  const SpeedName* const speed = named(rate);
  if (speed == nullptr) return std::nullopt;
  return rate.lanes * speed->signalled_per_lane;
}

}  // namespace pssp
