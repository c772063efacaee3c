#pragma once

// Congestion control tables from a law.
//
// The law says the delay d(i) at CCTI i, in packet times, up to the largest one, D at L =
// CCTI_Limit:
//
//     linear        d(i) = D i / L                 equal steps of delay
//     exponential   d(i) = (1 + D)^(i / L) - 1     the rate falls by the same factor each step
//
// D is stated as a number of flows, D = flows - 1, so that at CCTI_Limit each of so many flows gets
// its fair share of the link on which they meet, or as a time, which the MTU and the link rate turn
// into packet times.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "congestion/parameters.h"

namespace pssp {

/// A number of flows that a law may be made for.
inline constexpr std::uint32_t fewest_flows = 2, most_flows = cc_limits::multiplier + 1;

/// D in packet times. Throws Error(usage) when the origin states neither or both of flows and
/// largest_delay_ns, flows is not 2 .. 16384, or D exceeds what an entry holds.
double largest_delay(const TableOrigin& origin, std::uint32_t mtu, LinkRate rate);

/// d(i) in packet times before rounding, for 0 <= i <= ccti_limit and ccti_limit >= 1.
double delay_of_law(TableLaw law, double largest_delay, std::size_t i, std::size_t ccti_limit);

/// The ccti_limit + 1 entries nearest to the law; delays never fall. Throws as largest_delay(), and
/// Error(usage) when ccti_limit is not 1 .. 16319.
std::vector<CctEntry> generate_table(const TableOrigin& origin, std::size_t ccti_limit,
                                     std::uint32_t mtu, LinkRate rate);

}  // namespace pssp
