#include <sys/stat.h>

#include <array>
#include <fstream>
#include <thread>

#include "fabric/formats/lft_writer.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/omnet/omnet_writer.h"
#include "fabric/formats/orcs/dot_writer.h"
#include "fabric/input/fabric_input.h"
#include "routing/engines/engine.h"
#include "tests/fabric/formats/format_testing.h"
#include "tests/temporary_file.h"
#include "topologies/registry.h"

namespace pssp {
namespace {

using test::error_of;
using test::sample;

FabricInput read(std::initializer_list<std::filesystem::path> paths) {
  return read_fabric_input(std::span(paths.begin(), paths.size()));
}

TEST_CASE("any topology can be read with any tables, in any order") {
  const FabricInput reference =
      read({sample("golden/lmc0.ibnetdiscover"), sample("golden/lmc0.opensm-lfts.dump")});
  REQUIRE(reference.tables.has_value());
  for (const char* const topology :
       {"golden/lmc0.ibnetdiscover", "golden/lmc0.opensm-subnet.lst"}) {
    for (const char* const tables :
         {"golden/lmc0.opensm-lfts.dump", "golden/lmc0.dump_fts", "golden/lmc0.opensm.fdbs"}) {
      INFO(topology << " " << tables);
      const FabricInput one = read({sample(topology), sample(tables)});
      const FabricInput other = read({sample(tables), sample(topology)});
      test::check_equal(one.fabric, reference.fabric);
      CHECK(one.tables == reference.tables);
      CHECK(other.tables == reference.tables);
      CHECK(one.warnings.empty());
    }
  }
  CHECK_FALSE(read({sample("golden/lmc0.ibnetdiscover")}).tables.has_value());
}

TEST_CASE("graphs and files of OMNeT++ are read with their tables") {
  const Fabric fabric = make_fabric("mesh 3x3 --hosts 2 --ports thesis --lids=hosts-first");
  const ForwardingTables tables = make_engine("pssp", {})->route(fabric).tables;
  const test::TemporaryFile graph(to_dot(fabric, &tables)), bare_graph(to_dot(fabric, nullptr)),
      ned(to_omnet_ned(fabric)), fdbs(to_omnet_fdbs(fabric, tables)),
      dump(to_lft_dump(fabric, tables));
  const auto check = [&](const FabricInput& input) {
    REQUIRE(input.tables.has_value());
    for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
      for (const EndPort& to : fabric.end_ports())
        CHECK(input.tables->at(SwitchId(s), to.lid) == tables.at(SwitchId(s), to.lid));
    }
  };
  check(read({graph.path()}));
  check(read({ned.path(), fdbs.path()}));
  check(read({fdbs.path(), ned.path()}));
  check(read({bare_graph.path(), dump.path()}));
  // A separate file of tables replaces the tables of the graph.
  check(read({graph.path(), dump.path()}));
  CHECK(read({graph.path(), dump.path()}).fabric.switches()[0].lid != no_lid);
  CHECK_FALSE(read({ned.path()}).tables.has_value());
  CHECK_FALSE(read({bare_graph.path()}).tables.has_value());
}

TEST_CASE("tables can be read from a pipe") {
  const test::TemporaryFile place("");
  std::filesystem::remove(place.path());
  REQUIRE(::mkfifo(place.path().c_str(), 0600) == 0);
  const std::string dump = test::sample_text("golden/lmc0.opensm-lfts.dump");
  std::thread writer([&] { std::ofstream(place.path(), std::ios::binary) << dump; });
  const FabricInput input = read({place.path(), sample("golden/lmc0.ibnetdiscover")});
  writer.join();
  CHECK(input.tables.has_value());
}

TEST_CASE("files that do not belong together are refused") {
  const std::filesystem::path net = sample("golden/small.net"),
                              dump = sample("golden/lmc0.dump_fts");
  const test::TemporaryFile fdbs("11: 255 0 1\n"), json("{\"a\": 1}"), empty("");
  CHECK_THAT(error_of([&] {
               read({net, net});
             }),
             Catch::StartsWith("2: ") && Catch::Contains("are both topologies"));
  CHECK_THAT(error_of([&] {
               read({dump, dump});
             }),
             Catch::StartsWith("2: ") && Catch::Contains("are both forwarding tables"));
  CHECK_THAT(error_of([&] { read({dump}); }), Catch::StartsWith("2: a topology is missing"));
  CHECK_THAT(error_of([&] { read({fdbs.path()}); }),
             Catch::StartsWith("4: ") && Catch::Contains("name their network"));
  CHECK_THAT(error_of([&] { read({fdbs.path(), net}); }), Catch::StartsWith("4: "));
  CHECK_THAT(error_of([&] { read({json.path()}); }),
             Catch::StartsWith("3: ") && Catch::Contains("it looks like a JSON document"));
  CHECK_THAT(error_of([&] { read({empty.path()}); }), Catch::Contains("an empty file"));
  CHECK_THAT(error_of([&] { read({"/no/such/file"}); }), Catch::StartsWith("3: cannot read"));
}

}  // namespace
}  // namespace pssp
