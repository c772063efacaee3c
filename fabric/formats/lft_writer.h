#pragma once

// Writes forwarding tables in the format that `opensm -R file -U FILE` reads and that opensm writes
// as opensm-lfts.dump, including comments with destinations.

#include <string>

#include "base/file_io.h"
#include "fabric/fabric.h"
#include "fabric/tables/forwarding_tables.h"

namespace pssp {

/// Passes the dump to `sink` switch by switch, because tables of a fabric that fills the LID space
/// are gigabytes of text.
void write_lft_dump(const Fabric& fabric, const ForwardingTables& tables, const ContentSink& sink);

/// The whole dump in memory.
std::string to_lft_dump(const Fabric& fabric, const ForwardingTables& tables);

}  // namespace pssp
