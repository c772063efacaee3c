// Common to all engines: checks that the fabric has LIDs and that the request is not stopped, and
// numbers trees by their structure.

#include "routing/engines/engine.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "routing/trees/numbered_tree.h"
#include "routing/trees/tree_levels.h"
#include "routing/trees/tree_shape.h"

namespace pssp {
namespace {

bool has_link(const Fabric& fabric) {
  return fabric.channel_count() != 0 ||
         std::ranges::any_of(fabric.end_ports(),
                             [](const EndPort& port) { return port.attached.valid(); });
}

}  // namespace

Routing RoutingEngine::route(const Fabric& fabric, const RouteRequest& request) const {
  if (!fabric.has_lids()) {
    if (!has_link(fabric)) {
      throw Error(ErrorKind::unsuitable_topology,
                  "no port of the fabric has a link: all ports are down; check the cables, and run "
                  "'ibstat' on the nodes");
    }
    throw Error(ErrorKind::usage, "the fabric has no LIDs to route; assign LIDs first");
  }
  request.stop.check("routing");
  return route_by_structure(
      fabric, request,
      [this](const Fabric& numbered, const RouteRequest& of_numbered,
             const ToOriginal& /*original*/) { return compute(numbered, of_numbered); });
}

Routing route_by_structure(const Fabric& fabric, const RouteRequest& request,
                           const Construction& construct) {
  if (!fabric.is_numbered_by_guid() || !is_tree(fabric, switch_ranks(fabric))) {
    return construct(fabric, request, [](const ForwardingTables& tables) { return tables; });
  }
  const NumberedTree tree = number_by_structure(fabric);
  const ToOriginal original = [&tree](const ForwardingTables& tables) {
    return with_original_numbers(tree, tables);
  };
  RouteRequest of_tree = request;
  if (request.accept) {
    of_tree.accept = [&](const ForwardingTables& tables) {
      return request.accept(original(tables));
    };
  }
  Routing routing = construct(tree.fabric, of_tree, original);
  routing.tables = original(routing.tables);
  routing.notes.tree = describe_tree(fabric, tree.missing);
  routing.notes.inferred = with_original_numbers(tree, std::move(routing.notes.inferred));
  return routing;
}

}  // namespace pssp
