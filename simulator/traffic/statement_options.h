#pragma once

// The options after the hosts of a statement of a traffic file: keywords with values.

#include <cstdint>
#include <optional>
#include <vector>

#include "fabric/fabric.h"
#include "fabric/link_rate.h"
#include "simulator/traffic/host_sets.h"
#include "simulator/traffic/traffic.h"
#include "simulator/traffic/traffic_tokens.h"

namespace pssp {

/// Used to look up names of hosts and rates of their links.
struct StatementContext {
  const Fabric& fabric;
  HostSets& hosts;
  std::optional<LinkRate> host_rate;  ///< of all hosts; overrides the fabric
  bool& needs_host_rate;              ///< set if the rate of a link was needed
};

/// A service level, a time, a number of packets; throw Error(usage).
std::uint8_t take_level(TrafficTokens& tokens);
SimulatedTime take_time(TrafficTokens& tokens);
std::uint32_t take_packets(TrafficTokens& tokens);

/// Options of `flow` and `victim`, to the end of the statement. All functions throw Error(usage)
/// with the error and the allowed values.
void take_flow_options(TrafficTokens& tokens, const StatementContext& context, StaticFlow& flow);

/// Options of `uniform`. Returns whether they contain the length of messages.
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
