#pragma once

// The environment of a program of the harness: variables, installed programs, and the build. main
// passes what the library must not read itself.

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pssp {

/// A requirement of a run.
struct Need {
  std::string file;     ///< an installed program, or a file of the build: "bin/eval_lft"
  std::string package;  ///< Debian package; empty: the build
  std::string purpose;  ///< what needs it: "required", "needed only for --plot"
};

struct Surroundings {
  /// The environment of every started program: PATH includes opensm, ibsim and the diagnostics, and
  /// numbers have the format of C.
  std::map<std::string, std::string> environment;
  /// Folders of the project's programs and the plugin, in search order.
  std::vector<std::filesystem::path> builds;
  bool build_was_named = false;  ///< by PSSP_BUILD_DIR, which is then the only folder

  /// The value of a variable; empty if it is not set.
  std::string variable(const std::string& name) const;
  /// The path of an installed program. Throws Error(missing_program) with its Debian package.
  std::string program(const std::string& name, const std::string& package) const;
  /// The path of a file of the build: "bin/eval_lft", "lib/libosmpssp.so". Throws
  /// Error(missing_program).
  std::string built(const std::string& file) const;
  /// Throws Error(missing_program) with all missing programs and their packages at once.
  void require(std::span<const Need> needs) const;

 private:
  std::optional<std::string> find_built(const std::string& file) const;
};

/// `environment` is the third argument of main or environ; `executable` is the path of this
/// program.
Surroundings surroundings_of(const char* const* environment,
                             const std::filesystem::path& executable);

}  // namespace pssp
