// Compares NodeInfo with libibmad.

#include <infiniband/mad.h>

#include <catch2/catch.hpp>
#include <random>

#include "wire/subnet/node_info.h"

using namespace pssp;

TEST_CASE("libibmad reads the same NodeInfo from arbitrary bytes") {
  std::mt19937 random(1);
  for (int i = 0; i < 50; ++i) {
    MadData data;
    for (std::uint8_t& byte : data) byte = static_cast<std::uint8_t>(random());
    const NodeInfo info = decode_node_info(data);
    CHECK(static_cast<unsigned>(info.type) == mad_get_field(data.data(), 0, IB_NODE_TYPE_F));
    CHECK(info.ports == mad_get_field(data.data(), 0, IB_NODE_NPORTS_F));
    CHECK(info.node_guid == mad_get_field64(data.data(), 0, IB_NODE_GUID_F));
    CHECK(info.port_guid == mad_get_field64(data.data(), 0, IB_NODE_PORT_GUID_F));
    CHECK(info.device == mad_get_field(data.data(), 0, IB_NODE_DEVID_F));
    CHECK(info.vendor == mad_get_field(data.data(), 0, IB_NODE_VENDORID_F));
    CHECK(info.local_port == mad_get_field(data.data(), 0, IB_NODE_LOCAL_PORT_F));
  }
}

TEST_CASE("NodeInfo is requested by LID or along a directed route, with the matching class") {
  CHECK(node_info_request(subnet_management_at(3)).management_class == subnet_class);
  CHECK(node_info_request(subnet_management_along({})).management_class == directed_subnet_class);
  CHECK(header_of(encode(node_info_request(subnet_management_at(3)), 1)).attribute ==
        IB_ATTR_NODE_INFO);
}
