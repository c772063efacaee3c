#pragma once

// The notation of times, sizes, rates and shares in traffic files, on command lines and in reports.
// Readers parse the whole text, and throw Error(usage) with what was found and what is allowed.

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/simulated_time.h"

namespace pssp {

/// Longest permitted time: a thousand seconds.
inline constexpr SimulatedTime longest_time = 1000 * picoseconds_per_second;
/// Largest permitted size: 256 GiB.
inline constexpr std::uint64_t largest_size = std::uint64_t{1} << 38;

/// "100ms", "5 us", "1.5s", "12ps"; without a unit only 0. 0 .. longest_time.
SimulatedTime read_time(std::string_view text);
/// In the largest unit that gives at least 1, with up to `digits` significant digits: "1.5ms".
std::string time_text(SimulatedTime time, int digits = 6);

/// "2176", "2176B", "64KiB", "1MiB", "1.5GB". 1 .. largest_size.
std::uint64_t read_size(std::string_view text);

/// Bytes per second: "19.8GB/s", "500MB/s", "8Gbit/s", "1GByte/s". Above 0.
double read_rate(std::string_view text);
/// "1.000 GByte/s", "250.0 MByte/s".
std::string rate_text(double bytes_per_second);

/// "8%" or ".08". 0 .. 1.
double read_share(std::string_view text);

/// Decimal; least .. most. `what` names the value in messages: "a number of packets".
std::uint64_t read_count(std::string_view text, std::string_view what, std::uint64_t least,
                         std::uint64_t most);

}  // namespace pssp
