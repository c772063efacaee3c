#pragma once

// Tables that are to be deployed, with the fabric that they are for.

#include <filesystem>
#include <string>

#include "fabric/fabric.h"
#include "fabric/formats/lft_file.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Reads a file of tables; no topology. Throws Error(unreadable_input), Error(usage).
LftFile read_tables(const std::string& file);

/// A file that deploy_tables wrote itself: tables, and nothing else, whatever nodes call themselves
/// in it. Throws Error(unreadable_input).
LftFile read_own_tables(const std::filesystem::path& file);
/// Likewise the fabric that tables were made for. Throws Error(unreadable_input).
Fabric read_own_fabric(const std::filesystem::path& file);

/// The fabric of a topology file; one without LIDs gets those of the tables. Throws Error.
Fabric read_fabric_for(const std::string& topology, const LftFile& tables);

/// Throws Error(mismatch) unless the fabric as it was found is that of the topology file: the same
/// switches, hosts and cables.
void require_same_fabric(const std::string& topology, const Fabric& expected, const Fabric& found);

}  // namespace pssp
