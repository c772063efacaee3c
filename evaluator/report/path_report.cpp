#include "evaluator/report/path_report.h"

#include <fmt/format.h>

#include <vector>

#include "base/text_table.h"
#include "evaluator/paths/path_links.h"

namespace pssp {
namespace {

std::string label(const Fabric& fabric, LidOwner owner) {
  return owner.kind == LidOwner::Kind::end_port ? fabric.label(EndPortId(owner.index))
                                                : fabric.label(SwitchId(owner.index));
}

std::string headline(const Fabric& fabric, const Path& path, std::span<const std::uint64_t> loads) {
  const auto end = [&](PathEnd each) {
    return fmt::format("{} (lid {})", label(fabric, each.owner), each.lid);
  };
  std::string text = fmt::format("{} -> {}: ", end(path.source), end(path.destination));
  if (path.outcome != PathOutcome::arrives) return text + "DOES NOT ARRIVE";
  if (path.steps.empty()) return text + "the same port; nothing leaves the adapter";
  return text + fmt::format("arrives, hops {}, largest index {:g}", path.hops(),
                            largest_index(fabric, path, loads));
}

}  // namespace

std::string what_goes_wrong(const Fabric& fabric, const Path& path) {
  const Lid lid = path.destination.lid;
  switch (path.outcome) {
    case PathOutcome::arrives:
      return {};
    case PathOutcome::source_not_cabled:
      return "the source's port has no live link to a switch";
    case PathOutcome::destination_not_cabled:
      return "the destination's port has no live link to a switch";
    default:
      break;
  }
  const PathStep& last = path.steps.back();
  const std::string at =
      fmt::format("{} (lid {})", fabric.label(last.at), fabric.switch_at(last.at).lid);
  switch (path.outcome) {
    case PathOutcome::no_entry:
      return fmt::format("{} has no entry for lid {} and drops the packets", at, lid);
    case PathOutcome::dead_port:
      return fmt::format("{} sends lid {} to its port {}, which has no live link", at, lid,
                         last.out_port);
    case PathOutcome::wrong_port:
      return fmt::format(
          "{} sends lid {} to its port {}, which leads to {}", at, lid, last.out_port,
          last.out_port == management_port
              ? "the switch itself"
              : fabric.label(EndPortId(fabric.behind(last.at, last.out_port).index)));
    default:
      return fmt::format("{} sends lid {} back to {}: the packets circle until they are dropped",
                         at, lid,
                         fabric.label(SwitchId(fabric.channel_head()[last.channel.value()])));
  }
}

std::string to_text(const Fabric& fabric, const Path& path, std::span<const std::uint64_t> loads) {
  std::string text = headline(fabric, path, loads) + "\n";
  std::vector<TableRow> rows{{"from", "   to", "lid", "link", "routes", "index"}};
  for (const PathLink& link : links_of(fabric, path)) {
    const bool is_channel = link.channel.valid();
    rows.push_back({link.from, "-> " + link.to, fmt::to_string(link.to_lid),
                    link.rate.stated() ? to_string(link.rate) : "-",
                    is_channel ? fmt::to_string(loads[link.channel.value()]) : "-",
                    is_channel ? fmt::format("{:g}", index_of(fabric, link.channel, loads)) : "-"});
  }
  if (rows.size() > 1) {
    text += text_table(rows, {.indent = 2, .flush_left = {true, true, false, true}});
  }
  if (path.outcome != PathOutcome::arrives) {
    text += fmt::format("  {}\n", what_goes_wrong(fabric, path));
  }
  return text;
}

}  // namespace pssp
