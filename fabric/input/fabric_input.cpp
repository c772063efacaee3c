// Each file is opened once and its kind recognized before it is read, so that pipes and standard
// input work like files, and a dump of tables is never completely in memory.
//
// Graphs and OMNeT++'s tables become dumps with comments (LftFile) that give the topology its LIDs.
// So match_tables() alone decides what belongs together.

#include "fabric/input/fabric_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "fabric/formats/content_kind.h"
#include "fabric/formats/ibdiagnet_database.h"
#include "fabric/formats/lft_matching.h"
#include "fabric/formats/omnet/omnet_fdbs_file.h"
#include "fabric/formats/omnet/omnet_ned_file.h"
#include "fabric/formats/port_report.h"
#include "fabric/formats/subnet_list.h"
#include "fabric/formats/ufm/ufm_answers.h"
#include "fabric/input/folder_files.h"

namespace pssp {
namespace {

enum class ListPolicy : std::uint8_t { refused, taken };

class SourcesReader {
 public:
  explicit SourcesReader(ListPolicy lists) : lists_(lists) {}

  FabricSources run(std::span<const std::filesystem::path> paths);
  FabricSources run(FileReader& file);

 private:
  void read(const std::filesystem::path& path);
  void read(FileReader& file, const std::string& name);
  void read_folders();
  void set_topology(TopologyFile topology, const std::string& name);
  void set_tables(LftFile tables, const std::string& name);
  void join_omnet();
  FabricSources joined();

