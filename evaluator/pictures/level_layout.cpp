#include "evaluator/pictures/level_layout.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>
#include <utility>

#include "fabric/nodes/node_description.h"

// Switches with hosts are level 0; the level of another switch is its distance from these. The
// order within a level reduces crossings: each level is sorted repeatedly by the mean position of
// the neighbors in the level below, then above (the barycenter method of Sugiyama, Tagawa, Toda,
// "Methods for visual understanding of hierarchical system structures", 1981). Connected components
// without level 0, such as the switches of a director, stay together and get a frame.
//
// A level of hundreds of switches is a block of several rows, and the distance of levels grows with
// the width of the picture, because flat lines would overlap.

namespace pssp {
namespace {

constexpr std::uint32_t unreached = static_cast<std::uint32_t>(-1);

class LevelLayout {
 public:
  LevelLayout(const Fabric& fabric, const std::vector<MapLine>& lines,
              const std::vector<std::string>& names, MapBox box)
      : fabric_(fabric), lines_(lines), names_(names), box_(box), neighbours_(names.size()) {
    for (const MapLine& line : lines) {
      neighbours_[line.a].push_back(line.b);
      neighbours_[line.b].push_back(line.a);
    }
  }

  std::optional<MapLayout> run() {
    if (!find_levels()) return std::nullopt;
    find_groups();
    order_levels();
    place();
    return std::move(layout_);
  }

 private:
  bool find_levels();
  void lower_hostless_switches();
  void find_groups();
  void order_levels();
  void sort_level(std::uint32_t level, std::uint32_t by);
  void number(std::uint32_t level);
  void place();
  void place_level(std::uint32_t level, double bottom, double width, std::size_t rows);
  bool has_frames() const;
  void share_out_width(const std::vector<std::size_t>& rows);
  void frame_groups();

  /// Switches without a group form their own.
  std::uint32_t group_of(std::uint32_t s) const { return level_[s] == 0 ? 0 : group_[s]; }

  const Fabric& fabric_;
  const std::vector<MapLine>& lines_;
  const std::vector<std::string>& names_;
  MapBox box_;
  std::vector<std::vector<std::uint32_t>> neighbours_;
  std::vector<std::uint32_t> level_, group_;
  std::uint32_t groups_ = 0;
  std::vector<std::vector<std::uint32_t>> order_;  // switches of each level, left to right
  std::vector<double> position_;                   // within the level, 0 .. 1
  std::vector<double> group_begin_, group_share_;  // of the width, 0 .. 1; only with frames
  double columns_ = 0;                             // width of all groups
  MapLayout layout_;
};

/// Switches with hosts; those with far fewer hosts than usual count as upper switches.
std::vector<std::uint32_t> host_switches(const Fabric& fabric) {
  std::vector<std::uint32_t> counts;
  for (const std::uint32_t count : fabric.endpoints_per_switch()) {
    if (count != 0) counts.push_back(count);
  }
  if (counts.empty()) return {};
  const auto middle = counts.begin() + static_cast<std::ptrdiff_t>(counts.size() / 2);
  std::nth_element(counts.begin(), middle, counts.end());
  constexpr std::uint32_t far_fewer = 4;
  std::vector<std::uint32_t> found;
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const std::uint32_t count = fabric.endpoints_per_switch()[s];
    if (count != 0 && count * far_fewer >= *middle) found.push_back(s);
  }
  return found;
}

bool LevelLayout::find_levels() {
  std::vector<std::uint32_t> queue = host_switches(fabric_);
  if (queue.empty() || queue.size() * 10 > fabric_.switch_count() * 9) return false;
  level_.assign(fabric_.switch_count(), unreached);
  for (const std::uint32_t s : queue) level_[s] = 0;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const std::uint32_t next : neighbours_[queue[i]]) {
      if (level_[next] != unreached) continue;
      level_[next] = level_[queue[i]] + 1;
      queue.push_back(next);
    }
  }
  // Unreachable switches are at the bottom, too.
  std::replace(level_.begin(), level_.end(), unreached, 0U);
  lower_hostless_switches();
  std::size_t within = 0;
  for (const MapLine& line : lines_) within += level_[line.a] == level_[line.b] ? 1 : 0;
  layout_.levels = 1 + *std::max_element(level_.begin(), level_.end());
  return layout_.levels > 1 && within * 10 <= lines_.size();
}

