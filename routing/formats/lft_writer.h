#pragma once

// Writer of forwarding tables in the form that `opensm -R file -U FILE` reads and that opensm
// itself writes as opensm-lfts.dump, destination comments included.

#include <string>

#include "routing/fabric/fabric.h"
#include "routing/tables/forwarding_tables.h"

namespace pssp {

std::string to_lft_dump(const Fabric& fabric, const ForwardingTables& tables);

}  // namespace pssp
