#pragma once

// The cut that bounds the edge forwarding index, as JSON.

#include <cstddef>
#include <nlohmann/json_fwd.hpp>

#include "fabric/fabric.h"
#include "routing/bounds/index_bound.h"

namespace pssp {

/// `routes_per_channel`, `switches`, `others`, `names` (at most this many); null without a cut.
nlohmann::ordered_json cut_to_json(const Fabric& fabric, const Cut& cut, std::size_t names);

}  // namespace pssp
