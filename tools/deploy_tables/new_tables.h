#pragma once

// Tables to deploy, and their fabric.

#include <filesystem>
#include <string>

#include "fabric/fabric.h"
#include "fabric/formats/lft_file.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Reads a file of tables without a topology. Throws Error(unreadable_input), Error(usage).
LftFile read_tables(const std::string& file);

/// Reads a file written by deploy_tables: only tables, regardless of node names in it. Throws
/// Error(unreadable_input).
LftFile read_own_tables(const std::filesystem::path& file);
/// The same for the fabric of tables. Throws Error(unreadable_input).
Fabric read_own_fabric(const std::filesystem::path& file);

/// The fabric of a topology file; one without LIDs gets those of the tables. Throws Error.
Fabric read_fabric_for(const std::string& topology, const LftFile& tables);

/// Throws Error(mismatch) unless the discovered fabric has the same switches, hosts and cables as
/// the topology file.
void require_same_fabric(const std::string& topology, const Fabric& expected, const Fabric& found);

}  // namespace pssp
