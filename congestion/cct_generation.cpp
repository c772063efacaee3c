#include "congestion/cct_generation.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "congestion/injection_delay.h"

namespace pssp {

double largest_delay(const TableOrigin& origin, std::uint32_t mtu, LinkRate rate) {
  if ((origin.flows == 0) == (origin.largest_delay_ns == 0)) {
    throw Error(ErrorKind::usage,
                "the law of a table needs its largest delay, stated either as a number of flows or "
                "as a time");
  }
  if (origin.flows != 0) {
    if (origin.flows < fewest_flows || origin.flows > most_flows) {
      throw Error(ErrorKind::usage, fmt::format("{} flows are out of range; expected {} .. {}",
                                                origin.flows, fewest_flows, most_flows));
    }
    return origin.flows - 1;
  }
  const double packet_time = packet_time_ns(mtu, rate);
  const double delay = static_cast<double>(origin.largest_delay_ns) / packet_time;
  if (delay > largest_delay_in_packets) {
    throw Error(ErrorKind::usage,
                fmt::format("a largest delay of {} ns is {:.1f} packet times of {:.1f} ns (MTU {}, "
                            "{}); an entry holds up to {}",
                            origin.largest_delay_ns, delay, packet_time, mtu, to_string(rate),
                            cc_limits::multiplier));
  }
  return delay;
}

double delay_of_law(TableLaw law, double largest_delay, std::size_t i, std::size_t ccti_limit) {
  // Prevents rounding of pow() from changing the last entry.
  if (i == ccti_limit) return largest_delay;
  const double part = static_cast<double>(i) / static_cast<double>(ccti_limit);
  return law == TableLaw::linear ? largest_delay * part : std::pow(1 + largest_delay, part) - 1;
}

std::vector<CctEntry> generate_table(const TableOrigin& origin, std::size_t ccti_limit,
                                     std::uint32_t mtu, LinkRate rate) {
  if (ccti_limit < 1 || ccti_limit >= cc_limits::most_entries) {
    throw Error(ErrorKind::usage, fmt::format("a CCTI_Limit of {} is out of range for a law; "
                                              "expected 1 .. {}",
                                              ccti_limit, cc_limits::most_entries - 1));
  }
  const double largest = largest_delay(origin, mtu, rate);
  std::vector<CctEntry> entries;
  entries.reserve(ccti_limit + 1);
  for (std::size_t i = 0; i <= ccti_limit; ++i) {
    entries.push_back(nearest_entry(delay_of_law(origin.law, largest, i, ccti_limit)));
  }
  return entries;
}

}  // namespace pssp
