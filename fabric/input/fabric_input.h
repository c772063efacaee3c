#pragma once

// A fabric, with forwarding tables or without, from whichever files say it: the one way in for
// tools that take any kind of file. Kinds are recognised by content (content_kind.h).
//
// Topologies: ibsim net file, ibnetdiscover (also with -p), iblinkinfo, opensm-subnet.lst,
// ibdiagnet2.db_csv, graph in the dot format of ORCS, network of OMNeT++ (NED). Tables: dump_fts,
// opensm-lfts.dump, opensm.fdbs, ibdiagnet.fdbs, OMNeT++'s. A graph may hold both, and so may
// a folder of ibdiagnet or an archive of it (folder_files.h).

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/file_io.h"
#include "fabric/builder.h"
#include "fabric/fabric.h"
#include "fabric/formats/cable_list.h"
#include "fabric/formats/lft_file.h"
#include "fabric/formats/orcs/dot_file.h"
#include "fabric/formats/topology_file.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// The content of the files before matching. Warnings are in its members.
struct FabricSources {
  std::optional<TopologyFile> topology;
  std::optional<LftFile> tables;
  DotEdgeNotes notes;                    ///< for a graph
  std::optional<CableList> cables = {};  ///< from read_plan_sources(): instead of a topology
};

/// Reads a topology, tables, or both, in any order; a topology may consist of up to three replies
/// of UFM; "-" is standard input. Separate tables replace those of a graph. From a folder or an
/// archive, only parts missing in other files are read; a warning names these files. Throws
/// Error(usage) for two topologies, two tables, or standard input twice; Error(unreadable_input)
/// for a file of unknown kind, and the errors of the readers; Error(mismatch) for tables of OMNeT++
/// without their network.
FabricSources read_fabric_sources(std::span<const std::filesystem::path> paths);
/// Reads one file, which may also be a cabling list; other functions reject these.
FabricSources read_plan_sources(const std::filesystem::path& path);

struct FabricInput {
  Fabric fabric;
  std::optional<ForwardingTables> tables;
  std::vector<std::string> warnings;
  DotEdgeNotes notes;  ///< for a graph; for write_dot()
};

/// Matches the sources (match_tables()). A topology without LIDs gets those of the tables, or none
/// without tables. Throws Error(usage) if there is no topology.
FabricInput to_fabric_input(FabricSources sources, const BuilderOptions& options = {});

/// Throws Error(usage) if `name` contained no tables.
void require_tables(bool has_tables, std::string_view name);
/// Throws Error(mismatch) unless both fabrics have the same hosts in the same order, so that a rank
/// is the same host in both. O(hosts).
void require_same_hosts(std::string_view first_name, const Fabric& first,
                        std::string_view other_name, const Fabric& other);

/// Reads an open file from its beginning.
FabricInput read_fabric_input(FileReader& file, const BuilderOptions& options = {});
/// Both steps in one.
FabricInput read_fabric_input(std::span<const std::filesystem::path> paths,
                              const BuilderOptions& options = {});

}  // namespace pssp
