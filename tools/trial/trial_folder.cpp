#include "tools/trial/trial_folder.h"

#include <unistd.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/printable.h"

namespace pssp {
namespace {

namespace fs = std::filesystem;

constexpr std::array old_files{"routing.lft",  "opensm.log", "opensm.conf", "opensm.out",
                               "ibsim.log",    "report.txt", "report.json", "report-all-lids.json",
                               "topology.net", "ibsim.net",  "osm",         "result.json"};

}  // namespace

void clear_trial_folder(const fs::path& folder) {
  fs::create_directories(folder);
  for (const char* const name : old_files) fs::remove_all(folder / name);
}

void require_apart(const fs::path& results, const std::string& input) {
  if (input.empty()) return;
  std::error_code ignored;
  const fs::path place = fs::weakly_canonical(input, ignored);
  const fs::path inside = place.lexically_relative(fs::weakly_canonical(results, ignored));
  if (inside.empty() || *inside.begin() == "..") return;
  // The names of folders depend on the run; all of them contain these names.
  const bool is_replaced = std::ranges::any_of(inside, [](const fs::path& part) {
    return std::ranges::find(old_files, part.string()) != old_files.end();
  });
  if (!is_replaced) return;
  throw Error(ErrorKind::usage, "'" + excerpt(input) + "' is one of the files in --out '" +
                                    excerpt(results.string()) +
                                    "', which this run replaces; use another folder");
}

void require_readable_topology(const std::string& file) {
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored) && access(file.c_str(), R_OK) == 0) return;
  throw Error(ErrorKind::unreadable_input,
              "topology '" + excerpt(file) + "' is not a readable file");
}

}  // namespace pssp
