#pragma once

// Files for a process that must never hang and that may be root: opensm with the plugin in it.
//
// Only regular files are read, written and removed. Anything else that an option may name by
// mistake (a FIFO without a partner, a device, a folder) is refused with the reason before it is
// opened, because to open a device can be an act. No call waits for another process. Tools, which
// take pipes gladly, use file_io.h.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/file_io.h"

namespace pssp {

/// How a library reads a file that its input names: a file of at most `limit` bytes, or an
/// Error(unreadable_input).
using FileSource = std::function<std::string(const std::filesystem::path& path, std::size_t limit)>;
/// read_file(): any file, pipes too. Who must not hang passes read_regular_file().
inline std::string from_anywhere(const std::filesystem::path& path, std::size_t limit) {
  return read_file(path, limit);
}

/// Content of a regular file, or of one that a link leads to. Throws Error(unreadable_input) when
/// it is anything else, cannot be read or is larger than `limit` bytes.
std::string read_regular_file(const std::filesystem::path& path, std::size_t limit);

/// By what a file of ours is known.
struct FileMark {
  std::string_view text;  ///< how all of its versions begin
  /// The name is of our own choice, too, so that the file must belong to the user of this process,
  /// and is ours even where a loss of power has left it cut off within the mark or as zeros.
  bool own_name = false;
};

/// Writes a file, whole or not at all: to a temporary file beside it, which is then renamed. It is
/// not flushed to the disk, which could take minutes. A file that is there must be a regular one,
/// no link, empty or known by its mark: whatever else has that name belongs to somebody else, and
/// stays. Throws Error(output), and whatever `content` throws.
void write_marked_file(const std::filesystem::path& path, FileMark mark,
                       const ContentSource& content);

/// Content of a file that write_marked_file() has written; nothing where there is none. Throws
/// Error(unreadable_input), saying why, where the name is that of anything else: no regular file, a
/// link, not known by its mark, without a whole mark, larger than `limit` bytes.
std::optional<std::string> read_marked_file(const std::filesystem::path& path, FileMark mark,
                                            std::size_t limit);

/// What became of a file that was to be removed.
struct Removal {
  bool removed = false;
  std::string kept;  ///< why it is still there; empty when it was removed or was not there
};

/// Removes a regular file, no link, that is known by its mark, and nothing else.
Removal remove_marked_file(const std::filesystem::path& path, FileMark mark);

}  // namespace pssp
