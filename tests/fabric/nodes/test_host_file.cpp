#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "fabric/nodes/host_file.h"

using namespace pssp;

namespace {
using HostNames = std::vector<std::string>;
}

TEST_CASE("hostfiles of Open MPI, MPICH and Slurm are read as lists of names") {
  CHECK(parse_host_file("# all\r\nnode1 slots=8 max_slots=16\nnode2:4\n\n n[3-4]\t# two\nnode2\n",
                        "hosts") == HostNames{"node1", "node2", "n3", "n4"});
  CHECK(parse_host_file("", "hosts").empty());
  CHECK(parse_host_file("a:b\nc:\n", "hosts") == HostNames{"a:b", "c:"});
  CHECK_THROWS_WITH(parse_host_file("a\nn[1\n", "hosts"), Catch::StartsWith("hosts:2: "));
}

TEST_CASE("read_host_names expands a list and refuses empty and invalid ones") {
  CHECK(read_host_names("n[1-2],n1") == HostNames{"n1", "n2"});
  CHECK_THROWS_AS(read_host_names(""), Error);
  CHECK_THROWS_AS(read_host_names("n[2"), Error);
}
