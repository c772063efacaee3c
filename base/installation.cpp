#include "base/installation.h"

#include <string_view>
#include <system_error>

namespace pssp {
namespace {

constexpr std::string_view installed_programs = "libexec/pssp";

}  // namespace

std::filesystem::path installation_of(const std::filesystem::path& executable) {
  const std::filesystem::path folder = executable.parent_path();
  const std::filesystem::path above = folder.parent_path();
  return above.filename() / folder.filename() == installed_programs ? above.parent_path() : above;
}

std::filesystem::path folder_of_programs(const std::filesystem::path& executable) {
  const std::filesystem::path folder = executable.parent_path();
  const std::filesystem::path installed = folder.parent_path() / installed_programs;
  std::error_code ignored;
  return std::filesystem::is_directory(installed, ignored) ? installed : folder;
}

}  // namespace pssp
