#pragma once

// The options behind the hosts of a statement of a traffic file: a keyword and its value each.

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/link_rate.h"
#include "simulator/traffic/host_sets.h"
#include "simulator/traffic/traffic.h"
#include "simulator/traffic/traffic_tokens.h"

namespace pssp {

/// What names of hosts, and rates of their links, are looked up in.
struct StatementContext {
  const Fabric& fabric;
  HostSets& hosts;
  std::optional<LinkRate> host_rate;  ///< of all hosts, instead of what the fabric says
  bool& needs_host_rate;              ///< set where the rate of a link was asked for
};

/// A service level, a time, a number of packets; throw Error(usage).
std::uint8_t take_level(TrafficTokens& tokens);
SimulatedTime take_time(TrafficTokens& tokens);
std::uint32_t take_packets(TrafficTokens& tokens);

/// Options of `flow` and `victim`, to the end of the statement. All throw Error(usage) with what is
/// wrong and what is allowed.
void take_flow_options(TrafficTokens& tokens, const StatementContext& context, StaticFlow& flow);

/// Options of `uniform`. Returns whether the length of messages is among them.
bool take_uniform_options(TrafficTokens& tokens, const StatementContext& context,
                          UniformTraffic& uniform);

/// `pattern` while its options are read.
struct PatternStatement {
  RoundTraffic rounds;
  bool by_lid = false;
  std::vector<std::uint32_t> among;  ///< ranks, ascending; empty: all
};
void take_pattern_options(TrafficTokens& tokens, const StatementContext& context,
                          PatternStatement& pattern);

}  // namespace pssp
