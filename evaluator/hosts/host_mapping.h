#pragma once

// Which hosts take part in a simulation, and which of them plays which rank of the pattern (ORCS
// report, sections 2.3 and 4).

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
  /// A new random order in every run. Without it, all runs have the same hosts in the same order:
  /// that of the selection (of `random`: drawn once from the seed).
  bool shuffle = true;
  /// Hosts that keep the first ranks, in this order, in every run: positions in
  /// Fabric::endpoints(), none of them twice.
  std::vector<std::uint32_t> fixed_first;

  // Of ptrnvsptrn only. The first pattern can choose its hosts, in its own way, among the chosen
  // ones; they are shuffled among themselves, and so are the others. Nothing: no choice of its own,
  // the first pattern gets those that come first.
  std::optional<HostSelection> selection_of_first;
  std::uint32_t ranks_of_first = 0;  ///< counted only with selection_of_first
};

/// How ranks get their hosts, for reports: "chosen at random, shuffled in every run". `fixed_by`:
/// the file that says which hosts keep the first ranks; empty: none does.
std::string to_text(const HostMappingOptions& options, const std::string& fixed_by = {});

/// Immutable; safe to use from any number of threads.
class HostMapping {
 public:
  /// Throws Error(usage) when there are fewer endpoints than ranks, fewer ranks than fixed hosts or
  /// than ranks of the first pattern, and when a fixed host is none or comes twice.
  HostMapping(const Fabric& fabric, const HostMappingOptions& options);

  std::uint32_t ranks() const noexcept { return ranks_; }

  /// Endpoint (position in Fabric::endpoints()) of each rank in run number `run` of `seed`, into
  /// `hosts`. A pure function of both. O(endpoints).
  void draw(std::uint64_t seed, std::uint64_t run, std::vector<std::uint32_t>& hosts) const;

 private:
  using Hosts = std::vector<std::uint32_t>;

  /// Moves the hosts that the first part chooses among the chosen ones to their ranks.
  void place_first_part(Hosts& hosts, RandomGenerator& random) const;

  std::uint32_t endpoints_;
  std::uint32_t ranks_;
  std::uint32_t fixed_ = 0;       // the first so many of order_ keep their places
  std::uint32_t first_part_ = 0;  // the ranks up to here choose their hosts; fixed_ if none does
  bool random_;                   // the choice
  bool shuffle_;
  Hosts order_;             // all endpoints where the choice is random, else those chosen
  Hosts first_part_order_;  // all endpoints, those first that the first part prefers; or empty
};

}  // namespace pssp