  ListPolicy lists_;
  FabricSources result_;
  std::optional<LftFile> tables_of_graph_;
  std::optional<OmnetNetwork> network_;
  std::optional<OmnetTables> omnet_tables_;
  std::vector<FolderFiles> folders_;  // read together with the files, for missing parts
  std::vector<std::string> folder_notes_;
  UfmAnswers ufm_;
  std::string topology_name_, tables_name_;  // of the files; empty: none yet
};

[[noreturn]] void fail_twice(std::string_view what, const std::string& a, const std::string& b) {
  throw Error(ErrorKind::usage,
              fmt::format("{} and {} are both {}; name only one of them", a, b, what));
}

void SourcesReader::set_topology(TopologyFile topology, const std::string& name) {
  if (!topology_name_.empty()) fail_twice("topologies", topology_name_, name);
  topology_name_ = name;
  result_.topology = std::move(topology);
}

void SourcesReader::set_tables(LftFile tables, const std::string& name) {
  if (!tables_name_.empty()) fail_twice("forwarding tables", tables_name_, name);
  tables_name_ = name;
  result_.tables = std::move(tables);
}

void SourcesReader::read(const std::filesystem::path& path) {
  std::error_code no_status;
  if (path != standard_stream && std::filesystem::is_directory(path, no_status)) {
    folders_.push_back(open_folder(path));
    return;
  }
  FileReader file(path);
  read(file, path.string());
}

void SourcesReader::read(FileReader& file, const std::string& name) {
  const ContentKind kind = content_kind(file.peek(content_looked_at + 1));
  switch (kind) {
    case ContentKind::lft_dump:
      return set_tables(read_lft(file, name), name);
    case ContentKind::net_file:
      return set_topology(parse_topology(read_file(file), name), name);
    case ContentKind::subnet_list:
      return set_topology(parse_subnet_list(read_file(file), name), name);
    case ContentKind::port_report:
      return set_topology(parse_port_report(read_file(file), name), name);
    case ContentKind::link_info:
      return set_topology(parse_link_info(read_file(file), name), name);
    case ContentKind::ibdiagnet_database:
      return set_topology(parse_ibdiagnet_database(read_file(file), name), name);
    case ContentKind::ufm_answer:
      if (ufm_.empty()) set_topology({}, name);
      return ufm_.add(read_file(file), name);
    case ContentKind::dot_graph: {
      DotFile graph = parse_dot(read_file(file), name);
      set_topology(std::move(graph.topology), name);
      tables_of_graph_ = std::move(graph.tables);
      result_.notes = std::move(graph.notes);
      return;
    }
    case ContentKind::omnet_ned:
      network_ = parse_omnet_ned(read_file(file), name);
      return set_topology({}, name);
    case ContentKind::omnet_fdbs:
      omnet_tables_ = parse_omnet_fdbs(read_file(file), name);
      return set_tables({}, name);
    case ContentKind::cable_list:
      if (lists_ == ListPolicy::refused) {
        throw Error(
            ErrorKind::unreadable_input,
            fmt::format(
                "{}: this is a cabling list, a plan without GUIDs and ports of all nodes; expected "
                "a topology; pssp compare-fabric compares cabling lists with topologies",
                name));
      }
      set_topology({}, name);
      result_.topology.reset();
      result_.cables = parse_cable_list(read_file(file), name);
      return;
    case ContentKind::archive:
      folders_.push_back(open_archive(file));
      return;
    case ContentKind::other:
      break;
  }
  throw Error(
      ErrorKind::unreadable_input,
      fmt::format(
          "{}: this is neither a topology nor forwarding tables: it looks like {}; "
          "expected a net file of ibsim, the output of ibnetdiscover, iblinkinfo or "
          "dump_fts, opensm-subnet.lst, ibdiagnet2.db_csv, opensm-lfts.dump, opensm.fdbs, a graph "
          "(dot), the files of OMNeT++, or links of UFM (JSON)",
          name, describe_content(file.peek(content_looked_at + 1), name)));
}

/// Explicitly named files take precedence, because a folder may contain older ones.
void SourcesReader::read_folders() {
  for (const FolderFiles& folder : std::exchange(folders_, {})) {
    const ChosenFiles chosen = choose_files(folder, topology_name_.empty(), tables_name_.empty());
    if (chosen.topology != nullptr) read(*chosen.topology, chosen.topology->name());
    if (chosen.tables != nullptr) read(*chosen.tables, chosen.tables->name());
    folder_notes_.push_back(chosen.note);
  }
}

/// OMNeT++'s tables need the network, regardless of the order of the files.
void SourcesReader::join_omnet() {
  if (omnet_tables_ && !network_) {
    throw Error(ErrorKind::mismatch, fmt::format("{}: forwarding tables of OMNeT++ have no LIDs "
                                                 "and GUIDs; name their network (NED), too",
                                                 tables_name_));
  }
  if (omnet_tables_) result_.tables = to_lft_file(*network_, *omnet_tables_);
  if (network_) result_.topology = std::move(network_->topology);
}

FabricSources SourcesReader::run(std::span<const std::filesystem::path> paths) {
  bool reads_standard_input = false;
  for (const std::filesystem::path& path : paths) {
    const bool is_standard_input = path == "-";
    if (is_standard_input && std::exchange(reads_standard_input, true)) {
      throw Error(ErrorKind::usage,
                  "only one of the files can come from standard input; name the other one");
    }
    read(path);
  }
  return joined();
}

FabricSources SourcesReader::run(FileReader& file) {
  read(file, file.name());
  return joined();
}

FabricSources SourcesReader::joined() {
  read_folders();
  join_omnet();
  if (!ufm_.empty()) result_.topology = ufm_.build();
  if (!result_.tables) result_.tables = std::move(tables_of_graph_);
  if (folder_notes_.empty()) return std::move(result_);
  // One of them exists: each folder had the topology or the tables.
  std::vector<std::string>& warnings =
      result_.topology ? result_.topology->warnings : result_.tables->warnings;
  warnings.insert(warnings.begin(), folder_notes_.begin(), folder_notes_.end());
  return std::move(result_);
}

}  // namespace

FabricSources read_fabric_sources(std::span<const std::filesystem::path> paths) {
  return SourcesReader(ListPolicy::refused).run(paths);
}

FabricSources read_plan_sources(const std::filesystem::path& path) {
  return SourcesReader(ListPolicy::taken).run({&path, 1});
}

FabricInput to_fabric_input(FabricSources sources, const BuilderOptions& options) {
  if (!sources.topology) {
    throw Error(ErrorKind::usage, "a topology is missing: name its file, too");
  }
  if (sources.tables) {
    MatchedTables matched = match_tables(std::move(*sources.topology), *sources.tables, options);
    return {std::move(matched.fabric), std::move(matched.tables), std::move(matched.warnings),
            std::move(sources.notes)};
  }
  return {std::move(sources.topology->builder).build(options), std::nullopt,
          std::move(sources.topology->warnings), std::move(sources.notes)};
}

void require_tables(bool has_tables, std::string_view name) {
  if (has_tables) return;
  throw Error(ErrorKind::usage,
              fmt::format("{}: this is a topology without forwarding tables; name the file that "
                          "has them, too",
                          name));
}

void require_same_hosts(std::string_view first_name, const Fabric& first,
                        std::string_view other_name, const Fabric& other) {
  const auto same = [&](EndPortId a, EndPortId b) {
    return first.end_port(a).port_guid == other.end_port(b).port_guid;
  };
  if (std::ranges::equal(first.endpoints(), other.endpoints(), same)) return;
  throw Error(
      ErrorKind::mismatch,
      fmt::format("{} and {} cannot be compared: their hosts differ ({} and {} hosts)", first_name,
                  other_name, first.endpoints().size(), other.endpoints().size()));
}

FabricInput read_fabric_input(FileReader& file, const BuilderOptions& options) {
  return to_fabric_input(SourcesReader(ListPolicy::refused).run(file), options);
}

FabricInput read_fabric_input(std::span<const std::filesystem::path> paths,
                              const BuilderOptions& options) {
  return to_fabric_input(read_fabric_sources(paths), options);
}

}  // namespace pssp
