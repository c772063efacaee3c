// One dialogue per switch: first SwitchInfo, which contains the highest LID with an entry, then
// block after block. Many switches at a time fill the window, so no switch has more than one
// request.

#include "monitor/discovery/table_reader.h"

#include <algorithm>
#include <optional>

#include "base/digest.h"
#include "base/wall_clock.h"
#include "wire/subnet/port_info.h"

namespace pssp {

class TableReader::SwitchTables final : public Dialogue {
 public:
  SwitchTables(TableReader& reader, std::uint32_t node, Lid lid, std::optional<DirectedRoute> route)
      : reader_(reader), node_(node), to_(subnet_management_at(lid)), route_(route) {
    if (lid == no_lid) take_the_route();
  }

  std::optional<MadRequest> next() override {
    if (!over_ && blocks_ == 0) return switch_info_request(to_, reader_.m_key_);
    if (!over_ && block_ < blocks_) return linear_table_request(to_, block_, reader_.m_key_);
    reader_.switch_over(*this);
    return std::nullopt;
  }

  void take(const MadAnswer& answer) override {
    if (blocks_ == 0) {
      const Lid top = std::min(decode_switch_info(answer.data).linear_top, last_unicast_lid);
      blocks_ = static_cast<std::uint16_t>(top / linear_block_size + 1);
      entries_.reserve(blocks_ * linear_block_size);
      return;
    }
    const auto begin = answer.data.begin();
    entries_.insert(entries_.end(), begin, begin + linear_block_size);
    ++block_;
    if (directed_) ++directed_blocks_;
  }

  void failed(const MadFailure& failure) override {
    const bool may_go_on = failure.kind == MadFailure::Kind::unanswered && !directed_ && route_;
    if (may_go_on) {
      take_the_route();
    } else {
      over_ = true;
      failed_ = true;
    }
  }

  std::uint32_t node() const noexcept { return node_; }
  bool has_failed() const noexcept { return failed_; }
  std::uint32_t directed_blocks() const noexcept { return directed_blocks_; }
  std::vector<PortNumber> take_entries() { return std::move(entries_); }

 private:
  void take_the_route() {
    directed_ = true;
    if (route_) {
      to_ = subnet_management_along(*route_);
    } else {
      over_ = failed_ = true;
    }
  }

  TableReader& reader_;
  std::uint32_t node_;
  Destination to_;
  std::optional<DirectedRoute> route_;
  std::uint16_t blocks_ = 0, block_ = 0;  // 0 blocks: unknown so far
  bool directed_ = false, over_ = false, failed_ = false;
  std::uint32_t directed_blocks_ = 0;
  std::vector<PortNumber> entries_;
};

TableReader::TableReader(Exchange& exchange, std::uint64_t m_key)
    : exchange_(exchange), m_key_(m_key) {}

TableReader::~TableReader() = default;

void TableReader::begin(std::shared_ptr<const FabricMap> map, std::vector<DirectedRoute> routes,
                        PathChoice path) {
  routes_ = std::move(routes);
  current_ = std::make_shared<LiveTables>();
  current_->map = std::move(map);
  const std::vector<MapNode>& nodes = current_->map->nodes;
  current_->by_node.resize(nodes.size());
  dialogues_.clear();
  for (std::uint32_t n = 0; n < nodes.size(); ++n) {
    if (nodes[n].kind != NodeKind::switch_node) continue;
    const auto route = n < routes_.size() ? std::optional(routes_[n]) : std::nullopt;
    dialogues_.emplace_back(*this, n, path == PathChoice::directed ? no_lid : nodes[n].lid, route);
    ++open_;
    ++current_->switches;
    exchange_.add(dialogues_.back());
  }
}

void TableReader::switch_over(SwitchTables& dialogue) {
  --open_;
  current_->directed_reads += dialogue.directed_blocks();
  if (dialogue.has_failed()) {
    ++current_->unread_switches;
  } else {
    current_->by_node[dialogue.node()] = dialogue.take_entries();
  }
}

LiveTablesPointer TableReader::take() {
  if (!current_ || busy()) return nullptr;
  current_->time_ms = wall_clock_ms();
  if (previous_) compare(*current_);
  Digest digest;
  for (std::size_t n = 0; n < current_->by_node.size(); ++n) {
    if (current_->by_node[n].empty()) continue;
    digest.add(current_->map->nodes[n].guid);
    digest.add_all(std::span<const PortNumber>(current_->by_node[n]));
  }
  current_->hash = digest.value()[0];
  previous_ = std::exchange(current_, nullptr);
  return previous_;
}

/// A new switch has no changed blocks.
void TableReader::compare(LiveTables& tables) const {
  for (std::size_t n = 0; n < tables.by_node.size(); ++n) {
    const auto was = previous_->map->find_node(tables.map->nodes[n].guid);
    if (!was || previous_->by_node[*was].empty()) continue;
    const std::vector<PortNumber>& before = previous_->by_node[*was];
    std::vector<PortNumber>& now = tables.by_node[n];
    if (now.empty()) {
      now = before;
      continue;
    }
    std::uint32_t changed = 0;
    for (std::size_t at = 0; at < std::max(now.size(), before.size()); at += linear_block_size) {
      const bool in_both = at < now.size() && at < before.size();
      const auto begin = static_cast<std::ptrdiff_t>(at);
      const auto end = begin + static_cast<std::ptrdiff_t>(linear_block_size);
      const bool same =
          in_both && std::equal(now.begin() + begin, now.begin() + end, before.begin() + begin);
      changed += same ? 0U : 1U;
    }
    tables.changed_blocks += changed;
    tables.changed_switches += changed != 0 ? 1U : 0U;
  }
}

ForwardingTables LiveTables::tables() const {
  const Fabric& fabric = *map->fabric;
  ForwardingTables all(fabric.switch_count(), fabric.max_lid());
  for (std::size_t n = 0; n < by_node.size(); ++n) {
    const auto s = fabric.find_switch(map->nodes[n].guid);
    if (!s) continue;
    const std::size_t end = std::min<std::size_t>(by_node[n].size(), fabric.max_lid() + 1U);
    for (std::size_t lid = 1; lid < end; ++lid) {
      all.set(*s, static_cast<Lid>(lid), by_node[n][lid]);
    }
  }
  return all;
}

}  // namespace pssp
