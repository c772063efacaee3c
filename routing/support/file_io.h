#pragma once

// Whole-file input and all-or-nothing output.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace pssp {

/// Content of a regular file, pipe or, for "-", standard input. Throws Error(unreadable_input) when
/// it cannot be read or is larger than `limit` bytes (default 4 GiB: a guard against a device or an
/// endless pipe).
std::string read_file(const std::filesystem::path& path, std::size_t limit = std::size_t{4} << 30);

/// Takes the next part of a content.
using ContentSink = std::function<void(std::string_view)>;
/// Hands a content to the sink part by part, so that what is larger than memory can be written.
using ContentSource = std::function<void(const ContentSink&)>;

/// Writes to a temporary file beside `path`, flushes it to the disk and renames it, so that the
/// file is there whole or not at all; so it is when `source` throws. "-" writes to standard output.
/// A path that exists and is no regular file (/dev/stdout, a pipe) is written directly. Throws
/// Error(output), and whatever `source` throws.
void write_file(const std::filesystem::path& path, const ContentSource& source);
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace pssp
