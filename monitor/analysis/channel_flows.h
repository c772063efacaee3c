#pragma once

// Lists the flows on one channel, and how many of them other tables would move away from it.

#include <cstdint>
#include <string>
#include <vector>

#include "monitor/analysis/advice.h"

namespace pssp {

/// Flows of one job from the hosts of one switch to the hosts of another.
struct LeafPair {
  SwitchId from, to;
  std::uint32_t job = 0;  ///< index into ObservedTraffic::jobs; the number of jobs means no job
  std::size_t flows = 0;
  double bytes = 0;
};

struct AvoidingFlows {
  std::string name;       ///< name of the tables
  std::size_t flows = 0;  ///< flows of the channel that would avoid it
  double bytes = 0;       ///< part of the bytes of the channel
  double busy = 0;        ///< time of the channel with these tables, relative to its current time
};

struct ChannelFlows {
  ChannelId channel;
  std::size_t flows = 0;
  double bytes = 0, busy_seconds = 0;   ///< according to the traffic matrix
  std::vector<LeafPair> pairs;          ///< by descending bytes
  std::vector<AvoidingFlows> avoiding;  ///< one element for each of `proposals` without a problem
};

/// O(hops of all flows), for each set of tables.
ChannelFlows flows_of_channel(const ObservedTraffic& observed, const TrafficMatrix& matrix,
                              ChannelId channel, const std::vector<ProposedTables>& proposals);

}  // namespace pssp
