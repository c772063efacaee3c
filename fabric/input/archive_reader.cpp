// Two stages of libarchive: one unpacks gzip, the other reads tar. Between them, bytes are counted,
// so that the limits also apply to skipped files, and the end is checked: tar ends with two blocks
// of zeros (POSIX.1-2017, pax), and libarchive accepts an archive that is truncated between two
// files. libarchive ignores checksums of gzip (3.6).

#include "fabric/input/archive_reader.h"

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/printable.h"

namespace pssp {
namespace {

constexpr std::size_t chunk = std::size_t{1} << 16;
constexpr std::string_view gzip_magic = "\x1F\x8B";

struct FreeArchive {
  void operator()(archive* of) const noexcept { archive_read_free(of); }
};
using ArchiveHandle = std::unique_ptr<archive, FreeArchive>;

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw Error(ErrorKind::unreadable_input, fmt::format("{}: {}", name, what));
}

/// Returns bytes part by part, an empty part at the end.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::string_view next() = 0;

  /// The exception of next(), because libarchive, which calls it, does not support exceptions.
  std::exception_ptr error;
};

la_ssize_t call_next(archive* reader, void* source, const void** bytes) {
  ByteSource& from = *static_cast<ByteSource*>(source);
  try {
    const std::string_view part = from.next();
    *bytes = part.data();
    return static_cast<la_ssize_t>(part.size());
  } catch (...) {
    from.error = std::current_exception();
    archive_set_error(reader, EIO, "the source of the bytes failed");
    return -1;
  }
}

[[noreturn]] void fail_in(archive* reader, const ByteSource& source, const std::string& name) {
  if (source.error) std::rethrow_exception(source.error);
  const char* const said = archive_error_string(reader);
  fail(name, fmt::format("the archive is truncated or damaged ({}); expected a complete tar "
                         "archive, uncompressed or compressed by gzip; copy or create it again",
                         said != nullptr ? printable(said) : "reason unknown"));
}

class FileBytes : public ByteSource {
 public:
  explicit FileBytes(FileReader& file) : file_(file), buffer_(chunk, '\0') {}
  std::string_view next() override {
    return {buffer_.data(), file_.read(buffer_.data(), buffer_.size())};
  }

 private:
  FileReader& file_;
  std::string buffer_;
};

/// Unpacks gzip up to the end of the file.
class UnpackedBytes : public ByteSource {
 public:
  UnpackedBytes(FileReader& file, const std::string& name)
      : packed_(file), name_(name), reader_(archive_read_new()), buffer_(chunk, '\0') {
    archive_read_support_filter_gzip(reader_.get());
    archive_read_support_format_raw(reader_.get());
    archive_entry* entry = nullptr;
    if (archive_read_open(reader_.get(), &packed_, nullptr, call_next, nullptr) != ARCHIVE_OK ||
        archive_read_next_header(reader_.get(), &entry) != ARCHIVE_OK) {
      fail_in(reader_.get(), packed_, name_);
    }
  }
  std::string_view next() override {
    const la_ssize_t count = archive_read_data(reader_.get(), buffer_.data(), buffer_.size());
    if (count < 0) fail_in(reader_.get(), packed_, name_);
    return {buffer_.data(), static_cast<std::size_t>(count)};
  }

 private:
  FileBytes packed_;
  const std::string& name_;
  ArchiveHandle reader_;
  std::string buffer_;
};

/// Counts bytes, and the zeros at the end.
class CountedBytes : public ByteSource {
 public:
  CountedBytes(ByteSource& from, std::size_t limit, const std::string& name)
      : from_(from), limit_(limit), name_(name) {}
  std::string_view next() override {
    const std::string_view part = from_.next();
    bytes_ += part.size();
    if (bytes_ > limit_) {
      fail(name_, fmt::format("the archive unpacks to more than {} bytes; expected the files of "
                              "one run of ibdiagnet",
                              limit_));
    }
    const std::size_t last = part.find_last_not_of('\0');
    zeros_ = last == std::string_view::npos ? zeros_ + part.size() : part.size() - 1 - last;
    return part;
  }
  std::size_t zeros_at_end() const noexcept { return zeros_; }

 private:
  ByteSource& from_;
  std::size_t limit_;
  const std::string& name_;
  std::size_t bytes_ = 0, zeros_ = 0;
};

