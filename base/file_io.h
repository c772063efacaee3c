#pragma once

// File input, complete or in parts, and all-or-nothing output.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace pssp {

/// The name of standard input or standard output in place of a file.
inline constexpr std::string_view standard_stream = "-";

/// The system's description of an errno.
std::string reason(int error_number);

/// A file that is read in parts, which may be larger than memory. "-" is standard input.
class FileReader {
 public:
  /// Throws Error(unreadable_input) if the file cannot be opened or is a directory.
  explicit FileReader(const std::filesystem::path& path);
  /// The same for content in memory, such as a file of an archive; `name` is for messages.
  FileReader(std::string content, std::string name);
  FileReader(const FileReader&) = delete;
  FileReader& operator=(const FileReader&) = delete;
  ~FileReader();

  /// Reads at most `size` bytes; returns their number, 0 at the end. Throws Error(unreadable_input)
  /// if they cannot be read.
  std::size_t read(char* to, std::size_t size);
  /// The first `size` bytes of the file, or all if it is shorter, which read() still returns. Must
  /// be called before read(); the result is valid until then.
  std::string_view peek(std::size_t size);

  /// Size of a regular file or of content in memory; 0 otherwise.
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

/// Content of a regular file, pipe or, for "-", standard input. Throws Error(unreadable_input) if
/// it cannot be read or exceeds `limit` bytes (default 4 GiB, a guard against devices and endless
/// pipes).
std::string read_file(const std::filesystem::path& path, std::size_t limit = std::size_t{4} << 30);
/// The remaining content of the file.
std::string read_file(FileReader& file, std::size_t limit = std::size_t{4} << 30);

/// The target of symbolic links, even if it does not exist yet. For links in a cycle, returns one
/// of them, which cannot be opened.
std::filesystem::path where_links_lead(const std::filesystem::path& path);

/// Receives the next part of a content.
using ContentSink = std::function<void(std::string_view)>;
/// Passes a content to the sink in parts, so that it may be larger than memory.
using ContentSource = std::function<void(const ContentSink&)>;

/// Writes to a temporary file next to `path`, flushes it to the disk and renames it, so that the
/// file is written completely or not at all, even if `source` throws. "-" writes to standard
/// output. An existing path that is not a regular file (/dev/stdout, a pipe) is written directly; a
/// link is kept, and its target is replaced. Throws Error(output), and the exceptions of `source`.
void write_file(const std::filesystem::path& path, const ContentSource& source);
void write_file(const std::filesystem::path& path, std::string_view content);

struct OutputFile {
  std::filesystem::path path;
  ContentSource content;
};
/// Several related files, each written as by write_file(). All contents are on the disk before the
/// first file gets its name, so that an error, also of a source, leaves none of them (except
/// directly written ones, and the first ones if the system refuses to rename another).
void write_files(std::span<const OutputFile> files);

/// Removes unfinished files of write_files(), for a program that a signal is about to end.
/// Async-signal-safe.
void remove_unfinished_files() noexcept;

}  // namespace pssp
