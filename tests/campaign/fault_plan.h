#pragma once

// A campaign's faults, drawn from a seed: what happens to the fabric, event by event, and what the
// driver (campaign.sh) does to make it happen. A pure function of fabric, seed and managers, so
// that any stretch of a campaign can be repeated.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/campaign/cabling.h"

namespace pssp::campaign {

/// A line of the plan, words separated by tabs; campaign.sh explains each.
using Step = std::string;

struct Fault {
  std::string kind;
  std::string what;  ///< switch, link or host it is done to
  std::vector<Step> steps;
};

/// What most of a campaign's faults are about.
enum class FaultTheme : std::uint8_t {
  fabric,    ///< links, switches, hosts; managers and configurations now and then
  managers,  ///< who is the master: deaths, restarts, priorities, starts side by side
};

class FaultPlan {
 public:
  /// `managers` are the nodes at which subnet managers run, one or two; every fault leaves them on
  /// one island with more than half of the adapters.
  FaultPlan(const Fabric& fabric, std::vector<std::uint32_t> managers, std::uint64_t seed,
            FaultTheme theme = FaultTheme::fabric);

  /// The next fault; the cabling is then as after it.
  Fault next();

  /// Everything repaired, powered on and in its old place.
  Fault restore();
  /// What leads from the original fabric to the state in which the plan is now.
  Fault resume() const;

  const Cabling& cabling() const noexcept { return cabling_; }
  /// "3 cut, 1 dark, 2 moved, configuration 4"
  std::string state() const;

 private:
  // Each returns a fault without a kind where it does not apply now, and leaves the cabling alone.
  Fault cut();
  Fault repair();
  Fault cut_several();
  Fault repair_all();
  Fault switch_off();
  Fault switch_on();
  Fault switch_restart();
  Fault host_moves();
  Fault hosts_swap();
  Fault link_flaps();
  Fault manager_flaps();
  Fault lossy_switch();
  Fault lid_stolen();
  Fault takeover();
  Fault handover();
  Fault split();
  Fault restart_in_place();
  Fault start_together();
  Fault reconfigure();
  Fault bad_options();

  template <class Predicate>
  std::vector<std::size_t> cables_that(Predicate wanted) const;
  std::size_t pick(std::size_t count) { return random_.below(static_cast<std::uint32_t>(count)); }
  std::vector<std::size_t> movable_hosts() const;
  bool is_manager(std::uint32_t node) const;
  bool sweeps_on_traps() const;
  /// Makes `changed` the cabling if the managers stay on a large island in it; else says no.
  bool accept(Cabling changed, std::vector<Step>& steps);

  Cabling original_;
  Cabling cabling_;
  std::vector<std::uint32_t> managers_;
  FaultTheme theme_;
  RandomGenerator random_;
  std::size_t adapters_ = 0;
  std::size_t configuration_ = 0;
};

/// Nodes for `count` (1 or 2) subnet managers: the adapter named `first`, and of those on its
/// island the last one at another switch. Throws Error(usage) where there is none.
std::vector<std::uint32_t> choose_managers(const Fabric& fabric, const std::string& first,
                                           unsigned count);

}  // namespace pssp::campaign
