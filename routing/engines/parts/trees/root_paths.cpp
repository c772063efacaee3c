#include "routing/engines/parts/trees/root_paths.h"

#include <algorithm>

#include "fabric/paths/hop_distances.h"
#include "fabric/paths/up_down_distances.h"

namespace pssp {
namespace {

class PathGatherer {
 public:
  explicit PathGatherer(const Fabric& fabric) : fabric_(fabric) {}

  template <class Distances>
  RootPaths gather(const Distances& distances) {
    paths_.switches.reserve(distances.order().size());
    for (const std::uint32_t s : distances.order().subspan(1)) {
      probe(distances, s);
      if (heads_.size() == 1) {
        add_single(s);
      } else {
        add(s);
      }
    }
    paths_.hops = distances.distance()[distances.order().back()];
    paths_.groups.shrink_to_fit();
    paths_.heads.shrink_to_fit();
    return std::move(paths_);
  }

 private:
  template <class Distances>
  void probe(const Distances& distances, std::uint32_t s) {
    const std::uint32_t begin = fabric_.first_channel()[s];
    std::uint32_t end = fabric_.first_channel()[s + 1];
    std::uint32_t c = begin;
    while (c < end && !distances.is_next_hop(s, c)) ++c;
    while (end > c && !distances.is_next_hop(s, end - 1)) --end;
    first_path_ = static_cast<std::uint16_t>(c - begin);
    const auto nowhere = static_cast<std::uint32_t>(fabric_.switch_count());
    heads_.clear();
    for (; c < end; ++c) {
      heads_.push_back(distances.is_next_hop(s, c) ? fabric_.channel_head()[c] : nowhere);
    }
  }

  void add_single(std::uint32_t s) {
    if (paths_.groups.empty() || paths_.groups.back().paths != 1)
      paths_.groups.push_back({0, 1, 0});
    ++paths_.groups.back().switches;
    paths_.switches.push_back(s);
    paths_.heads.push_back(heads_.front());
    paths_.heads.push_back(first_path_);
  }

  void add(std::uint32_t s) {
    if (!is_like_last()) {
      paths_.groups.push_back({0, static_cast<std::uint16_t>(heads_.size()), first_path_});
      paths_.heads.insert(paths_.heads.end(), heads_.begin(), heads_.end());
    }
    ++paths_.groups.back().switches;
    paths_.switches.push_back(s);
  }

  bool is_like_last() const {
    if (paths_.groups.empty()) return false;
    const PathGroup& last = paths_.groups.back();
    return last.paths == heads_.size() && last.first_path == first_path_ &&
           std::equal(heads_.rbegin(), heads_.rend(), paths_.heads.rbegin());
  }

  const Fabric& fabric_;
  RootPaths paths_;
  std::vector<std::uint32_t> heads_;  // of the switch at hand
  std::uint16_t first_path_ = 0;
};

}  // namespace

template <class Distances>
RootPaths gather_root_paths(const Fabric& fabric, const Distances& distances) {
  return PathGatherer(fabric).gather(distances);
}

template RootPaths gather_root_paths(const Fabric& fabric, const HopDistances& distances);
template RootPaths gather_root_paths(const Fabric& fabric, const UpDownDistances& distances);

}  // namespace pssp
