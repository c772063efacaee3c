// Programs are looked up here, not by exec, so that a message can name the package of a program.
// Programs of this project come from the folder above the folder of the executable, which is a
// build or an installation.

#include "ibsim_harness/surroundings.h"

#include <unistd.h>

#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/installation.h"

namespace pssp {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> in_path(const std::string& path, const std::string& name) {
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::size_t end = rest.find(':');
    const fs::path candidate = fs::path(rest.substr(0, end)) / name;
    std::error_code ignored;
    if (fs::is_regular_file(candidate, ignored) && access(candidate.c_str(), X_OK) == 0)
      return candidate.string();
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  }
  return std::nullopt;
}

/// The file in a build or installation, which has its programs in libexec/pssp. Debian packages
/// have their libraries one folder deeper.
std::optional<std::string> in_build(const fs::path& build, const fs::path& file) {
  std::error_code error;
  for (const fs::path& candidate : {build / file, build / "libexec" / "pssp" / file.filename()}) {
    if (fs::exists(candidate, error)) return fs::canonical(candidate).string();
  }
  const fs::path top = build / *file.begin();
  for (const fs::directory_entry& entry : fs::directory_iterator(top, error)) {
    const fs::path candidate = entry.path() / file.filename();
    if (entry.path().filename().string().ends_with("-linux-gnu") && fs::exists(candidate, error))
      return fs::canonical(candidate).string();
  }
  return std::nullopt;
}

}  // namespace

Surroundings surroundings_of(const char* const* environment, const fs::path& executable) {
  Surroundings result;
  for (; *environment != nullptr; ++environment) {
    const std::string_view variable = *environment;
    const std::size_t equals = variable.find('=');
    if (equals != std::string_view::npos)
      result.environment.emplace(variable.substr(0, equals), variable.substr(equals + 1));
  }
  // opensm, ibsim and the diagnostics are not in the PATH of ordinary users.
  std::string& path = result.environment["PATH"];
  path += std::string(path.empty() ? "" : ":") + "/usr/local/sbin:/usr/sbin:/sbin:/usr/bin:/bin";
  // Started programs print numbers for this program, not for the locale of the user.
  result.environment["LC_ALL"] = "C.UTF-8";
  const std::string named = result.variable("PSSP_BUILD_DIR");
  result.build_was_named = !named.empty();
  if (result.build_was_named) {
    result.builds = {named};
  } else {
    result.builds = {installation_of(executable)};
  }
  return result;
}

std::string Surroundings::variable(const std::string& name) const {
  const auto found = environment.find(name);
  return found == environment.end() ? std::string() : found->second;
}

std::string Surroundings::program(const std::string& name, const std::string& package) const {
  if (const std::optional<std::string> found = in_path(variable("PATH"), name)) return *found;
  throw Error(ErrorKind::missing_program,
              name + " is not installed; it is in the Debian package " + package +
                  " (scripts/install_dependencies.sh installs all dependencies)");
}

std::optional<std::string> Surroundings::find_built(const std::string& file) const {
  for (const fs::path& build : builds) {
    if (std::optional<std::string> found = in_build(build, file)) return found;
  }
  if (build_was_named) return std::nullopt;
  return in_path(variable("PATH"), fs::path(file).filename().string());
}

std::string Surroundings::built(const std::string& file) const {
  if (const std::optional<std::string> found = find_built(file)) return *found;
  std::string searched;
  for (const fs::path& build : builds) searched += (searched.empty() ? "" : " ") + build.string();
  throw Error(ErrorKind::missing_program,
              file + " is not built (searched in " + searched +
                  "): run `cmake --preset default && cmake --build --preset default`, or set "
                  "PSSP_BUILD_DIR to your build");
}

void Surroundings::require(std::span<const Need> needs) const {
  std::string missing, packages;
  for (const Need& need : needs) {
    if (need.package.empty()) {
      if (find_built(need.file)) continue;
      missing += "\n    " + need.file +
                 " of this build (cmake --build, or PSSP_BUILD_DIR): " + need.purpose;
    } else if (!in_path(variable("PATH"), need.file)) {
      missing +=
          "\n    " + need.file + " of the Debian package " + need.package + ": " + need.purpose;
      const std::string word = " " + need.package;
      if ((packages + " ").find(word + " ") == std::string::npos) packages += word;
    }
  }
  if (missing.empty()) return;
  if (!packages.empty()) {
    missing += "\n  sudo apt-get install" + packages +
               " (scripts/install_dependencies.sh installs all dependencies)";
  }
  throw Error(ErrorKind::missing_program, "missing:" + missing);
}

}  // namespace pssp
