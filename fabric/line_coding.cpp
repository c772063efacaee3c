// Bits on the wire per bit of data: 8b/10b up to QDR, 64b/66b from FDR10 on, including error
// correction from HDR on (InfiniBand architecture 1.6, table 273: 53.125 Gbit/s for 50).

#include "fabric/line_coding.h"

namespace pssp {

std::optional<double> signalled_capacity(LinkRate rate) {
  constexpr double of_qdr = 10.0 / 8;
  constexpr double of_edr = 66.0 / 64;
  constexpr double of_hdr = 17.0 / 16;
  constexpr unsigned qdr = 8000;
  constexpr unsigned edr = 25000;
  if (to_string(rate).empty()) return std::nullopt;
  const double coding = rate.megabits_per_lane <= qdr   ? of_qdr
                        : rate.megabits_per_lane <= edr ? of_edr
                                                        : of_hdr;
  return rate.capacity() * coding;
}

}  // namespace pssp
