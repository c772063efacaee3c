#include "osm_plugin/routing_report.h"

#include <fmt/format.h>

namespace pssp {
namespace {

std::string number_or_dash(unsigned number) { return number == 0 ? "-" : std::to_string(number); }

std::string_view yes_or_no(bool value) { return value ? "yes" : "no"; }

std::string_view word_or_dash(std::string_view word) { return word.empty() ? "-" : word; }

}  // namespace

std::string_view to_string(RoutingReason reason) {
  switch (reason) {
    case RoutingReason::scratch:
      return "scratch";
    case RoutingReason::inferred:
      return "inferred";
    case RoutingReason::repaired:
      return "repaired";
    case RoutingReason::kept:
      return "kept";
    case RoutingReason::rebaselined:
      return "rebaselined";
    case RoutingReason::takeover:
      return "takeover";
    case RoutingReason::interim:
      return "interim";
    case RoutingReason::substitute:
      break;
  }
  return "substitute";
}

std::string to_text(const RoutingReport& report) {
  std::string text = fmt::format(
      "engine={} reason={} computed_by={} selected={} switches={} hosts={} lids={} "
      "entries_changed={}",
      report.engine, to_string(report.reason), report.computed_by, word_or_dash(report.selected),
      report.switches, report.hosts, report.lids, report.entries_changed);
  if (const std::optional<EntryChanges>& changes = report.changes) {
    text += fmt::format(" kept={} replaced={} moved={} added={} removed={}", changes->kept,
                        changes->replaced, changes->moved, changes->added, changes->removed);
  } else {
    text += " kept=- replaced=- moved=- added=- removed=-";
  }
  const std::string_view deadlock_free =
      report.is_deadlock_free ? yes_or_no(*report.is_deadlock_free) : "-";
  const std::string index =
      report.edge_forwarding_index ? fmt::format("{:g}", *report.edge_forwarding_index) : "-";
  return text + fmt::format(
                    " efi={} vls={} max_vls={} service_levels={} changed_levels={} reversible={} "
                    "rejected_for_vls={} deadlock_free={} unreachable_pairs={} limit={} "
                    "background={} seconds={:.4f}",
                    index, number_or_dash(report.vls_used), number_or_dash(report.vls),
                    report.service_levels, report.changed_levels, yes_or_no(report.is_reversible),
                    report.rejected_for_vls, deadlock_free, report.unreachable_pairs,
                    word_or_dash(report.limit), word_or_dash(report.background), report.seconds);
}

}  // namespace pssp
