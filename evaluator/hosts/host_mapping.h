#pragma once

// Selects the hosts of a simulation, and assigns them to the ranks of the pattern (ORCS report,
// sections 2.3 and 4).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/random.h"
#include "evaluator/hosts/host_order.h"
#include "fabric/fabric.h"

namespace pssp {

struct HostMappingOptions {
  std::uint32_t ranks = 0;  ///< size of the communicator; 0: all endpoints
  HostSelection selection = HostSelection::random;
  /// Use a new random order in every run. Otherwise, all runs have the same hosts in the same
  /// order: that of the selection (for `random`: drawn once from the seed).
  bool shuffle = true;
  /// Hosts of the first ranks, in this order, in every run: distinct positions in
  /// Fabric::endpoints().
  std::vector<std::uint32_t> fixed_first;

  // For ptrnvsptrn only: how the first pattern selects its hosts among the selected ones; its hosts
  // and the others are then shuffled separately. None: the first pattern gets the first hosts.
  std::optional<HostSelection> selection_of_first;
  std::uint32_t ranks_of_first = 0;  ///< only with selection_of_first
};

/// Describes the mapping for reports: "chosen at random, shuffled in every run". `fixed_by`: the
/// file with the hosts of the first ranks; empty: none.
std::string to_text(const HostMappingOptions& options, const std::string& fixed_by = {});

/// Immutable; can be used by any number of threads.
class HostMapping {
 public:
  /// Throws Error(usage) when there are fewer endpoints than ranks, fewer ranks than fixed hosts or
  /// than ranks of the first pattern, and when a fixed host is none or comes twice.
  HostMapping(const Fabric& fabric, const HostMappingOptions& options);

  std::uint32_t ranks() const noexcept { return ranks_; }

  /// Writes the endpoint (position in Fabric::endpoints()) of each rank in run `run` of `seed` to
  /// `hosts`. Depends only on both. O(endpoints).
  void draw(std::uint64_t seed, std::uint64_t run, std::vector<std::uint32_t>& hosts) const;

 private:
  using Hosts = std::vector<std::uint32_t>;

  /// Moves the hosts that the first part selects among the selected ones to their ranks.
  void place_first_part(Hosts& hosts, RandomGenerator& random) const;

  std::uint32_t endpoints_;
  std::uint32_t ranks_;
  std::uint32_t fixed_ = 0;       // this many first hosts of order_ keep their positions
  std::uint32_t first_part_ = 0;  // the ranks up to here choose their hosts; fixed_ if none does
  bool random_;                   // the selection is random
  bool shuffle_;
  Hosts order_;             // all endpoints if the selection is random, else the selected ones
  Hosts first_part_order_;  // all endpoints in the order of the first part's preference; or empty
};

}  // namespace pssp
