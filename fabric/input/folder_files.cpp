// Each role has endings of names, the best one first. Exactly one of the files with the first
// ending must have the content of the role.

#include "fabric/input/folder_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/printable.h"
#include "fabric/formats/content_kind.h"
#include "fabric/input/archive_reader.h"

namespace pssp {
namespace {

using namespace std::string_view_literals;

constexpr std::array topology_endings{".ibnetdiscover"sv, ".db_csv"sv, ".lst"sv};
constexpr std::array tables_endings{".fdbs"sv, "-lfts.dump"sv};
constexpr std::string_view sl_to_vl_ending = ".slvl";

// Detects early that a folder, such as /, is not output of ibdiagnet.
constexpr std::size_t most_entries = 10'000, most_files = 64;
constexpr int deepest = 4;

bool is_wanted(std::string_view name) {
  const auto fits = [name](std::string_view ending) { return name.ends_with(ending); };
  return std::ranges::any_of(topology_endings, fits) || std::ranges::any_of(tables_endings, fits);
}

bool is_topology(ContentKind kind) {
  return kind == ContentKind::net_file || is_convertible_topology(kind);
}

bool is_tables(ContentKind kind) { return kind == ContentKind::lft_dump; }

[[noreturn]] void fail_too_many(const std::string& name) {
  throw Error(ErrorKind::usage,
              fmt::format("{}: more than {} files, or more than {} of topologies and tables; "
                          "expected the folder of one run of ibdiagnet; name its files instead",
                          name, most_entries, most_files));
}

struct Role {
  std::string_view what;
  std::span<const std::string_view> endings;
  bool (*has_content)(ContentKind);
};

/// Adds a note for each file that has the name of the role, but other content.
FileReader* choose(const Role& role, const FolderFiles& of, std::vector<std::string>& notes) {
  for (const std::string_view ending : role.endings) {
    std::vector<FileReader*> found;
    for (const auto& file : of.files) {
      if (!file->name().ends_with(ending)) continue;
      const std::string_view head = file->peek(content_looked_at + 1);
      if (role.has_content(content_kind(head))) {
        found.push_back(file.get());
      } else {
        notes.push_back(fmt::format("{} is not used: it is {}", printable(file->name()),
                                    describe_content(head)));
      }
    }
    if (found.size() == 1) return found.front();
    if (found.empty()) continue;
    std::ranges::sort(found, {}, &FileReader::name);
    std::string names;
    for (const FileReader* file : found) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", printable(file->name()));
    }
    throw Error(ErrorKind::usage, fmt::format("{}: {} files are {}: {}; name one of them instead",
                                              of.name, found.size(), role.what, names));
  }
  return nullptr;
}

}  // namespace

FolderFiles open_folder(const std::filesystem::path& folder) {
  using Iterator = std::filesystem::recursive_directory_iterator;
  FolderFiles result{printable(folder.string()), {}, {}};
  std::vector<std::filesystem::path> paths;
  std::error_code error;
  std::size_t entries = 0;
  for (Iterator at(folder, error); !error && at != Iterator(); at.increment(error)) {
    if (++entries > most_entries) fail_too_many(result.name);
    if (at.depth() + 1 >= deepest) at.disable_recursion_pending();
    const std::string name = at->path().filename().string();
    std::error_code no_status;
    if (name.ends_with(sl_to_vl_ending)) result.sl_to_vl = at->path().string();
    if (is_wanted(name) && !at->is_directory(no_status)) paths.push_back(at->path());
  }
  if (error) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("cannot read the folder {}: {}", result.name, error.message()));
  }
  if (paths.size() > most_files) fail_too_many(result.name);
  std::ranges::sort(paths);
  for (const std::filesystem::path& path : paths) {
    if (std::filesystem::exists(path, error) && !std::filesystem::is_regular_file(path, error)) {
      throw Error(
          ErrorKind::unreadable_input,
          fmt::format("{}: this is not a regular file; expected a file of ibdiagnet or opensm",
                      printable(path.string())));
    }
    result.files.push_back(std::make_unique<FileReader>(path));
  }
  return result;
}

FolderFiles open_archive(FileReader& archive) {
  FolderFiles result{printable(archive.name()), {}, {}};
  result.files = read_archive(archive, [&](std::string_view name) {
    if (name.ends_with(sl_to_vl_ending)) {
      result.sl_to_vl = fmt::format("{}:{}", result.name, name);
    }
    return is_wanted(name);
  });
  if (result.files.size() > most_files) fail_too_many(result.name);
  return result;
}

ChosenFiles choose_files(const FolderFiles& of, bool needs_topology, bool needs_tables) {
  if (!needs_topology && !needs_tables) {
    throw Error(ErrorKind::usage, fmt::format("{}: the topology and the forwarding tables are "
                                              "already in other named files; omit one of the names",
                                              of.name));
  }
  std::vector<std::string> notes;
  ChosenFiles chosen;
  if (needs_topology) {
    chosen.topology = choose({"topologies", topology_endings, is_topology}, of, notes);
  }
  if (needs_tables) {
    chosen.tables = choose({"forwarding tables", tables_endings, is_tables}, of, notes);
  }
  if (chosen.topology == nullptr && chosen.tables == nullptr) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: no {} in it; expected files of ibdiagnet or opensm: "
                            "*.ibnetdiscover, *.db_csv or *.lst, and *.fdbs or *-lfts.dump{}{}",
                            of.name,
                            !needs_tables     ? "topology is"
                            : !needs_topology ? "forwarding tables are"
                                              : "topology and no forwarding tables are",
                            notes.empty() ? "" : "; ", notes.empty() ? "" : notes.front()));
  }
  chosen.note = of.name + ": ";
  if (chosen.topology != nullptr) {
    chosen.note += "the topology is " + printable(chosen.topology->name());
  }
  if (chosen.tables != nullptr) {
    chosen.note +=
        fmt::format("{}the forwarding tables are {}", chosen.topology != nullptr ? ", " : "",
                    printable(chosen.tables->name()));
  }
  if (!of.sl_to_vl.empty()) {
    notes.push_back(fmt::format("{} is not used: it has SL-to-VL tables", printable(of.sl_to_vl)));
  }
  for (const std::string& note : notes) chosen.note += "; " + note;
  return chosen;
}

}  // namespace pssp
