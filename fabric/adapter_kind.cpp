#include "fabric/adapter_kind.h"

#include <string>

namespace pssp {
namespace {

/// The ASCII letters, in lower case.
std::string letters_alone(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') letters += static_cast<char>(c - 'A' + 'a');
    if (c >= 'a' && c <= 'z') letters += c;
  }
  return letters;
}

}  // namespace

EndPortKind adapter_kind(std::string_view description) {
  return letters_alone(description).find("aggregationnode") != std::string::npos
             ? EndPortKind::aggregation_node
             : EndPortKind::channel_adapter;
}

bool EndpointRoles::include(EndPortKind kind) const noexcept {
  switch (kind) {
    case EndPortKind::aggregation_node:
      return aggregation_nodes;
    case EndPortKind::router:
      return routers;
    case EndPortKind::channel_adapter:
      break;
  }
  return true;
}

EndpointRoles endpoint_roles(const Fabric& fabric) noexcept {
  EndpointRoles roles;
  for (const EndPortId e : fabric.endpoints()) {
    const EndPortKind kind = fabric.end_port(e).kind;
    roles.aggregation_nodes |= kind == EndPortKind::aggregation_node;
    roles.routers |= kind == EndPortKind::router;
  }
  return roles;
}

}  // namespace pssp
