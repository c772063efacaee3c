#include "routing/trees/numbered_tree.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

#include "fabric/builder.h"
#include "routing/trees/tree_coordinates.h"
#include "routing/trees/tree_levels.h"

namespace pssp {
namespace {

/// Copies a fabric into a builder.
class FabricCopy {
 public:
  explicit FabricCopy(const Fabric& fabric) : fabric_(fabric) {
    copy_switches();
    copy_adapters();
    copy_cables();
    options_.roles = endpoint_roles(fabric);
  }

  /// Adds the inferred switches after all others in any numbering.
  void add_inferred_switches(const std::vector<InferredLink>& links) {
    std::map<std::uint32_t, unsigned> ports;
    for (const InferredLink& link : links) {
      for (const SwitchPort& end : {link.a, link.b}) {
        if (end.at.value() < fabric_.switch_count()) continue;
        ports[end.at.value()] = std::max<unsigned>(ports[end.at.value()], end.port);
      }
    }
    // Not assigned to a vendor, so no real node has such a GUID.
    constexpr Guid of_nothing = 0xFEFFFFFF00000000;
    Guid guid = of_nothing;
    for (std::uint32_t node = 0; node < builder_.node_count(); ++node) {
      guid = std::max(guid, builder_.guid(NodeId(node)));
    }
    for (const auto& [s, count] : ports) {
      switches_.push_back(builder_.add_switch(++guid, count, "", ""));
    }
    has_inferred_switches_ = !ports.empty();
  }

  void connect(const InferredLink& link, LinkRate rate, ParallelCables parallel) {
    const NodeId a = switches_[link.a.at.value()];
    builder_.connect(a, link.a.port, switches_[link.b.at.value()], link.b.port, rate);
    if (parallel == ParallelCables::inferred_last) {
      options_.last_of_parallel.emplace_back(a, link.a.port);
    }
  }

  Fabric build() && {
    if (!fabric_.is_numbered_by_guid() || has_inferred_switches_) {
      options_.numbering = switches_;
      for (const NodeId adapter : adapter_of_end_) {
        if (options_.numbering.back() != adapter) options_.numbering.push_back(adapter);
      }
    }
    return std::move(builder_).build(options_);
  }

  Fabric build(const TreeCoordinates& coordinates) && {
    for (const SwitchId s : coordinates.switches) {
      options_.numbering.push_back(switches_[s.value()]);
    }
    std::vector<std::uint8_t> is_in(builder_.node_count(), 0);
    for (const EndPortId e : coordinates.end_ports) {
      const NodeId adapter = adapter_of_end_[e.value()];
      if (is_in[adapter.value()]++ == 0) options_.numbering.push_back(adapter);
    }
    return std::move(builder_).build(options_);
  }

 private:
  void copy_switches() {
    for (const Switch& each : fabric_.switches()) {
      switches_.push_back(builder_.add_switch(each.guid, each.ports, each.name, each.description));
      if (each.lid != no_lid) {
        builder_.set_lid(switches_.back(), management_port, each.lid, each.lmc);
      }
    }
  }

  void copy_adapters() {
    const auto ends = fabric_.end_ports();
    for (std::size_t i = 0; i < ends.size(); ++i) {
      const EndPort& end = ends[i];
      if (i == 0 || ends[i - 1].host != end.host) {
        std::size_t last = i;
        while (last + 1 < ends.size() && ends[last + 1].host == end.host) ++last;
        adapter_of_end_.push_back(builder_.add_adapter(end.node_guid, ends[last].port, end.kind,
                                                       end.name, end.description));
      } else {
        adapter_of_end_.push_back(adapter_of_end_.back());
      }
      const NodeId node = adapter_of_end_.back();
      builder_.set_node_type(node, end.configured_type);
      builder_.set_port_guid(node, end.port, end.port_guid);
      if (end.lid != no_lid) builder_.set_lid(node, end.port, end.lid, end.lmc);
      if (!end.attached.valid()) continue;
      builder_.connect(switches_[end.attached.value()], end.switch_port, node, end.port, end.rate);
    }
  }

