#include "osm_plugin/path_levels.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace pssp {

std::vector<Guid> switch_guids(const Fabric& fabric) {
  std::vector<Guid> guids;
  guids.reserve(fabric.switch_count());
  for (const Switch& each : fabric.switches()) guids.push_back(each.guid);
  return guids;
}

namespace {

std::vector<std::uint32_t> positions_of_lids(const Fabric& fabric, std::uint32_t nowhere) {
  std::vector<std::uint32_t> positions(std::size_t{fabric.max_lid()} + 1, nowhere);
  for (const Lid lid : fabric.lids()) {
    const SwitchId at = fabric.delivery(lid).at;
    if (at.valid()) positions[lid] = at.value();
  }
  return positions;
}

}  // namespace

PathLevels::PathLevels(const Fabric& fabric, ServiceLevels levels, bool reversible)
    : levels_(std::move(levels)),
      reversible_(reversible),
      switches_(switch_guids(fabric)),
      place_(positions_of_lids(fabric, nowhere)) {}

PathLevels::PathLevels(std::vector<Guid> switches, std::vector<std::uint32_t> positions,
                       ServiceLevels levels, bool reversible)
    : levels_(std::move(levels)),
      reversible_(reversible),
      switches_(std::move(switches)),
      place_(std::move(positions)) {
  const auto is_rank = [this](std::uint32_t place) {
    return place == nowhere || place < switches_.size();
  };
  const auto is_level = [](ServiceLevel level) {
    return level == no_service_level || level < max_data_lanes;
  };
  if (switches_.size() != levels_.switch_count() || place_.size() > levels_.width() ||
      !std::ranges::is_sorted(switches_) || !std::ranges::all_of(place_, is_rank) ||
      !std::ranges::all_of(levels_.entries(), is_level)) {
    throw Error(ErrorKind::unreadable_input, "its service levels are inconsistent");
  }
}

ServiceLevel PathLevels::between(Lid source, Lid destination) const noexcept {
  const std::uint32_t row = place(source);
  if (row == nowhere || place(destination) == nowhere) return no_service_level;
  return levels_.at(SwitchId(row), destination);
}

std::uint32_t PathLevels::row_of(Guid switch_guid) const noexcept {
  const auto found = std::lower_bound(switches_.begin(), switches_.end(), switch_guid);
  return found != switches_.end() && *found == switch_guid
             ? static_cast<std::uint32_t>(found - switches_.begin())
             : nowhere;
}

template <class Visit>
void PathLevels::for_each_common(const std::vector<Guid>& switches,
                                 const std::vector<std::uint32_t>& positions, Visit visit) const {
  std::vector<std::uint32_t> row(switches.size());
  for (std::size_t s = 0; s < switches.size(); ++s) row[s] = row_of(switches[s]);
  std::vector<Lid> lids;
  for (std::size_t lid = 0; lid < positions.size(); ++lid) {
    if (positions[lid] == nowhere) continue;
    const std::uint32_t before = place(static_cast<Lid>(lid));
    if (before != nowhere && before == row[positions[lid]]) lids.push_back(static_cast<Lid>(lid));
  }
  for (std::uint32_t s = 0; s < row.size(); ++s) {
    if (row[s] == nowhere) continue;
    for (const Lid lid : lids) visit(SwitchId(row[s]), SwitchId(s), lid);
  }
}

ServiceLevels PathLevels::carried_over(const Fabric& fabric, const ForwardingTables& tables) const {
  ServiceLevels levels(fabric.switch_count(), tables.max_lid());
  for_each_common(switch_guids(fabric), positions_of_lids(fabric, nowhere),
                  [&](SwitchId before, SwitchId now, Lid lid) {
                    if (tables.at(now, lid) != no_port)
                      levels.set(now, lid, levels_.at(before, lid));
                  });
  return levels;
}

PathLevels::Changes PathLevels::changes_since(const PathLevels& earlier) const {
  Changes changes;
  earlier.for_each_common(switches_, place_, [&](SwitchId before, SwitchId now, Lid lid) {
    const ServiceLevel old_level = earlier.levels_.at(before, lid);
    const ServiceLevel new_level = levels_.at(now, lid);
    if (old_level == no_service_level || new_level == no_service_level) return;
    ++changes.common;
    if (old_level != new_level) ++changes.changed;
  });
  return changes;
}

}  // namespace pssp
