// An engine that routes one destination after the other writes one byte to each row of the tables.
// In a large fabric, each of these bytes is on another cache line, which is evicted before the next
// byte. So the bytes of a destination are stored contiguously, and transposed to rows at the end,
// in blocks of as many LIDs as a cache line has bytes, whose columns stay in the cache.

#include "routing/engines/parts/trees/tree_columns.h"

#include <algorithm>
#include <array>

namespace pssp {
namespace {

constexpr std::size_t block_lids = 64;

}  // namespace

TreeColumns::TreeColumns(const Fabric& fabric)
    : fabric_(fabric),
      height_(fabric.switch_count()),
      column_of_(std::size_t{fabric.max_lid()} + 1, no_column),
      paths_(std::make_unique_for_overwrite<std::uint8_t[]>(fabric.lids().size() * height_)) {}

std::span<std::uint8_t> TreeColumns::add(Lid lid) {
  column_of_[lid] = columns_;
  const std::span column(paths_.get() + columns_ * height_, height_);
  ++columns_;
  std::fill(column.begin(), column.end(), no_path);
  return column;
}

std::span<const std::uint8_t> TreeColumns::of(Lid lid) const noexcept {
  const std::uint32_t column = column_of_[lid];
  if (column == no_column) return {};
  return {paths_.get() + column * height_, height_};
}

ForwardingTables TreeColumns::to_tables() const {
  ForwardingTables tables(fabric_.switch_count(), fabric_.max_lid());
  const std::span<PortNumber> entries = tables.entries();
  const std::vector<std::uint8_t> empty(height_, no_path);
  const auto first = fabric_.first_channel();
  std::array<const std::uint8_t*, block_lids> columns{};
  for (std::size_t block = 0; block < tables.width(); block += block_lids) {
    const std::size_t lids = std::min(block_lids, tables.width() - block);
    for (std::size_t k = 0; k < lids; ++k) {
      const auto column = of(static_cast<Lid>(block + k));
      columns[k] = column.empty() ? empty.data() : column.data();
    }
    for (std::size_t s = 0; s < height_; ++s) {
      const PortNumber* ports = fabric_.channel_out_port().data() + first[s];
      PortNumber* row = entries.data() + s * tables.width() + block;
      for (std::size_t k = 0; k < lids; ++k) {
        const std::uint8_t path = columns[k][s];
        if (path != no_path) row[k] = ports[path];
      }
    }
  }
  for (const Lid lid : fabric_.lids()) {
    const Delivery delivery = fabric_.delivery(lid);
    if (column_of_[lid] != no_column) tables.set(delivery.at, lid, delivery.port);
  }
  return tables;
}

}  // namespace pssp
