#include "fabric/adapter_kind.h"

namespace pssp {

EndPortKind adapter_kind(std::string_view description) noexcept {
  return description.find("Aggregation Node") != std::string_view::npos
             ? EndPortKind::aggregation_node
             : EndPortKind::channel_adapter;
}

}  // namespace pssp
