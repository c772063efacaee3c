// Parsing of arguments by ArgumentList: accepted values and errors.

#include <catch2/catch.hpp>
#include <initializer_list>

#include "base/error.h"
#include "topologies/arguments.h"

using namespace pssp;

namespace {

struct Values {
  std::string sizes, more, scheme;
  unsigned hosts = 1;
  std::optional<unsigned> groups;
  std::uint64_t seed = 1;
  bool islands = false;
  ArgumentList list;

  Values() {
    list.add("SIZES", sizes, "").required();
    list.add("MORE", more, "").one_of({"red", "blue"});
    list.add("--hosts", hosts, "").range(0, 100);
    list.add("--groups", groups, "");
    list.add("--seed", seed, "");
    list.add("--islands", islands, "");
    list.add("--scheme", scheme, "").bare("usual").one_of({"usual", "other"});
  }

  std::string refusal(std::initializer_list<std::string> words) {
    try {
      list.parse(words);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      return error.what();
    }
    return "";
  }
};

}  // namespace

TEST_CASE("options may be in any order between the operands") {
  Values values;
  values.list.parse({"--hosts", "0x10", "4x4", "--seed=18446744073709551615", "blue", "--islands",
                     "--scheme", "--groups", "4294967295"});
  CHECK(values.sizes == "4x4");
  CHECK(values.more == "blue");
  CHECK(values.hosts == 16);
  CHECK(values.groups == 4294967295U);
  CHECK(values.seed == UINT64_MAX);
  CHECK(values.islands);
  CHECK(values.scheme == "usual");
}

TEST_CASE("absent arguments keep their values, and a bare option does not take the next word") {
  Values values;
  values.list.parse({"--scheme", "4x4"});
  CHECK(values.sizes == "4x4");
  CHECK(values.scheme == "usual");
  CHECK(values.hosts == 1);
  CHECK_FALSE(values.groups);
  Values others;
  others.list.parse({"4x4", "--scheme=other"});
  CHECK(others.scheme == "other");
}

TEST_CASE("arguments refuse invalid, missing, repeated and unknown words") {
  const auto refused = [](std::initializer_list<std::string> words) {
    return Values().refusal(words);
  };
  CHECK_THAT(refused({}), Catch::Contains("SIZES is required"));
  CHECK_THAT(refused({"4", "green"}), Catch::Contains("not one of red, blue"));
  CHECK_THAT(refused({"4", "red", "5"}), Catch::Contains("unexpected argument '5'"));
  CHECK_THAT(refused({"4", "--hosts"}), Catch::Contains("--hosts needs a value"));
  CHECK_THAT(refused({"4", "--hosts", "101"}), Catch::Contains("from 0 to 100"));
  CHECK_THAT(refused({"4", "--hosts", "-1"}), Catch::Contains("'-1'"));
  CHECK_THAT(refused({"4", "--hosts="}), Catch::Contains("''"));
  CHECK_THAT(refused({"4", "--groups", "4294967296"}), Catch::Contains("4294967295"));
  CHECK_THAT(refused({"4", "--seed", "18446744073709551616"}), Catch::Contains("whole number"));
  CHECK_THAT(refused({"4", "--hosts", "1", "--hosts", "2"}), Catch::Contains("twice"));
  CHECK_THAT(refused({"4", "--islands=maybe"}), Catch::Contains("takes no value"));
  CHECK_THAT(refused({"4", "--scheme=mine"}), Catch::Contains("'mine' is not one of"));
  CHECK_THAT(refused({"4", "-h"}), Catch::Contains("'-h'"));
}
