#include <catch2/catch.hpp>

#include "monitor/analysis/observed_traffic.h"
#include "monitor/analysis/traffic_owners.h"
#include "topologies/registry.h"

using namespace pssp;

TEST_CASE("What owners sent and received in a sweep is their matrix where storage only receives") {
  const Fabric fabric = make_fabric("full-mesh 2 --hosts 4");
  const ForwardingTables tables(fabric.switch_count(), fabric.max_lid());
  ObservedTraffic observed;
  observed.fabric = &fabric;
  observed.tables = &tables;
  observed.sweeps = 1;
  observed.jobs = {{{0, 1}}, {{2, 3}}};
  observed.groups.assign(8, 0);
  observed.groups[7] = 1;
  // Jobs of 100 and 200 bytes inside, which write 30 and 50 to host 4 and 7 to host 7.
  observed.sent = {137, 0, 0, 250, 0, 0, 0, 0};
  observed.received = {0, 100, 200, 0, 80, 0, 0, 7};
  const TrafficOwners owners(observed);
  CHECK(owners.owner_count() == 4);
  CHECK(owners.activity(owners.class_of(0, 1))[0] == Approx(100).epsilon(.01));
  CHECK(owners.activity(owners.class_of(2, 3))[0] == Approx(200).epsilon(.01));
  CHECK(owners.activity(owners.class_of(0, 4))[0] + owners.activity(owners.class_of(0, 7))[0] ==
        Approx(37).epsilon(.01));
  CHECK(owners.class_of(0, 2) == TrafficOwners::no_class);
  CHECK(owners.job_of_class(owners.class_of(0, 4)) == 0);
  CHECK(owners.job_of_class(owners.class_of(7, 3)) == 1);
  CHECK(owners.job_of_class(owners.class_of(5, 7)) == 2);
}

TEST_CASE("Hosts in no job are grouped by the beginning of their names") {
  const Fabric fabric = make_fabric("full-mesh 2 --hosts 2");
  const auto groups = groups_by_name(fabric);
  CHECK(groups == std::vector<std::uint8_t>(4, 0));
}
