// Switches are ordered after all switches that forward to them (Kahn's algorithm), so switches on
// or after a loop are never ordered; a backward pass from the end determines which of the others
// arrive.

#include "fabric/tables/destination_tree.h"

#include <algorithm>

namespace pssp {

DestinationTree::DestinationTree(const Fabric& fabric)
    : fabric_(fabric),
      out_channel_(fabric.switch_count()),
      waiting_for_(fabric.switch_count()),
      endpoints_(fabric.switch_count()),
      arrives_(fabric.switch_count()) {
  order_.reserve(fabric.switch_count());
}

void DestinationTree::read(const ForwardingTables& tables, Lid lid) {
  column_.resize(fabric_.switch_count());
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    column_[s] = lid <= tables.max_lid() ? tables.at(SwitchId(s), lid) : no_port;
  }
  read(column_, lid);
}

void DestinationTree::read(std::span<const PortNumber> column, Lid lid) {
  read_column(column);
  order_switches();
  keep_arriving(column, lid);
  std::copy(fabric_.endpoints_per_switch().begin(), fabric_.endpoints_per_switch().end(),
            endpoints_.begin());
  for (const std::uint32_t s : order_) {
    if (out_channel_[s] != no_channel)
      endpoints_[fabric_.channel_head()[out_channel_[s]]] += endpoints_[s];
  }
}

void DestinationTree::read_column(std::span<const PortNumber> column) {
  std::fill(waiting_for_.begin(), waiting_for_.end(), 0U);
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    const PortTarget target = fabric_.behind(SwitchId(s), column[s]);
    out_channel_[s] = target.kind == PortTarget::Kind::channel ? target.index : no_channel;
    if (out_channel_[s] != no_channel) ++waiting_for_[fabric_.channel_head()[out_channel_[s]]];
  }
}

void DestinationTree::order_switches() {
  order_.clear();
  for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
    if (waiting_for_[s] == 0) order_.push_back(s);
  }
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const std::uint32_t out = out_channel_[order_[i]];
    if (out == no_channel) continue;
    const std::uint32_t next = fabric_.channel_head()[out];
    if (--waiting_for_[next] == 0) order_.push_back(next);
  }
}

void DestinationTree::keep_arriving(std::span<const PortNumber> column, Lid lid) {
  const Delivery delivery = fabric_.delivery(lid);
  std::fill(arrives_.begin(), arrives_.end(), std::uint8_t{0});
  for (std::size_t i = order_.size(); i > 0; --i) {
    const std::uint32_t s = order_[i - 1];
    if (out_channel_[s] != no_channel) {
      arrives_[s] = arrives_[fabric_.channel_head()[out_channel_[s]]];
    } else {
      arrives_[s] = s == delivery.at.value() && column[s] == delivery.port;
    }
  }
  order_.erase(std::remove_if(order_.begin(), order_.end(),
                              [this](std::uint32_t s) { return arrives_[s] == 0; }),
               order_.end());
}

}  // namespace pssp
