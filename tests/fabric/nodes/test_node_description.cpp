#include <catch2/catch.hpp>
#include <string>

#include "fabric/nodes/node_description.h"

using namespace pssp;

TEST_CASE("numbers of any length in names are compared by value") {
  CHECK(compare_with_numbers("leaf 2 host 9", "leaf 2 host 10") < 0);
  CHECK(compare_with_numbers("leaf 10 host 1", "leaf 2 host 10") > 0);
  CHECK(compare_with_numbers("node007", "node7") == 0);
  CHECK(compare_with_numbers("node007a", "node7b") < 0);
  CHECK(compare_with_numbers("n123456789012345678901234567890", "n123456789012345678901234567891") <
        0);
  CHECK(compare_with_numbers("n999999999999999999999999999999",
                             "n1000000000000000000000000000000") < 0);
  CHECK(compare_with_numbers("n18446744073709551616", "n0") > 0);
  CHECK(compare_with_numbers("a", "a1") < 0);
  CHECK(compare_with_numbers("", "") == 0);
  CHECK(compare_with_numbers("a\tb", "a b") < 0);
  CHECK(compare_with_numbers("\xC3\xA9", "z") > 0);
  const std::string long_text(10'000, 'x');
  CHECK(compare_with_numbers(long_text + "2", long_text + "10") < 0);
}

TEST_CASE("a description that is empty or names only the product is not a node name") {
  CHECK(names_no_node(""));
  CHECK(names_no_node("  \t"));
  CHECK(names_no_node("MT4123 ConnectX6   Mellanox Technologies"));
  CHECK_FALSE(names_no_node("node1 HCA-1"));
  CHECK(names_no_node("Mellanox Technologies Aggregation Node"));
  CHECK_FALSE(names_no_node("MTS7"));
  CHECK_FALSE(names_no_node("Node12 HCA-1"));
}

TEST_CASE("default host names of installers, and GUIDs, are not node names") {
  for (const char* text :
       {"localhost", "localhost HCA-1", "LocalHost.localdomain mlx5_0", "localhost.localdomain",
        "localhost6.localdomain6 HCA-2", "(none)", "(none) mlx5_0", " (none) ", "ubuntu mlx5_0",
        "H-0002c90300001001", " H-946DAE0300630BFE ", "Mellanox Technologies Aggregation Node"}) {
    INFO(text);
    CHECK(names_no_node(text));
  }
  for (const char* text : {"localhost1 HCA-1", "none1", "H-1", "H-0002c90300001001 mlx5_0", "node1",
                           "H-000000000000node", "plato7  MT4119 ConnectX5"}) {
    INFO(text);
    CHECK_FALSE(names_no_node(text));
  }
  CHECK(is_installer_name("localhost"));
  CHECK_FALSE(is_installer_name("localhost1"));
}

TEST_CASE("a product after one word is the adapter of the node") {
  const auto words = node_and_adapter("plato7  MT4119 ConnectX5 ");
  REQUIRE(words);
  CHECK(words->node == "plato7");
  CHECK(words->adapter == "MT4119 ConnectX5");
  CHECK_FALSE(node_and_adapter("plato7 MT4119 port"));
}

TEST_CASE("a description of two words names a node and its adapter") {
  const auto words = node_and_adapter(" node12  mlx5_0\t");
  REQUIRE(words);
  CHECK(words->node == "node12");
  CHECK(words->adapter == "mlx5_0");
  for (const char* text : {"", "node12", "node12 mlx5_0 port 1", " \t"}) {
    INFO(text);
    CHECK_FALSE(node_and_adapter(text));
  }
}
