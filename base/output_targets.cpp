// Existing files are identified by device and inode, regardless of links and spelling. An output
// that does not exist yet is identified by its path, with links followed as for writing, including
// a last link without a target.

#include "base/output_targets.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"

namespace pssp {
namespace {

/// Identifies a file; empty if it may be named twice (a device, a pipe).
std::string identity(const std::string& file) {
  if (file == standard_stream) return file;
  struct stat status {};
  if (::stat(file.c_str(), &status) == 0) {
    return S_ISREG(status.st_mode) ? fmt::format("{}:{}", status.st_dev, status.st_ino) : "";
  }
  // Missing files have an absolute path, which differs from the pair above.
  std::error_code error;
  const std::filesystem::path target = where_links_lead(file);
  const std::filesystem::path folder =
      std::filesystem::weakly_canonical(std::filesystem::absolute(target, error), error);
  return error ? "" : folder.string();
}

}  // namespace

void OutputTargets::add_input(const std::string& option, const std::string& file) {
  if (!file.empty()) inputs_.push_back({option, file});
}

void OutputTargets::add_replaceable_input(const std::string& option, const std::string& file) {
  if (!file.empty()) replaceable_.push_back({option, file});
}

void OutputTargets::add_output(const std::string& option, const std::string& file) {
  outputs_.push_back({option, file});
}

void OutputTargets::require_separate() const {
  const auto is_standard = [](const Target& place) { return place.file == standard_stream; };
  if (std::ranges::count_if(inputs_, is_standard) +
          std::ranges::count_if(replaceable_, is_standard) >
      1) {
    throw Error(ErrorKind::usage,
                "only one of the files can come from standard input; name the others");
  }
  std::map<std::string, const Target*> read, written;
  for (const Target& input : inputs_) {
    if (!is_standard(input)) read.emplace(identity(input.file), &input);
  }
  for (const Target& output : outputs_) {
    if (output.file.empty()) {
      throw Error(ErrorKind::usage,
                  fmt::format("{}: the name of the file is empty", output.option));
    }
    const std::string id = identity(output.file);
    if (id.empty()) continue;
    if (const auto input = read.find(id); input != read.end()) {
      throw Error(
          ErrorKind::usage,
          fmt::format("{} {} is the input {}, which would be overwritten; name another file",
                      output.option, printable(output.file), printable(input->second->file)));
    }
    const auto [other, is_new] = written.emplace(id, &output);
    if (is_new) continue;
    throw Error(ErrorKind::usage,
                fmt::format("{} would be written twice, by {} and {}; name another file",
                            is_standard(output) ? "standard output" : printable(output.file),
                            other->second->option, output.option));
  }
}

}  // namespace pssp
