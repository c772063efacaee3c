#include "osm_plugin/candidate_tables.h"

#include <fmt/format.h>

#include <algorithm>

namespace pssp {

std::uint64_t routing_bytes(const Fabric& fabric) {
  // Measured: 7.5 bytes an entry beyond the fabric itself, in best; distances of all pairs of
  // switches; what is kept of each channel.
  constexpr std::uint64_t of_entry = 24, of_pair = 4, of_channel = 200;
  const std::uint64_t switches = fabric.switch_count();
  return of_entry * switches * fabric.lids().size() + of_pair * switches * switches +
         of_channel * fabric.channel_count();
}

std::uint64_t entry_count(const ForwardingTables& tables) {
  const auto entries = tables.entries();
  return entries.size() - static_cast<std::uint64_t>(std::ranges::count(entries, no_port));
}

EntryChanges all_kept(const ForwardingTables& tables) {
  EntryChanges changes;
  changes.kept = entry_count(tables);
  return changes;
}

std::string out_of_time(const RoutingTask& task) {
  return fmt::format("stopped after {:.1f} s (budget.seconds)", task.watch.total() / 1000);
}

std::string out_of_memory(std::uint64_t bytes) {
  return fmt::format("would need about {} MiB of memory (budget.megabytes)", bytes >> 20U);
}

void RoutingLog::text(std::string_view text) const {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    detail(std::string(text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace pssp
