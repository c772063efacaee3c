#pragma once

// The folder where a run leaves its results, kept from other runs, and from what is the user's.

#include <filesystem>
#include <string>

namespace pssp {

class ResultFolder {
 public:
  /// The folder `path`, made if need be; where that is empty, a new one in ./out whose name begins
  /// with `kind` ("compare_engines"). Results replace those of an earlier run, so that a folder
  /// that is neither empty nor of an earlier run is refused. Throws Error(output), also when
  /// another run is writing there, or when there is hardly any room.
  ResultFolder(const std::filesystem::path& path, const std::string& kind);
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;
  /// Lets others in.
  ~ResultFolder();

  const std::filesystem::path& path() const noexcept { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

}  // namespace pssp
