#pragma once

// Reads files of a tar archive, uncompressed or compressed by gzip, into memory: writes nothing to
// disk.

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "base/file_io.h"

namespace pssp {

/// Limits for an archive. An archive of ibdiagnet's folder has a few dozen files; the tables of
/// 10,000 hosts need some hundred MiB.
struct ArchiveLimits {
  std::size_t entries = 10'000;
  std::size_t file_bytes = std::size_t{1} << 30;  ///< of one requested file
  std::size_t bytes = std::size_t{8} << 30;       ///< of the whole unpacked archive
};

/// The files whose name (a path in the archive) is requested, in the order of the archive. Messages
/// call a file ARCHIVE:NAME. Throws Error(unreadable_input) if the archive is truncated or damaged,
/// exceeds a limit, or has an entry that is sparse or neither a regular file nor a folder (a link,
/// a device), or whose name is absolute or leads out of the archive. Memory: that of the requested
/// files. O(size of the unpacked archive).
std::vector<std::unique_ptr<FileReader>> read_archive(
    FileReader& file, const std::function<bool(std::string_view name)>& is_wanted,
    const ArchiveLimits& limits = {});

}  // namespace pssp
