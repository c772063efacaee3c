#pragma once

// Generates congestion control tables from a law.
//
// The law gives the delay d(i) at CCTI i in packet times, up to the largest delay D at L =
// CCTI_Limit:
//
//     linear        d(i) = D i / L                 equal steps of delay
//     exponential   d(i) = (1 + D)^(i / L) - 1     the rate falls by the same factor each step
//
// D is given as a number of flows, D = flows - 1, so that at CCTI_Limit each of these flows gets
// its fair share of a common link, or as a time, which the MTU and the link rate convert to packet
// times.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "congestion/parameters.h"

namespace pssp {

/// Range of TableOrigin::flows.
inline constexpr std::uint32_t fewest_flows = 2, most_flows = cc_limits::multiplier + 1;

/// D in packet times. Throws Error(usage) if the origin has neither or both of flows and
/// largest_delay_ns, if flows is not 2 .. 16384, or if D exceeds the range of an entry.
double largest_delay(const TableOrigin& origin, std::uint32_t mtu, LinkRate rate);

/// d(i) in packet times before rounding, for 0 <= i <= ccti_limit and ccti_limit >= 1.
double delay_of_law(TableLaw law, double largest_delay, std::size_t i, std::size_t ccti_limit);

/// The ccti_limit + 1 entries nearest to the law; delays never fall. Throws as largest_delay(), and
/// Error(usage) if ccti_limit is not 1 .. 16319.
std::vector<CctEntry> generate_table(const TableOrigin& origin, std::size_t ccti_limit,
                                     std::uint32_t mtu, LinkRate rate);

}  // namespace pssp
