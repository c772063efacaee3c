#include "fabric/link_rate.h"

#include <array>
#include <charconv>

namespace pssp {
namespace {

struct SpeedName {
  std::string_view name;
  std::uint32_t megabits_per_lane;
};

// Data rates after line coding: 8b/10b up to QDR, 64b/66b from FDR10 on (InfiniBand
// architecture 1.6, table 273).
constexpr std::array speeds{
    SpeedName{"SDR", 2000},    SpeedName{"DDR", 4000},   SpeedName{"QDR", 8000},
    SpeedName{"FDR10", 10000}, SpeedName{"FDR", 13636},  SpeedName{"EDR", 25000},
    SpeedName{"HDR", 50000},   SpeedName{"NDR", 100000}, SpeedName{"XDR", 200000}};

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
  for (const SpeedName& known : speeds) {
    if (rate.lanes != 0 && rate.megabits_per_lane == known.megabits_per_lane) {
      return std::to_string(rate.lanes) + "x" + std::string(known.name);
    }
  }
  return {};
}

}  // namespace pssp
