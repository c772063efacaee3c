#pragma once

// Files for a process that must never block and may be root: opensm with the plugin.
//
// Only regular files are read, written and removed. Anything else that an option may name by
// mistake (a FIFO without a partner, a device, a folder) is rejected with the reason before it is
// opened, because opening a device can have effects. No function waits for another process.
// Programs, which accept pipes, use file_io.h.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_io.h"

namespace pssp {

/// How a library reads a file that its input names: returns at most `limit` bytes, or throws
/// Error(unreadable_input).
using FileSource = std::function<std::string(const std::filesystem::path& path, std::size_t limit)>;
/// read_file(): any file, including pipes. Processes that must not block use read_regular_file().
inline std::string from_anywhere(const std::filesystem::path& path, std::size_t limit) {
  return read_file(path, limit);
}

/// Content of a regular file, possibly through a symbolic link. Throws Error(unreadable_input) if
/// it is anything else, cannot be read or exceeds `limit` bytes.
std::string read_regular_file(const std::filesystem::path& path, std::size_t limit);

/// How a file written by this project is recognized.
struct FileMark {
  std::string_view text;  ///< beginning of the file in all versions
  /// The project also chose the name, so the file must belong to the user of this process, and is
  /// recognized even if a power failure truncated the mark or left zeros.
  bool own_name = false;
};

/// Writes a file, completely or not at all: to a temporary file next to it, which is then renamed.
/// Does not flush to the disk, which could take minutes. An existing file must be regular, no link,
/// and empty or recognized by its mark; any other file is kept. Throws Error(output), and the
/// exceptions of `content`.
void write_marked_file(const std::filesystem::path& path, FileMark mark,
                       const ContentSource& content);

/// Content of a file from write_marked_file(); none if it does not exist. Throws
/// Error(unreadable_input) with the reason for anything else: no regular file, a link, a missing or
/// incomplete mark, more than `limit` bytes.
std::optional<std::string> read_marked_file(const std::filesystem::path& path, FileMark mark,
                                            std::size_t limit);

/// The result of a removal.
struct Removal {
  bool removed = false;
  std::string kept;  ///< why it still exists; empty if it was removed or did not exist
};

/// Removes only a regular file, no link, that is recognized by its mark.
Removal remove_marked_file(const std::filesystem::path& path, FileMark mark);

}  // namespace pssp
