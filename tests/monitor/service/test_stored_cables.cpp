// The other ends of links that went down in an earlier process.

#include <catch2/catch.hpp>
#include <memory>

#include "monitor/service/stored_cables.h"
#include "monitor/store/history_writer.h"
#include "tests/monitor/synthetic_fabric.h"
#include "tests/temporary_folder.h"

using namespace pssp;

TEST_CASE("the history has the other end of a link that is down, also after later maps",
          "[monitor]") {
  test::TemporaryFolder folder;
  HistoryOptions options;
  options.file = folder.path() / "history.db";
  SyntheticFabric fabric("k-ary-n-tree 2 2");
  const FabricMap whole = fabric.map();
  std::uint32_t port = 0;
  while (whole.ports[port].peer == MapPort::no_peer) ++port;
  const std::uint32_t peer = whole.ports[port].peer;
  VerdictRecord down;
  down.port = {whole.node_of(whole.ports[port]).guid, whole.ports[port].number};
  down.what = link_state;
  CHECK(stored_peers(options.file, {down}).empty());
  {
    HistoryWriter writer(options);
    const auto write = [&](const FabricMap& map) {
      const auto snapshot = fabric.next();
      snapshot->map = std::make_shared<const FabricMap>(map);
      writer.write(snapshot);
    };
    write(whole);
    FabricMap cut = whole;
    for (const std::uint32_t end : {port, peer}) cut.ports[end].peer = MapPort::no_peer;
    write(cut);
    cut.nodes.front().description = "another name";
    write(cut);
  }
  const auto peers = stored_peers(options.file, {down});
  REQUIRE(peers.size() == 1);
  CHECK(peers.at(down.port).key ==
        PortKey{whole.node_of(whole.ports[peer]).guid, whole.ports[peer].number});
  CHECK(peers.at(down.port).name == whole.node_of(whole.ports[peer]).description);

  VerdictRecord errors = down;
  errors.what = "symbol_errors";
  VerdictRecord elsewhere = down;
  elsewhere.port = {0xabcd, 1};
  CHECK(stored_peers(options.file, {errors, elsewhere}).empty());
}
