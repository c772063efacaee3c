#pragma once

// Who is on one channel, and who of them would not be under other tables.

#include <cstdint>
#include <string>
#include <vector>

#include "monitor/analysis/advice.h"

namespace pssp {

/// Flows from the hosts of one switch to those of another, of one job.
struct LeafPair {
  SwitchId from, to;
  std::uint32_t job = 0;  ///< index into ObservedTraffic::jobs; as many as there are: of none
  std::size_t flows = 0;
  double bytes = 0;
};

struct AvoidingFlows {
  std::string name;       ///< of the tables
  std::size_t flows = 0;  ///< of those on the channel, how many would not be
  double bytes = 0;       ///< part of the channel's
  double busy = 0;        ///< the channel's time under these tables over that of now
};

struct ChannelQuestion {
  ChannelId channel;
  std::size_t flows = 0;
  double bytes = 0, busy_seconds = 0;   ///< as the matrix says
  std::vector<LeafPair> pairs;          ///< by descending bytes
  std::vector<AvoidingFlows> avoiding;  ///< tables of `proposals` that have no problem
};

/// O(hops of all flows, for each of the tables).
ChannelQuestion flows_of_channel(const ObservedTraffic& observed, const TrafficMatrix& matrix,
                                 ChannelId channel, const std::vector<ProposedTables>& proposals);

}  // namespace pssp
