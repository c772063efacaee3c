#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "base/error.h"
#include "base/option_table.h"

using namespace pssp;
using Catch::Matchers::Contains;

namespace {

enum class Colour : std::uint8_t { red, green };

struct Sample {
  unsigned length = 12;
  std::optional<unsigned> passes;
  Colour colour = Colour::green;
  bool loud = true;
  std::string name = "none";
  std::filesystem::path file;
};

constexpr std::array<std::string_view, 2> colours{"red", "green"};
constexpr std::array<std::string_view, 1> automatic{"auto"};
constexpr std::array sample_lines{
    number_option<&Sample::length>("length", 1, 20, "how long"),
    optional_number_option<&Sample::passes>("passes", automatic, 0, 9, "how often"),
    choice_option<&Sample::colour>("colour", colours, "of what"),
    switch_option<&Sample::loud>("loud", "whether"),
    text_option<&Sample::name>("name", "NAME", "of whom"),
    file_option<&Sample::file>("file", "FILE", "where")};
constexpr OptionTable<Sample> table(sample_lines);

Sample read(const std::map<std::string, std::string, std::less<>>& given) {
  return table.read([&](std::string_view name) {
    const auto found = given.find(name);
    return found == given.end() ? std::nullopt
                                : std::optional(GivenOption{found->first, found->second});
  });
}

}  // namespace

TEST_CASE("the default of an option is the initializer of its member") {
  const Sample sample = read({});
  CHECK(sample.length == 12);
  CHECK_FALSE(sample.passes);
  CHECK(sample.colour == Colour::green);
  CHECK(sample.loud);
  CHECK(sample.file.empty());

  const std::vector<OptionDescription> all = table.describe();
  REQUIRE(all.size() == 6);
  CHECK(all[0].values == "1 .. 20");
  CHECK(all[0].fallback == "12");
  CHECK(all[1].values == "auto | 0 .. 9");
  CHECK(all[1].fallback == "auto");
  CHECK(all[2].values == "red | green");
  CHECK(all[2].fallback == "green");
  CHECK(all[3].values == "on | off");
  CHECK(all[3].fallback == "on");
  CHECK(all[4].values == "NAME");
  CHECK(all[4].fallback == "none");
  CHECK(all[5].fallback.empty());
}

TEST_CASE("an option table reads all allowed values") {
  const Sample sample = read({{"length", "20"},
                              {"passes", "9"},
                              {"colour", "red"},
                              {"loud", "off"},
                              {"name", "x=y"},
                              {"file", "/a/b"}});
  CHECK(sample.length == 20);
  CHECK(sample.passes == 9U);
  CHECK(sample.colour == Colour::red);
  CHECK_FALSE(sample.loud);
  CHECK(sample.name == "x=y");
  CHECK(sample.file == "/a/b");
  CHECK_FALSE(read({{"passes", "auto"}}).passes);
  CHECK(table.describe(sample)[2].fallback == "red");
}

TEST_CASE("an option table refuses other values and names the allowed ones") {
  for (const char* const length :
       {"0", "21", "-1", "1.5", "1x", "0x1", "", "99999999999999999999"}) {
    CHECK_THROWS_WITH(read({{"length", length}}),
                      "option length=" + std::string(length) + ": not a number from 1 to 20");
  }
  CHECK_THROWS_WITH(read({{"passes", "many"}}),
                    "option passes=many: not auto or a number from 0 to 9");
  CHECK_THROWS_WITH(read({{"colour", "blue"}}), "option colour=blue: not red or green");
  CHECK_THROWS_WITH(read({{"colour", "gren"}}),
                    "option colour=gren: not red or green; did you mean green?");
  CHECK_THROWS_WITH(read({{"loud", "1"}}), Contains("on or off"));
  try {
    read({{"loud", "yes"}});
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
  }
}

TEST_CASE("errors quote at most 60 characters of a value") {
  const std::string value(6000, 'x');
  CHECK_THROWS_WITH(read({{"colour", value}}),
                    Contains(value.substr(0, 60) + "...:") && !Contains(value.substr(0, 61)));
}

TEST_CASE("an option table is printed as Markdown") {
  const std::string rows = markdown_rows(table.describe());
  CHECK_THAT(rows, Contains("| `colour` | red, green | green | of what |\n") &&
                       Contains("| `passes` | auto, 0 .. 9 | auto | how often |\n") &&
                       Contains("| `file` | FILE | none | where |\n"));
}