/// A leaf module of a director without hosts, such as a spare or a connection to another director,
/// seems to be a level above the spine. A switch whose neighbors are mostly those of a lower switch
/// is moved to the level of that switch.
void LevelLayout::lower_hostless_switches() {
  std::vector<std::uint32_t> lowered = level_;
  std::vector<std::uint32_t> common(fabric_.switch_count(), 0);
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    if (level_[s] == 0) continue;
    std::vector<std::uint32_t> similar;
    for (const std::uint32_t neighbour : neighbours_[s]) {
      for (const std::uint32_t other : neighbours_[neighbour]) {
        if (level_[other] < level_[s] && common[other]++ == 0) similar.push_back(other);
      }
    }
    for (const std::uint32_t other : similar) {
      const std::size_t shared = common[other];
      const bool alike = shared > 1 && shared * 5 >= neighbours_[s].size() * 3;
      if (alike) lowered[s] = std::min(lowered[s], level_[other]);
      common[other] = 0;
    }
  }
  level_ = std::move(lowered);
}

void LevelLayout::find_groups() {
  group_.assign(fabric_.switch_count(), unreached);
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    if (level_[s] == 0 || group_[s] != unreached) continue;
    group_[s] = groups_;
    waiting.push_back(s);
    while (!waiting.empty()) {
      const std::uint32_t at = waiting.back();
      waiting.pop_back();
      for (const std::uint32_t next : neighbours_[at]) {
        if (level_[next] == 0 || group_[next] != unreached) continue;
        group_[next] = groups_;
        waiting.push_back(next);
      }
    }
    ++groups_;
  }
}

void LevelLayout::number(std::uint32_t level) {
  const std::vector<std::uint32_t>& order = order_[level];
  for (std::size_t i = 0; i < order.size(); ++i) {
    position_[order[i]] = (static_cast<double>(i) + 0.5) / static_cast<double>(order.size());
  }
}

/// Sorts a level by the mean position of the neighbors in another level, and groups by the mean of
/// their members.
void LevelLayout::sort_level(std::uint32_t level, std::uint32_t by) {
  std::vector<double> mean(fabric_.switch_count(), 0);
  std::vector<double> group_sum(groups_ + 1, 0);
  std::vector<double> group_size(groups_ + 1, 0);
  for (const std::uint32_t s : order_[level]) {
    double sum = 0;
    double count = 0;
    for (const std::uint32_t next : neighbours_[s]) {
      if (level_[next] != by) continue;
      sum += position_[next];
      count += 1;
    }
    mean[s] = count == 0 ? position_[s] : sum / count;
    group_sum[group_of(s)] += mean[s];
    group_size[group_of(s)] += 1;
  }
  // Sums in different orders can differ by rounding, which must not affect the order.
  const auto rounded = [](double x) { return std::round(x * 1e9); };
  const auto key = [&](std::uint32_t s) {
    const std::uint32_t group = group_of(s);
    return std::tuple(rounded(group_sum[group] / group_size[group]), group, rounded(mean[s]));
  };
  std::stable_sort(order_[level].begin(), order_[level].end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); });
  number(level);
}

void LevelLayout::order_levels() {
  std::vector<std::uint32_t> all(fabric_.switch_count());
  std::iota(all.begin(), all.end(), 0U);
  std::stable_sort(all.begin(), all.end(), [&](std::uint32_t a, std::uint32_t b) {
    return compare_with_numbers(names_[a], names_[b]) < 0;
  });
  order_.resize(layout_.levels);
  for (const std::uint32_t s : all) order_[level_[s]].push_back(s);
  position_.resize(fabric_.switch_count());
  for (std::uint32_t level = 0; level < layout_.levels; ++level) number(level);
  constexpr int sweeps = 6;
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (std::uint32_t level = 1; level < layout_.levels; ++level) sort_level(level, level - 1);
    for (std::uint32_t level = layout_.levels - 1; level > 0; --level) sort_level(level - 1, level);
  }
  for (std::uint32_t level = 1; level < layout_.levels; ++level) sort_level(level, level - 1);
}

bool LevelLayout::has_frames() const {
  constexpr std::uint32_t most_frames = 24;
  return layout_.levels > 2 && groups_ > 1 && groups_ <= most_frames;
}

