#pragma once

// Reads forwarding table dumps: dump_fts / dump_lfts (infiniband-diags), opensm-lfts.dump and the
// input of `opensm -R file -U FILE` (one notation), and opensm.fdbs, which ibdiagnet of ibutils
// writes as ibdiagnet.fdbs. The kind is recognized from the content.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_io.h"
#include "fabric/ids.h"

namespace pssp {

/// The last two are the routes of a graph (dot_file.h) and of the OMNeT++ model
/// (omnet_fdbs_file.h).
enum class LftFormat : std::uint8_t { dump_fts, opensm_lfts, opensm_fdbs, dot, omnet };

/// The entries of one switch in blocks, as in InfiniBand (attribute LinearForwardingTable,
/// architecture 1.3, section 14.2.5.10). An empty block needs no memory, so that memory is
/// proportional to the file.
class LftEntries {
 public:
  static constexpr std::size_t block_size = 64;

  /// no_port if the file has no entry. O(1).
  PortNumber at(Lid lid) const noexcept {
    const std::size_t block = lid / block_size;
    return block < blocks_.size() && blocks_[block] ? (*blocks_[block])[lid % block_size] : no_port;
  }
  void set(Lid lid, PortNumber port) {
    const std::size_t block = lid / block_size;
    if (block >= blocks_.size()) blocks_.resize(block + 1);
    if (!blocks_[block]) blocks_[block] = std::make_unique<Block>(empty_block());
    (*blocks_[block])[lid % block_size] = port;
  }
  /// Calls visit(lid, port) for each entry, by ascending LID.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      if (!blocks_[block]) continue;
      for (std::size_t i = 0; i < block_size; ++i) {
        const PortNumber port = (*blocks_[block])[i];
        if (port != no_port) visit(static_cast<Lid>(block * block_size + i), port);
      }
    }
  }
  /// Number of entries. O(LIDs).
  std::size_t count() const noexcept {
    std::size_t entries = 0;
    for_each([&entries](Lid, PortNumber) { ++entries; });
    return entries;
  }

 private:
  using Block = std::array<PortNumber, block_size>;
  static Block empty_block() noexcept {
    Block block;
    block.fill(no_port);
    return block;
  }

  std::vector<std::unique_ptr<Block>> blocks_;
};

/// The table of one switch in the file. Unspecified members are 0 or empty.
struct LftSwitch {
  Guid guid = 0;
  Lid lid = no_lid;
  std::string description;
  LftEntries entries;
  std::size_t line = 0;  ///< first line, for messages
};

/// The owner of a LID according to a comment.
struct LftDestination {
  Lid lid = no_lid;
  Guid port_guid = 0;
  bool is_switch = false;
  std::string description;
};

struct LftFile {
  std::string name;
  LftFormat format = LftFormat::dump_fts;
  std::vector<LftSwitch> switches;
  std::vector<LftDestination> destinations;  ///< ascending by LID, each LID once
  /// Highest LID of the dump if dump_fts 44.0 omitted its entries, so that its owner seems
  /// unreachable; else no_lid.
  Lid lost_lid = no_lid;
  std::vector<std::string> warnings;  ///< e.g. that lost_lid was lost (docs/reference/formats.md)
};

/// Reads the file in parts: memory for the tables, about a byte per entry, not for the text. Throws
/// Error(unreadable_input) with file:line. O(size).
LftFile read_lft(const std::filesystem::path& path);
LftFile read_lft(FileReader& file, std::string_view name);
/// The same for text in memory; `name` stands for the file in messages.
LftFile parse_lft(std::string_view text, std::string_view name);

}  // namespace pssp
