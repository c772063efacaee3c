#pragma once

// Direct, slow implementations of the definitions of the metrics, for the flows of complete runs.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "evaluator/flows/link_loads.h"
#include "evaluator/patterns/flow.h"
#include "tests/evaluator/sample_fabrics.h"

namespace pssp::test {

/// One run: the flows of each phase, by rank, and the endpoint of each rank.
struct NaiveRun {
  std::vector<std::vector<Flow>> levels;
  std::vector<std::uint32_t> hosts;
};

struct NaiveMetrics {
  std::uint64_t flows = 0, unrouted = 0;
  double bandwidth = 0;      // mean over all flows
  double sum_max_cong = 0;   // over the phases
  double sum_mean_cong = 0;  // over the phases
  double delay = 0;
  std::uint32_t levels = 0;  // phases with at least one flow
  std::map<double, std::uint64_t> histogram;
  /// Flows on each link, by the names below.
  std::map<std::string, std::uint64_t> links;
};

/// Names of links as keys of NaiveMetrics::links.
std::string naive_channel(std::uint32_t channel);
std::string naive_sent(std::uint32_t endpoint);
std::string naive_received(std::uint32_t endpoint);

NaiveMetrics naive_metrics(const RoutedFabric& routed, const NaiveRun& run, HostLinks host_links,
                           std::uint32_t observed_ranks);

}  // namespace pssp::test
