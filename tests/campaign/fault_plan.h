#pragma once

// The faults of a campaign, drawn from a seed: how the fabric changes, event by event, and the
// steps with which the driver (campaign.sh) causes these changes. Depends only on the fabric, the
// seed, the managers and the theme, so that any part of a campaign can be repeated.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "tests/campaign/cabling.h"

namespace pssp::campaign {

/// A line of the plan, with words separated by tabs; campaign.sh implements each step.
using Step = std::string;

struct Fault {
  std::string kind;
  std::string what;  ///< affected switch, link, host or manager, for messages
  std::vector<Step> steps;
};

/// The subject of most faults of a campaign.
enum class FaultTheme : std::uint8_t {
  fabric,    ///< links, switches and hosts; sometimes managers and configurations
  managers,  ///< which manager is master: deaths, restarts, priorities, simultaneous starts
};

class FaultPlan {
 public:
  /// `managers` are the one or two nodes on which subnet managers run. After every fault, they are
  /// on one island with more than half of the adapters.
  FaultPlan(const Fabric& fabric, std::vector<std::uint32_t> managers, std::uint64_t seed,
            FaultTheme theme = FaultTheme::fabric);

  /// Draws the next fault and changes the cabling accordingly.
  Fault next();

  /// Restores the original cabling and configuration.
  Fault restore();
  /// The steps from the original fabric to the current state of the plan.
  Fault resume() const;

  const Cabling& cabling() const noexcept { return cabling_; }
  /// "3 cut, 1 dark, 2 moved, configuration 4"
  std::string state() const;

 private:
  // Each returns a fault without a kind, and does not change the cabling, if it does not apply now.
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
  /// Makes `changed` the cabling and appends the commands to `steps`. Returns false, and changes
  /// nothing, unless the managers are on one island with more than half of the adapters.
  bool accept(Cabling changed, std::vector<Step>& steps);

  Cabling original_;
  Cabling cabling_;
  std::vector<std::uint32_t> managers_;
  FaultTheme theme_;
  RandomGenerator random_;
  std::size_t adapters_ = 0;
  std::size_t configuration_ = 0;
};

/// Nodes for `count` (1 or 2) subnet managers: the adapter named `first`, and the last suitable
/// adapter at another switch of its island. Throws Error(usage) if there is none.
std::vector<std::uint32_t> choose_managers(const Fabric& fabric, const std::string& first,
                                           unsigned count);

}  // namespace pssp::campaign