/// Divides the width among the groups, from left to right in the order of level 1, in proportion to
/// their widest level.
void LevelLayout::share_out_width(const std::vector<std::size_t>& rows) {
  group_share_.assign(groups_, 0);
  for (std::uint32_t level = 1; level < layout_.levels; ++level) {
    std::vector<double> members(groups_, 0);
    for (const std::uint32_t s : order_[level]) members[group_[s]] += 1;
    for (std::uint32_t g = 0; g < groups_; ++g) {
      constexpr double margin = 1.5;
      const double columns = std::ceil(members[g] / static_cast<double>(rows[level])) + margin;
      group_share_[g] = std::max(group_share_[g], columns);
    }
  }
  columns_ = std::accumulate(group_share_.begin(), group_share_.end(), 0.0);
  group_begin_.assign(groups_, -1);
  double begin = 0;
  for (const std::uint32_t s : order_[1]) {
    const std::uint32_t g = group_[s];
    if (group_begin_[g] >= 0) continue;
    group_begin_[g] = begin;
    group_share_[g] /= columns_;
    begin += group_share_[g];
  }
}

void LevelLayout::place() {
  std::size_t fullest = 0;
  for (const std::vector<std::uint32_t>& order : order_) fullest = std::max(fullest, order.size());
  // A picture is wider than high, and levels with more switches have more rows.
  constexpr double row_factor = 9;
  const double longest_row =
      std::clamp(std::ceil(std::sqrt(row_factor * static_cast<double>(fullest))), 12.0, 64.0);
  std::vector<std::size_t> rows;
  for (const std::vector<std::uint32_t>& order : order_) {
    rows.push_back(
        static_cast<std::size_t>(std::ceil(static_cast<double>(order.size()) / longest_row)));
  }
  double columns = std::min(longest_row, static_cast<double>(fullest));
  if (has_frames()) {
    share_out_width(rows);
    columns = std::max(columns, columns_);
  }
  const double width = box_.width * 1.15 * columns;
  const double gap = std::clamp(width / 6, 3.5 * box_.height, 1500.0);
  layout_.kind = MapLayout::Kind::levels;
  layout_.positions.resize(fabric_.switch_count());
  double bottom = 0;
  for (std::uint32_t level = 0; level < layout_.levels; ++level) {
    place_level(level, bottom, width, rows[level]);
    bottom += box_.height * 1.5 * static_cast<double>(rows[level]) + gap;
  }
  for (const MapLine& line : lines_) {
    const double across = layout_.positions[line.b].x - layout_.positions[line.a].x;
    // A line within a level passes below its rows.
    const double below =
        std::max(0.15 * std::abs(across),
                 box_.height * (1.5 * static_cast<double>(rows[level_[line.a]]) + 1));
    const bool within = level_[line.a] == level_[line.b];
    layout_.bulges.push_back(!within ? 0 : across > 0 ? -below : below);
  }
  if (has_frames()) frame_groups();
}

void LevelLayout::place_level(std::uint32_t level, double bottom, double width, std::size_t rows) {
  const std::vector<std::uint32_t>& order = order_[level];
  std::vector<std::size_t> members(groups_ + 1, 0);
  for (const std::uint32_t s : order) ++members[group_of(s)];
  std::vector<std::size_t> placed(groups_ + 1, 0);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t s = order[i];
    std::size_t number = i;
    double x = width * position_[s];
    if (has_frames() && level > 0) {
      const std::uint32_t g = group_[s];
      number = placed[g]++;
      const double room = width * group_share_[g] - 1.6 * box_.width;
      const double share = (static_cast<double>(number) + 0.5) / static_cast<double>(members[g]);
      x = width * group_begin_[g] + 0.8 * box_.width + room * share;
    }
    layout_.positions[s] = {x, bottom + box_.height * 1.5 * static_cast<double>(number % rows)};
  }
}

void LevelLayout::frame_groups() {
  constexpr double margin = 8;
  std::vector<MapLayout::Frame> frames(groups_, {{1e300, 1e300}, {-1e300, -1e300}});
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    if (level_[s] == 0) continue;
    const MapPoint at = layout_.positions[s];
    auto& [low, high] = frames[group_[s]];
    low = {std::min(low.x, at.x - box_.width / 2 - margin),
           std::min(low.y, at.y - box_.height / 2 - margin)};
    high = {std::max(high.x, at.x + box_.width / 2 + margin),
            std::max(high.y, at.y + box_.height / 2 + margin)};
  }
  layout_.frames = std::move(frames);
}

}  // namespace

std::optional<MapLayout> lay_out_levels(const Fabric& fabric, const std::vector<MapLine>& lines,
                                        const std::vector<std::string>& names, MapBox box) {
  return LevelLayout(fabric, lines, names, box).run();
}

}  // namespace pssp