  void copy_cables() {
    for (std::uint32_t c = 0; c < fabric_.channel_count(); ++c) {
      if (fabric_.channel_reverse()[c] < c) continue;
      const NodeId tail = switches_[fabric_.channel_tail()[c]];
      const NodeId head = switches_[fabric_.channel_head()[c]];
      builder_.connect(tail, fabric_.channel_out_port()[c], head, fabric_.channel_in_port()[c],
                       fabric_.channel_rate()[c]);
      // The two directions of a cable can have different capacities.
      builder_.set_rate(tail, fabric_.channel_out_port()[c], fabric_.channel_rate()[c]);
      builder_.set_rate(head, fabric_.channel_in_port()[c],
                        fabric_.channel_rate()[fabric_.channel_reverse()[c]]);
    }
  }

  const Fabric& fabric_;
  FabricBuilder builder_;
  BuilderOptions options_;
  std::vector<NodeId> switches_;        // by SwitchId
  std::vector<NodeId> adapter_of_end_;  // by EndPortId
  bool has_inferred_switches_ = false;
};

/// Levels of all switches, including inferred ones.
std::vector<std::uint32_t> levels_with_inferred(const Fabric& fabric,
                                                const std::vector<InferredLink>& links) {
  std::vector<std::uint32_t> levels = switch_ranks(fabric);
  for (const InferredLink& link : links) {
    const std::uint32_t s = link.b.at.value();
    if (s < fabric.switch_count()) continue;
    levels.resize(std::max<std::size_t>(levels.size(), s + std::size_t{1}), no_rank);
    const std::uint32_t below = levels[link.a.at.value()];
    if (below != no_rank) levels[s] = std::min(levels[s], below + 1);
  }
  return levels;
}

/// The rate of the other links from the first switch to the level of the second.
LinkRate rate_towards(const Fabric& fabric, const std::vector<std::uint32_t>& levels,
                      const InferredLink& link) {
  const std::uint32_t s = link.a.at.value();
  for (std::uint32_t c = fabric.first_channel()[s]; c < fabric.first_channel()[s + 1]; ++c) {
    if (levels[fabric.channel_head()[c]] == levels[link.b.at.value()]) {
      return fabric.channel_rate()[c];
    }
  }
  return {};
}

/// A damaged tree has the coordinates of the complete tree, so that faults do not change the
/// numbering.
TreeCoordinates coordinates_when_whole(const Fabric& fabric,
                                       const std::vector<InferredLink>& missing) {
  if (missing.empty()) return tree_coordinates(fabric);
  TreeCoordinates whole = tree_coordinates(with_links(fabric, missing));
  std::erase_if(whole.switches, [&](SwitchId s) { return s.value() >= fabric.switch_count(); });
  return whole;
}

}  // namespace

NumberedTree number_by_structure(const Fabric& fabric) {
  std::vector<InferredLink> missing = infer_links(fabric);
  TreeCoordinates coordinates = coordinates_when_whole(fabric, missing);
  Fabric numbered = FabricCopy(fabric).build(coordinates);
  return {std::move(numbered), std::move(coordinates.switches), std::move(missing)};
}

ForwardingTables with_original_numbers(const NumberedTree& tree, const ForwardingTables& tables) {
  ForwardingTables original(tables.switch_count(), tables.max_lid());
  for (std::uint32_t s = 0; s < tables.switch_count(); ++s) {
    const auto row = tables.row(SwitchId(s));
    std::copy(row.begin(), row.end(),
              original.entries().begin() +
                  static_cast<std::ptrdiff_t>(tree.original[s].value() * tables.width()));
  }
  return original;
}

std::vector<InferredLink> with_original_numbers(const NumberedTree& tree,
                                                std::vector<InferredLink> links) {
  const auto to_original = [&tree](SwitchId& s) {
    if (s.value() < tree.original.size()) s = tree.original[s.value()];
  };
  for (InferredLink& link : links) {
    to_original(link.a.at);
    to_original(link.b.at);
    if (link.b < link.a) std::swap(link.a, link.b);
  }
  std::sort(links.begin(), links.end());
  return links;
}

Fabric with_links(const Fabric& fabric, const std::vector<InferredLink>& links,
                  ParallelCables parallel) {
  const std::vector<std::uint32_t> levels = levels_with_inferred(fabric, links);
  FabricCopy copy(fabric);
  copy.add_inferred_switches(links);
  for (const InferredLink& link : links) {
    copy.connect(link, rate_towards(fabric, levels, link), parallel);
  }
  return std::move(copy).build();
}

}  // namespace pssp
