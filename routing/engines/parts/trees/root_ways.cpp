#include "routing/engines/parts/trees/root_ways.h"

#include <algorithm>

#include "fabric/paths/hop_distances.h"
#include "fabric/paths/up_down_distances.h"

namespace pssp {
namespace {

class WayGatherer {
 public:
  explicit WayGatherer(const Fabric& fabric) : fabric_(fabric) {}

  template <class Distances>
  RootWays gather(const Distances& distances) {
    ways_.switches.reserve(distances.order().size());
    for (const std::uint32_t s : distances.order().subspan(1)) {
      look(distances, s);
      if (heads_.size() == 1) {
        add_single(s);
      } else {
        add(s);
      }
    }
    ways_.hops = distances.distance()[distances.order().back()];
    ways_.groups.shrink_to_fit();
    ways_.heads.shrink_to_fit();
    return std::move(ways_);
  }

 private:
  template <class Distances>
  void look(const Distances& distances, std::uint32_t s) {
    const std::uint32_t begin = fabric_.first_channel()[s];
    std::uint32_t end = fabric_.first_channel()[s + 1];
    std::uint32_t c = begin;
    while (c < end && !distances.leads(s, c)) ++c;
    while (end > c && !distances.leads(s, end - 1)) --end;
    first_way_ = static_cast<std::uint16_t>(c - begin);
    const auto nowhere = static_cast<std::uint32_t>(fabric_.switch_count());
    heads_.clear();
    for (; c < end; ++c) {
      heads_.push_back(distances.leads(s, c) ? fabric_.channel_head()[c] : nowhere);
    }
  }

  void add_single(std::uint32_t s) {
    if (ways_.groups.empty() || ways_.groups.back().ways != 1) ways_.groups.push_back({0, 1, 0});
    ++ways_.groups.back().switches;
    ways_.switches.push_back(s);
    ways_.heads.push_back(heads_.front());
    ways_.heads.push_back(first_way_);
  }

  void add(std::uint32_t s) {
    if (!is_like_last()) {
      ways_.groups.push_back({0, static_cast<std::uint16_t>(heads_.size()), first_way_});
      ways_.heads.insert(ways_.heads.end(), heads_.begin(), heads_.end());
    }
    ++ways_.groups.back().switches;
    ways_.switches.push_back(s);
  }

  bool is_like_last() const {
    if (ways_.groups.empty()) return false;
    const WayGroup& last = ways_.groups.back();
    return last.ways == heads_.size() && last.first_way == first_way_ &&
           std::equal(heads_.rbegin(), heads_.rend(), ways_.heads.rbegin());
  }

  const Fabric& fabric_;
  RootWays ways_;
  std::vector<std::uint32_t> heads_;  // of the switch at hand
  std::uint16_t first_way_ = 0;
};

}  // namespace

template <class Distances>
RootWays gather_root_ways(const Fabric& fabric, const Distances& distances) {
  return WayGatherer(fabric).gather(distances);
}

template RootWays gather_root_ways(const Fabric& fabric, const HopDistances& distances);
template RootWays gather_root_ways(const Fabric& fabric, const UpDownDistances& distances);

}  // namespace pssp
