#pragma once

// Input, whole or in parts, and all-or-nothing output.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace pssp {

/// Names standard input or standard output where a file is expected.
inline constexpr std::string_view standard_stream = "-";

/// What the system says of an errno.
std::string reason(int error_number);

/// A file that is read part by part, so that what is larger than memory can be read. "-" is
/// standard input.
class FileReader {
 public:
  /// Throws Error(unreadable_input) when the file cannot be opened or is a directory.
  explicit FileReader(const std::filesystem::path& path);
  /// The same of what is in memory already, as a file of an archive is; `name` is for messages.
  FileReader(std::string content, std::string name);
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;
  ~FileReader();

  /// The next bytes of the file, at most `size`; their number, 0 at the end. Throws
  /// Error(unreadable_input) when they cannot be read.
  std::size_t read(char* to, std::size_t size);
  /// The first bytes of the file, `size` of them or all there are, which read() will return all the
  /// same. To be called before read(); the result is valid until then.
  std::string_view peek(std::size_t size);

  /// Size of a regular file or of what is in memory; 0 of anything else.
  std::size_t size() const noexcept { return size_; }
  /// For messages.
  const std::string& name() const noexcept { return name_; }

 private:
  std::size_t read_from_system(char* to, std::size_t size);

  int fd_ = -1;
  bool owned_ = true;
  std::string name_;
  std::size_t size_ = 0;
  std::string peeked_;
  std::size_t peeked_used_ = 0;
};

/// Content of a regular file, pipe or, for "-", standard input. Throws Error(unreadable_input) when
/// it cannot be read or is larger than `limit` bytes (default 4 GiB: a guard against a device or an
/// endless pipe).
std::string read_file(const std::filesystem::path& path, std::size_t limit = std::size_t{4} << 30);
/// What is left of the file.
std::string read_file(FileReader& file, std::size_t limit = std::size_t{4} << 30);

/// Where a file of this name is or would be: symbolic links are followed, also one that leads to
/// nothing yet. Of links that lead in a cycle one of them is returned, and cannot be opened.
std::filesystem::path where_links_lead(const std::filesystem::path& path);

/// Takes the next part of a content.
using ContentSink = std::function<void(std::string_view)>;
/// Hands a content to the sink part by part, so that what is larger than memory can be written.
using ContentSource = std::function<void(const ContentSink&)>;

/// Writes to a temporary file beside `path`, flushes it to the disk and renames it, so that the
/// file is there whole or not at all; so it is when `source` throws. "-" writes to standard output.
/// A path that exists and is no regular file (/dev/stdout, a pipe) is written directly; a link is
/// kept, and the file is where it leads. Throws
/// Error(output), and whatever `source` throws.
void write_file(const std::filesystem::path& path, const ContentSource& source);
void write_file(const std::filesystem::path& path, std::string_view content);

struct OutputFile {
  std::filesystem::path path;
  ContentSource content;
};
/// Several files that belong together, each written as by write_file(). All contents are on the
/// disk before the first file gets its name, so that an error, also of a source, leaves none of
/// them (but what was written directly, and the first ones where the system refuses to rename
/// another).
void write_files(std::span<const OutputFile> files);

/// Removes what write_files() has begun and not finished, for a program that is about to be ended
/// by a signal. Async-signal-safe.
void remove_unfinished_files() noexcept;

}  // namespace pssp
