#pragma once

// Converts the patterns of docs/reference/patterns.md and of program options to traffic.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "simulator/traffic/traffic.h"

namespace pssp {

/// Limits of the size of a pattern, so that a typing error does not fill the memory.
inline constexpr std::size_t most_pattern_flows = std::size_t{1} << 25;
inline constexpr std::size_t most_pattern_rounds = 100'000;

/// The levels of a pattern ("shift:3") among these hosts: ranks[i] has rank i of the pattern.
/// Throws the errors of make_pattern(), and Error(usage) beyond the limits.
std::vector<std::vector<Flow>> pattern_rounds(const std::string& pattern,
                                              std::span<const std::uint32_t> ranks,
                                              std::uint64_t seed);

/// The ranks 0 .. hosts - 1 in random order, one order per seed, as eval_lft shuffles hosts for
/// each run.
std::vector<std::uint32_t> random_rank_order(std::uint32_t hosts, std::uint64_t seed);

/// Random senders all send to one random receiver, always backlogged. hosts >= 2; senders: 1 ..
/// hosts - 1. Throws Error(usage).
std::vector<StaticFlow> incast(std::uint32_t hosts, std::uint32_t senders, std::uint64_t seed);

/// Bytes of the largest total that a host sends or receives over all rounds; its time on a link is
/// a lower bound for any network. O(flows).
std::uint64_t busiest_host_bytes(const RoundTraffic& rounds, std::uint32_t hosts);

}  // namespace pssp
