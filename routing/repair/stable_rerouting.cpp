#include "routing/repair/stable_rerouting.h"

#include <fmt/format.h>

#include "base/error.h"
#include "routing/repair/stable_router.h"

namespace pssp {
namespace {

void require_in_range(const char* name, std::uint32_t value, std::uint32_t most) {
  if (value <= most) return;
  throw Error(ErrorKind::usage,
              fmt::format("stable rerouting: {} is {}; expected 0 .. {}", name, value, most));
}

}  // namespace

void require_possible(const Fabric& fabric, const ForwardingTables& previous,
                      const StableOptions& options) {
  require_in_range("max_extra_hops", options.max_extra_hops, max_stable_extra_hops);
  require_in_range("least_gain", options.least_gain, 100);
  if (!fabric.has_lids()) {
    throw Error(ErrorKind::usage, "stable rerouting: the fabric has no LIDs; assign LIDs first");
  }
  if (previous.switch_count() == fabric.switch_count()) return;
  throw Error(ErrorKind::mismatch,
              fmt::format("stable rerouting: the previous tables are for {} switches, but the "
                          "fabric has {}; transfer the tables to this fabric first",
                          previous.switch_count(), fabric.switch_count()));
}

StableRouting reroute_stably(const Fabric& fabric, const ForwardingTables& previous,
                             const StableOptions& options, const StopSignal& stop) {
  require_possible(fabric, previous, options);
  StableRouter router(fabric, {.previous = previous}, options, stop);
  router.keep();
  router.finish();
  StableRouting made{router.take_tables(), {}};
  made.changes = count_changes(previous, made.tables, [&](SwitchId s, Lid lid) {
    return router.stay().at(s, lid) != no_port;
  });
  return made;
}

}  // namespace pssp
