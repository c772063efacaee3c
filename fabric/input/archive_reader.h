#pragma once

// Files of a tar archive, as it is or packed by gzip, in memory: nothing is written to the disk.

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/file_io.h"

namespace pssp {

/// What an archive may ask for. An archive of ibdiagnet's folder has some dozens of files; the
/// tables of 10,000 hosts take some hundred MiB.
struct ArchiveLimits {
  std::size_t entries = 10'000;
  std::size_t file_bytes = std::size_t{1} << 30;  ///< of one file that is wanted
  std::size_t bytes = std::size_t{8} << 30;       ///< of the unpacked archive, wanted or not
};

/// The files whose name (a path in the archive) is wanted, in the order of the archive. In messages
/// a file is called ARCHIVE:NAME. Throws Error(unreadable_input) where the archive is truncated or
/// damaged, exceeds a limit, or has an entry that is neither a regular file nor a folder (a link, a
/// device), or is sparse, or whose name is absolute or leads out of the archive. Memory: that of
/// the wanted files. O(size of the unpacked archive).
std::vector<std::unique_ptr<FileReader>> read_archive(
    FileReader& file, const std::function<bool(std::string_view name)>& is_wanted,
    const ArchiveLimits& limits = {});

}  // namespace pssp
