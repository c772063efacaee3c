// Entries of one column are on different cache lines in the tables. So they are copied in blocks of
// as many LIDs as a cache line has entries.

#include "fabric/tables/lid_major_tables.h"

#include <algorithm>

namespace pssp {

LidMajorTables::LidMajorTables(const ForwardingTables& tables)
    : switches_(tables.switch_count()),
      width_(std::max<std::size_t>(tables.width(), 1)),
      entries_(switches_ * width_, no_port) {
  constexpr std::size_t block_lids = 64;
  for (std::size_t block = 0; block < tables.width(); block += block_lids) {
    const std::size_t lids = std::min(block_lids, tables.width() - block);
    for (std::size_t s = 0; s < switches_; ++s) {
      const PortNumber* const row = tables.entries().data() + s * tables.width() + block;
      PortNumber* const columns = entries_.data() + block * switches_ + s;
      for (std::size_t k = 0; k < lids; ++k) columns[k * switches_] = row[k];
    }
  }
}

}  // namespace pssp
