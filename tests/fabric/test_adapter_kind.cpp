#include <catch2/catch.hpp>

#include "fabric/adapter_kind.h"

using namespace pssp;

TEST_CASE("aggregation nodes are recognized by any spelling of their description") {
  for (const char* text :
       {"Mellanox Technologies Aggregation Node", "NVIDIA Aggregation Node", "Aggregation  Node",
        "aggregation node", "AGGREGATION_NODE", "Quantum-2 AggregationNode HCA-1",
        "MF0;leaf-1:MQM9700/U1 Aggregation-Node 0"}) {
    INFO(text);
    CHECK(adapter_kind(text) == EndPortKind::aggregation_node);
  }
  for (const char* text : {"", "node1 mlx5_0", "Aggregation", "aggregator-node1 HCA-1",
                           "node aggregation", "MF0;mamba-1:Q3400_RA/U1/RT"}) {
    INFO(text);
    CHECK(adapter_kind(text) == EndPortKind::channel_adapter);
  }
}
