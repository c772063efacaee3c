// End ports of one switch share their path to a destination, so paths are stored by switch: about
// ten thousand for the 256 nodes of a job with eight rails, instead of half a million.

#include "operations/placement/job_paths.h"

#include <algorithm>
#include <limits>
#include <unordered_map>
#include <vector>

#include "base/error.h"
#include "evaluator/flows/flow_paths.h"

namespace pssp {

JobPaths::JobPaths(const RouteStore& routes, std::span<const std::uint32_t> ports,
                   std::uint32_t rails)
    : nodes_(static_cast<std::uint32_t>(ports.size()) / rails),
      rails_(rails),
      leaf_(ports.size(), no_rank),
      port_cost_(ports.size(), 1.0) {
  std::unordered_map<std::uint32_t, std::uint32_t> leaf_of_row;
  std::vector<std::uint32_t> sources, ports_of_leaf;
  for (std::size_t i = 0; i < ports.size(); ++i) {
    if (ports[i] == no_rank) continue;
    const auto [leaf, is_new] =
        leaf_of_row.try_emplace(routes.endpoint_row(ports[i]), leaf_of_row.size());
    if (is_new) {
      sources.push_back(ports[i]);
      ports_of_leaf.push_back(0);
    }
    leaf_[i] = leaf->second;
    ++ports_of_leaf[leaf->second];
    port_cost_[i] = routes.endpoint_cost(ports[i]);
  }
  collect(routes, ports, sources);
  leave_out_lone_channels(routes, ports_of_leaf);
}

void JobPaths::collect(const RouteStore& routes, std::span<const std::uint32_t> ports,
                       std::span<const std::uint32_t> sources) {
  // On many fabrics, rails are separate parts: leaves without a port of the destination's rail need
  // no path to it.
  std::vector<std::uint8_t> has_rail(sources.size() * rails_, 0);
  for (std::size_t i = 0; i < leaf_.size(); ++i) {
    if (leaf_[i] != no_rank) has_rail[std::size_t{leaf_[i]} * rails_ + i % rails_] = 1;
  }
  FlowPaths paths(routes);
  std::vector<Flow> flows(ports.size());
  std::vector<std::vector<std::uint32_t>> alternatives(ports.size());
  std::vector<bool> is_blocked;
  first_.push_back(0);
  for (std::size_t leaf = 0; leaf < sources.size(); ++leaf) {
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const bool is_asked = ports[i] != no_rank && has_rail[leaf * rails_ + i % rails_] != 0;
      flows[i] = {sources[leaf], is_asked ? ports[i] : sources[leaf]};
      alternatives[i].clear();
    }
    is_blocked.assign(ports.size(), false);
    paths.collect(flows);
    paths.with_cells([&](const auto& all) {
      for (std::size_t i = 0; i < all.cells.size(); ++i) {
        const std::size_t flow = i < flows.size() ? i : all.flow_of_tail[i - flows.size()];
        if (all.cells[i].front() == routes.blocked()) is_blocked[flow] = true;
        for (const std::uint32_t slot : all.cells[i]) {
          if (slot < routes.channel_count()) alternatives[flow].push_back(slot);
        }
      }
    });
    for (std::size_t i = 0; i < ports.size(); ++i) {
      if (is_blocked[i]) {
        alternatives[i].clear();
        ++blocked_paths_;
      }
      blocked_.push_back(is_blocked[i]);
      channels_.insert(channels_.end(), alternatives[i].begin(), alternatives[i].end());
      first_.push_back(static_cast<std::uint32_t>(channels_.size()));
    }
    if (channels_.size() > std::numeric_limits<std::uint32_t>::max()) {
      throw Error(ErrorKind::usage,
                  "too many paths between these nodes: order fewer nodes at a time");
    }
  }
}

void JobPaths::leave_out_lone_channels(const RouteStore& routes,
                                       std::span<const std::uint32_t> ports_of_leaf) {
  // By channel: the first leaf and destination, and whether there are others.
  struct Users {
    std::uint32_t leaf = no_rank, destination = no_rank;
    bool many_sources = false, many_destinations = false;
  };
  std::vector<Users> users(routes.channel_count());
  const std::size_t ports = leaf_.size();
  for (std::size_t path = 0; path + 1 < first_.size(); ++path) {
    const auto leaf = static_cast<std::uint32_t>(path / ports);
    const auto destination = static_cast<std::uint32_t>(path % ports);
    for (std::size_t i = first_[path]; i < first_[path + 1]; ++i) {
      Users& user = users[channels_[i]];
      if (user.leaf == no_rank) user.leaf = leaf;
      if (user.destination == no_rank) user.destination = destination;
      if (user.leaf != leaf || ports_of_leaf[leaf] > 1) user.many_sources = true;
      if (user.destination != destination) user.many_destinations = true;
    }
  }
  const double fastest_port = *std::min_element(port_cost_.begin(), port_cost_.end());
  std::vector<std::uint32_t> number(routes.channel_count(), no_rank);
  for (std::uint32_t c = 0; c < routes.channel_count(); ++c) {
    const bool is_used = users[c].leaf != no_rank;
    const bool is_shared = users[c].many_sources && users[c].many_destinations;
    const bool is_slow = routes.slot_cost()[c] > fastest_port;
    if (!is_used || (!is_shared && !is_slow)) continue;
    number[c] = channel_count();
    cost_.push_back(routes.slot_cost()[c]);
  }
  std::uint32_t kept = 0, begin = 0;
  for (std::size_t path = 0; path + 1 < first_.size(); ++path) {
    const std::uint32_t end = first_[path + 1];
    for (std::uint32_t i = begin; i < end; ++i) {
      if (number[channels_[i]] != no_rank) channels_[kept++] = number[channels_[i]];
    }
    begin = end;
    first_[path + 1] = kept;
  }
  channels_.resize(kept);
  channels_.shrink_to_fit();
}

}  // namespace pssp
