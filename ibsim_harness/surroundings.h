#pragma once

// What a program of the harness finds around itself: environment, installed programs, our own
// build. main hands over what the library may not look up by itself.

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pssp {

/// Something that a run will want.
struct Need {
  std::string file;     ///< an installed program, or a file of our build: "bin/eval_lft"
  std::string package;  ///< of Debian; empty: our build
  std::string without;  ///< what works without it: "nothing works without"
};

struct Surroundings {
  /// Of every program that is started: PATH reaches where opensm, ibsim and the diagnostics are,
  /// and numbers are written as in C.
  std::map<std::string, std::string> environment;
  /// Where our own tools and the plugin are, in the order of trial.
  std::vector<std::filesystem::path> builds;
  bool build_was_named = false;  ///< by PSSP_BUILD_DIR, which decides alone

  /// The value of a variable; empty where it is not set.
  std::string variable(const std::string& name) const;
  /// Path of an installed program. Throws Error(missing_program) that names its Debian package.
  std::string program(const std::string& name, const std::string& package) const;
  /// Path of a file of our build: "bin/eval_lft", "lib/libosmpssp.so". Throws
  /// Error(missing_program).
  std::string built(const std::string& file) const;
  /// Throws Error(missing_program) that names all that is missing at once, each with its package,
  /// so that no one has to come back for each.
  void require(std::span<const Need> needs) const;

 private:
  std::optional<std::string> find_built(const std::string& file) const;
};

/// `environment` is what main's third argument or environ is, `executable` our own path.
Surroundings surroundings_of(const char* const* environment,
                             const std::filesystem::path& executable);

}  // namespace pssp
