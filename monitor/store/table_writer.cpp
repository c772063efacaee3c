// A version consists of the rows of `table_block` with its number: the blocks that differ from the
// previous version. For each block, the table of a switch at a given version is the row with the
// largest number up to that version. A reroute of a few entries therefore takes a few rows; the
// first version of 666 switches takes 62,000.
//
// The key of a block is its digest. If two blocks ever had the same digest, the second would get
// the next free number, so that a reader never gets the wrong block.

#include "monitor/store/table_writer.h"

#include <algorithm>

#include "base/digest.h"
#include "monitor/store/database.h"
#include "wire/subnet/port_info.h"

namespace pssp {
namespace {

std::int64_t block_key(std::int64_t node, std::size_t block) noexcept {
  return node << 16 | static_cast<std::int64_t>(block);
}

}  // namespace

TableWriter::TableWriter(SQLite::Database& database, const PortRegister& ports)
    : database_(database),
      ports_(ports),
      find_block_(database, "SELECT data FROM lft_block WHERE hash = ?"),
      insert_block_(database, "INSERT INTO lft_block VALUES(?, ?)"),
      insert_change_(database, "INSERT INTO table_block VALUES(?, ?, ?, ?)") {
  version_ = number_of(database, "SELECT max(version) FROM tables");
  // The newest row of each block. With max(), SQLite takes the other columns from the row that has
  // the maximum.
  SQLite::Statement newest(database,
                           "SELECT node_id, block, hash, max(version) FROM table_block GROUP BY "
                           "node_id, block");
  while (newest.executeStep()) {
    const auto block = static_cast<std::size_t>(newest.getColumn(1).getInt64());
    current_[block_key(newest.getColumn(0).getInt64(), block)] = newest.getColumn(2).getInt64();
  }
}

/// The key of a block; inserts the block if it is new.
std::int64_t TableWriter::entered(std::string_view block) {
  Digest digest;
  digest.add_text(block);
  for (std::uint64_t key = digest.value()[0];; ++key) {
    find_block_.tryReset();  // needed if the last query failed
    find_block_.bind(1, as_sql(key));
    const bool is_known = find_block_.executeStep();
    const bool is_same = is_known && as_bytes(find_block_.getColumn(0)) == block;
    // A query that is not reset keeps its read transaction open, and SQLite can then never reset
    // the write-ahead log.
    find_block_.reset();
    if (is_same) return as_sql(key);
    if (is_known) continue;
    insert_block_.reset();
    insert_block_.bind(1, as_sql(key));
    bind_bytes(insert_block_, 2, block);
    insert_block_.exec();
    return as_sql(key);
  }
}

std::size_t TableWriter::enter_switch(std::span<const PortNumber> entries, std::int64_t node,
                                      std::int64_t version) {
  std::size_t changed = 0;
  for (std::size_t at = 0; at < entries.size(); at += linear_block_size) {
    const auto part = entries.subspan(at, std::min(linear_block_size, entries.size() - at));
    const std::string_view bytes(reinterpret_cast<const char*>(part.data()), part.size());
    const std::int64_t block = entered(bytes);
    const auto [known, is_new] = current_.try_emplace(block_key(node, at / linear_block_size));
    if (!is_new && known->second == block) continue;
    known->second = block;
    run_once_more(insert_change_, node, static_cast<std::int64_t>(at / linear_block_size), version,
                  block);
    ++changed;
  }
  return changed;
}

void TableWriter::enter(const LiveTables& tables, std::int64_t generation, std::int64_t age_ms) {
  std::size_t changed = 0;
  if (hash_ == 0 || hash_ != tables.hash) {
    for (std::size_t n = 0; n < tables.by_node.size(); ++n) {
      const std::int64_t node = ports_.node_id(tables.map->nodes[n].guid);
      if (node != 0) changed += enter_switch(tables.by_node[n], node, version_ + 1);
    }
  }
  hash_ = tables.hash;
  if (changed == 0) {
    SQLite::Statement again(database_, "UPDATE tables SET seen_ms = ? WHERE version = ?");
    run_once_more(again, tables.time_ms, version_);
    return;
  }
  ++version_;
  SQLite::Statement insert(database_, "INSERT INTO tables VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
  run_once_more(insert, version_, tables.time_ms, tables.time_ms, age_ms, generation,
                tables.switches, tables.unread_switches, static_cast<std::int64_t>(changed));
}

}  // namespace pssp
