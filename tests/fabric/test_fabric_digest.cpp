#include <catch2/catch.hpp>
#include <utility>

#include "fabric/builder.h"
#include "fabric/fabric_digest.h"

using namespace pssp;

namespace {

struct Parts {
  LinkRate rate{4, 8000};
  unsigned host_lid = 3;
  PortNumber far_port = 1;
  Guid far_guid = 0x20;
  const char* description = "near";
};

/// The digest of a fabric with two switches, a link between them, and a host.
DigestValue digest_with(const Parts& parts) {
  FabricBuilder builder;
  const NodeId far = builder.add_switch(parts.far_guid, 8, "far", "far");
  const NodeId near = builder.add_switch(0x10, 4, "near", parts.description);
  const NodeId host = builder.add_adapter(0x100, 1, EndPortKind::channel_adapter, "", "");
  builder.connect(far, parts.far_port, near, 1, parts.rate);
  builder.connect(host, 1, near, 2, {4, 8000});
  builder.set_lid(far, 0, 1, 0);
  builder.set_lid(near, 0, 2, 0);
  builder.set_lid(host, 1, parts.host_lid, 0);
  return digest_of(std::move(builder).build());
}

}  // namespace

TEST_CASE("the digest of a fabric depends on rates, LIDs, ports, GUIDs and descriptions") {
  const DigestValue digest = digest_with({});
  CHECK(digest == digest_with({}));
  CHECK(digest != digest_with({.rate = {4, 10'000}}));
  CHECK(digest != digest_with({.host_lid = 4}));
  CHECK(digest != digest_with({.far_port = 2}));
  CHECK(digest != digest_with({.far_guid = 0x21}));
  CHECK(digest != digest_with({.description = "core"}));
}
