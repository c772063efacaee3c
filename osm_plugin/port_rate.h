#pragma once

#include <iba/ib_types.h>

#include "fabric/link_rate.h"

namespace pssp {

/// Active width and speed of a port; not stated where a field holds a value that InfiniBand does
/// not define. The extended speed counts when there is one, then FDR10 (`extended` is Mellanox's
/// vendor-specific attribute, all zeros where the device has none), then the speed of the original
/// PortInfo.
LinkRate active_rate(const ib_port_info_t& info, const ib_mlnx_ext_port_info_t& extended);

}  // namespace pssp