/// Throws unless the entry is a regular file or a folder inside the archive.
void check_entry(archive_entry* entry, const std::string& entry_name, const std::string& name) {
  const std::filesystem::path path(entry_name);
  const bool has_parent = std::ranges::any_of(path, [](const auto& part) { return part == ".."; });
  if (entry_name.empty() || path.is_absolute() || has_parent) {
    fail(name, fmt::format("the entry '{}' has a name that leads out of the archive; expected "
                           "relative names without '..'",
                           excerpt(entry_name)));
  }
  const auto type = archive_entry_filetype(entry);
  // Rejects sparse files as well: holes without content in the archive would need memory.
  if ((type != AE_IFREG && type != AE_IFDIR) || archive_entry_hardlink(entry) != nullptr ||
      archive_entry_sparse_count(entry) != 0) {
    fail(name, fmt::format("the entry '{}' is a link, a device, a pipe or a sparse file; expected "
                           "regular files and folders only",
                           excerpt(entry_name)));
  }
}

class TarReader {
 public:
  TarReader(ByteSource& from, const ArchiveLimits& limits, const std::string& name)
      : limits_(limits), name_(name), bytes_(from, limits.bytes, name) {
    archive_read_support_format_tar(reader_.get());
    if (archive_read_open(reader_.get(), &bytes_, nullptr, call_next, nullptr) != ARCHIVE_OK) {
      fail_in(reader_.get(), bytes_, name_);
    }
  }

  std::vector<std::unique_ptr<FileReader>> run(
      const std::function<bool(std::string_view)>& is_wanted) {
    std::vector<std::unique_ptr<FileReader>> files;
    for (std::size_t entries = 0; archive_entry* const entry = next_entry(); ++entries) {
      if (entries == limits_.entries) {
        fail(name_, fmt::format("the archive has more than {} entries; expected the files of one "
                                "run of ibdiagnet",
                                limits_.entries));
      }
      // Null if the locale cannot represent it.
      const char* const path = archive_entry_pathname(entry);
      const std::string entry_name = path != nullptr ? path : "(no readable name)";
      check_entry(entry, entry_name, name_);
      if (archive_entry_filetype(entry) == AE_IFDIR || !is_wanted(entry_name)) continue;
      const std::string file_name = fmt::format("{}:{}", name_, printable(entry_name));
      files.push_back(std::make_unique<FileReader>(content(file_name), file_name));
    }
    check_end();
    return files;
  }

 private:
  archive_entry* next_entry() {
    archive_entry* entry = nullptr;
    const int result = archive_read_next_header(reader_.get(), &entry);
    if (result == ARCHIVE_EOF) return nullptr;
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) fail_in(reader_.get(), bytes_, name_);
    return entry;
  }

  std::string content(const std::string& file_name) {
    std::string text;
    for (;;) {
      const std::size_t used = text.size();
      text.resize(used + chunk);
      const la_ssize_t count = archive_read_data(reader_.get(), text.data() + used, chunk);
      if (count < 0) fail_in(reader_.get(), bytes_, name_);
      text.resize(used + static_cast<std::size_t>(count));
      if (count == 0) return text;
      if (text.size() > limits_.file_bytes) {
        fail(file_name, fmt::format("the file unpacks to more than {} bytes; unpack the archive "
                                    "and name the folder",
                                    limits_.file_bytes));
      }
    }
  }

  void check_end() {
    constexpr std::size_t end_size = 1024;
    while (!bytes_.next().empty()) {
    }
    if (bytes_.zeros_at_end() >= end_size) return;
    fail(name_,
         "the archive is truncated: it ends without the two empty blocks that end a tar archive; "
         "copy or create it again");
  }

  const ArchiveLimits& limits_;
  const std::string& name_;
  CountedBytes bytes_;
  ArchiveHandle reader_{archive_read_new()};
};

}  // namespace

std::vector<std::unique_ptr<FileReader>> read_archive(
    FileReader& file, const std::function<bool(std::string_view name)>& is_wanted,
    const ArchiveLimits& limits) {
  const std::string name = printable(file.name());
  if (file.peek(gzip_magic.size()) == gzip_magic) {
    UnpackedBytes bytes(file, name);
    return TarReader(bytes, limits, name).run(is_wanted);
  }
  FileBytes bytes(file);
  return TarReader(bytes, limits, name).run(is_wanted);
}

}  // namespace pssp
