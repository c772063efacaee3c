#pragma once

// The result folder of a run, protected against other runs; it never replaces files of the user.

#include <filesystem>
#include <string>

namespace pssp {

class ResultFolder {
 public:
  /// The folder `path`, created if necessary; if `path` is empty, a new folder in ./out whose name
  /// begins with `kind` ("compare_engines"). Results replace those of an earlier run, so a folder
  /// that is neither empty nor from an earlier run is rejected. Throws Error(output), also if
  /// another run uses the folder, or if there is not enough space.
  ResultFolder(const std::filesystem::path& path, const std::string& kind);
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;
  /// Releases the folder for other runs.
  ~ResultFolder();

  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace pssp
