#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "osm_plugin/log_message.h"
#include "osm_plugin/routing_report.h"

using namespace pssp;

TEST_CASE("a routing report has one value for each key") {
  RoutingReport report{.engine = "best",
                       .reason = RoutingReason::repaired,
                       .computed_by = "best",
                       .selected = "cassp+lower+EFI",
                       .switches = 48,
                       .hosts = 64,
                       .lids = 112,
                       .entries_changed = 7,
                       .changes = EntryChanges{.kept = 5369, .replaced = 4, .moved = 1, .added = 2},
                       .edge_forwarding_index = 60.5,
                       .vls_used = 2,
                       .vls = 8,
                       .service_levels = "kept",
                       .changed_levels = 3,
                       .is_reversible = true,
                       .rejected_for_vls = 1,
                       .is_deadlock_free = true,
                       .unreachable_pairs = 9,
                       .limit = "budget.seconds",
                       .background = "running",
                       .seconds = 0.34446};
  CHECK(
      to_line({LogTopic::routing, to_text(report)}) ==
      "routing: engine=best reason=repaired computed_by=best selected=cassp+lower+EFI switches=48 "
      "hosts=64 lids=112 entries_changed=7 kept=5369 replaced=4 moved=1 added=2 removed=0 "
      "efi=60.5 vls=2 max_vls=8 service_levels=kept changed_levels=3 reversible=yes "
      "rejected_for_vls=1 deadlock_free=yes unreachable_pairs=9 limit=budget.seconds "
      "background=running seconds=0.3445");
}

TEST_CASE("a routing report has all keys even if some values are unknown") {
  const RoutingReport report{
      .engine = "pssp", .computed_by = "pssp", .service_levels = "opensm", .seconds = 1};
  CHECK(to_text(report) ==
        "engine=pssp reason=scratch computed_by=pssp selected=- switches=0 hosts=0 lids=0 "
        "entries_changed=0 kept=- replaced=- moved=- added=- removed=- efi=0 vls=- max_vls=- "
        "service_levels=opensm changed_levels=0 reversible=no rejected_for_vls=0 deadlock_free=- "
        "unreachable_pairs=0 limit=- background=- seconds=1.0000");
}

TEST_CASE("the routing reasons have different names") {
  const std::set<std::string_view> words{
      to_string(RoutingReason::scratch),     to_string(RoutingReason::inferred),
      to_string(RoutingReason::repaired),    to_string(RoutingReason::kept),
      to_string(RoutingReason::rebaselined), to_string(RoutingReason::takeover),
      to_string(RoutingReason::substitute)};
  CHECK(words.size() == 7);
}
