#include "evaluator/scoring/fabric_summary.h"

#include <algorithm>

namespace pssp {

FabricSummary summarise(const Fabric& fabric) {
  FabricSummary summary;
  summary.hosts = fabric.endpoints().size();
  summary.end_ports = fabric.end_port_count();
  summary.without_lid = fabric.endpoints_without_lid();
  summary.switches = fabric.switch_count();
  summary.channels = fabric.channel_count();
  summary.links = fabric.channel_count() / 2;
  summary.lids = fabric.lids().size();
  summary.reference_capacity = fabric.reference_capacity();
  for (const EndPort& port : fabric.end_ports()) {
    if (port.kind == EndPortKind::aggregation_node) ++summary.aggregation_nodes;
    if (port.kind == EndPortKind::router) ++summary.routers;
    if (port.attached.valid()) ++summary.links;
  }
  return summary;
}

}  // namespace pssp
