#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "fabric/nodes/host_list.h"

using namespace pssp;

namespace {

using Names = std::vector<std::string>;

std::string refusal(const std::string& list) {
  try {
    expand_host_list(list);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unreadable_input);
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("host lists are expanded as in Slurm") {
  CHECK(expand_host_list("").empty());
  CHECK(expand_host_list("n1") == Names{"n1"});
  CHECK(expand_host_list("n[1-3,07-09],gpu[1-2]x[0-1]") ==
        Names{"n1", "n2", "n3", "n07", "n08", "n09", "gpu1x0", "gpu1x1", "gpu2x0", "gpu2x1"});
  CHECK(expand_host_list("n[98-101]") == Names{"n98", "n99", "n100", "n101"});
  CHECK(expand_host_list("n[098-101]") == Names{"n098", "n099", "n100", "n101"});
  CHECK(expand_host_list("n[7-09]") == Names{"n7", "n8", "n9"});
  CHECK(expand_host_list("n[07-9]") == Names{"n07", "n08", "n09"});
  CHECK(expand_host_list("[1-2]") == Names{"1", "2"});
  CHECK(expand_host_list("a[1-2][3-4]") == Names{"a13", "a14", "a23", "a24"});
  CHECK(expand_host_list("n1,n1") == Names{"n1", "n1"});
  CHECK(expand_host_list("n[1-2]-ib") == Names{"n1-ib", "n2-ib"});
}

TEST_CASE("invalid host lists are refused with the position") {
  CHECK(refusal("n[1") ==
        "the list of nodes 'n[1' cannot be read at character 4: the bracket is not closed; "
        "expected names as in n[1-3,07-09],gpu[1-2]x[0-3]");
  for (const char* list :
       {"n]1",      "n[]",    "n[1,]", "n[,1]",    "n[[1]]",         "n[1[2]]", "n[a]",
        "n[1-2-3]", "n[3-1]", "n[-1]", "n[1-]",    "n[ 1]",          "n1 n2",   "a,,b",
        ",a",       "a,",     ",",     "n\x1b[1]", "n[12345678901]", "n\n"}) {
    INFO(list);
    CHECK(!refusal(list).empty());
  }
}

TEST_CASE("host lists that are too large are refused before they are expanded") {
  CHECK(expand_host_list("n[0-65535]").size() == 65'536);
  CHECK(!refusal("n[0-65536]").empty());
  CHECK(!refusal("n[0-65535],m").empty());
  CHECK(!refusal("n[0-9999999999]x[0-9999999999]x[0-9999999999]x[0-9999999999]").empty());
  CHECK(!refusal("a[1][1][1][1][1][1][1][1][1][1]").empty());
  CHECK(!refusal(std::string(256, 'n')).empty());
  CHECK(expand_host_list(std::string(255, 'n')).size() == 1);
  CHECK(!refusal(std::string(254, 'n') + "[9-10]").empty());
  CHECK_THROWS_AS(expand_host_list("n[1-3]", 2), Error);
  CHECK(expand_host_list("n[1-2]", 2).size() == 2);
  // An error at the end of a long list is found before the list is expanded.
  std::string list;
  for (int i = 0; i < 1000; ++i) list += "n[0-65],";
  CHECK(!refusal(list + "[").empty());
}

TEST_CASE("names that differ by their last number share a bracket") {
  const auto list = [](const Names& names) { return compress_host_list(names); };
  CHECK(list({}).empty());
  CHECK(list({"n1"}) == "n1");
  CHECK(list({"luna-0001", "luna-0002", "luna-0004"}) == "luna-[0001-0002,0004]");
  CHECK(list({"n8", "n9", "n10"}) == "n[8-10]");
  CHECK(list({"n08", "n9"}) == "n[08,9]");
  CHECK(list({"n098", "n099", "n100"}) == "n[098-100]");
  CHECK(list({"n3", "n2", "n2"}) == "n[3,2,2]");
  CHECK(list({"a1-ib", "a2-ib", "a3"}) == "a[1-2]-ib,a3");
  CHECK(list({"x", "x", "1", "2"}) == "x,x,[1-2]");
  CHECK(list({"n12345678901", "n12345678902"}) == "n12345678901,n12345678902");
  CHECK(list({"n9999999999", "n10000000000"}) == "n9999999999,n10000000000");
  for (const char* name : {"", "a b", "a,b", "a[1]", "a\n", "a]"}) {
    INFO(name);
    CHECK_THROWS_AS(list({"n1", name}), Error);
  }
}

TEST_CASE("a compressed list expands to the same names in the same order") {
  RandomGenerator random(3, 0);
  for (int trial = 0; trial < 200; ++trial) {
    Names names;
    for (std::uint32_t i = 0; i < random.below(30); ++i) {
      const int width = static_cast<int>(random.below(4));
      std::string name = (random.below(3) != 0 ? "n" : "r1x") +
                         fmt::format("{:0{}}", 95 + random.below(12), width) +
                         (random.below(4) != 0 ? "" : "-ib");
      names.push_back(std::move(name));
    }
    if (random.below(2) != 0) std::sort(names.begin(), names.end());
    INFO(compress_host_list(names));
    CHECK(expand_host_list(compress_host_list(names)) == names);
  }
}
