// If flows are striped over several LIDs, the counts of routes alone give no estimate
// (bandwidth_estimate.h), because the parts of one flow can share channels. Flows are therefore
// followed through the tables. A bisection is a random order of the hosts: each host of the first
// half sends to one host of the second half.

#include "routing/structured_suite/bisection_sample.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "base/random.h"
#include "routing/structured_suite/flow_follower.h"

namespace pssp {
namespace {

constexpr std::uint64_t purpose = 0x62697365;  // "bise"

std::size_t worthwhile_bisections(std::size_t flows_in_each, unsigned lids) {
  constexpr std::size_t flows = 200'000;
  constexpr std::size_t fewest = 50;
  constexpr std::size_t most = 2'000;
  // On large fabrics with many LIDs, fewer bisections are enough, because each bisection has many
  // flows.
  constexpr std::size_t most_paths = 20'000'000;
  constexpr std::size_t fewest_affordable = 10;
  const std::size_t in_each = std::max<std::size_t>(flows_in_each, 1);
  const std::size_t wanted = std::clamp(flows / in_each, fewest, most);
  return std::min(wanted, std::max(most_paths / (in_each * lids), fewest_affordable));
}

}  // namespace

BisectionSample::BisectionSample(const Fabric& fabric, std::vector<EndPortId> hosts, LidUse use)
    : fabric_(fabric), hosts_(std::move(hosts)), use_(use), flows_in_each_(hosts_.size() / 2) {
  const std::size_t bisections = worthwhile_bisections(flows_in_each_, use_.lids);
  flows_.reserve(bisections * flows_in_each_);
  for (std::size_t i = 0; i < bisections; ++i) {
    RandomGenerator random = random_stream(0, purpose, i);
    const std::vector<std::uint32_t> order =
        random_permutation(static_cast<std::uint32_t>(hosts_.size()), random);
    for (std::size_t k = 0; k < flows_in_each_; ++k) {
      flows_.push_back({order[k], order[k + flows_in_each_]});
    }
  }
}

double BisectionSample::bandwidth(const ForwardingTables& tables, const StopSignal& stop) const {
  if (flows_.empty()) return 0;
  FlowFollower follower(fabric_, tables, hosts_, use_);
  double sum = 0;
  for (std::size_t begin = 0; begin < flows_.size(); begin += flows_in_each_) {
    stop.check("random bisections");
    sum += follower.follow(std::span(flows_).subspan(begin, flows_in_each_)).bandwidth;
  }
  return sum / static_cast<double>(flows_.size());
}

}  // namespace pssp
