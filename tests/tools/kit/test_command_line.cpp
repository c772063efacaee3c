// Tests how command lines are parsed, and which ones are refused.

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <initializer_list>

#include "base/error.h"
#include "tools/kit/command_line.h"

using namespace pssp;

namespace {

bool parse(CommandLine& line, std::initializer_list<const char*> words) {
  std::vector<const char*> arguments{"program"};
  arguments.insert(arguments.end(), words);
  return line.parse(static_cast<int>(arguments.size()), arguments.data());
}

/// The message of the usage error that the arguments cause; empty if there is none.
std::string refusal(CommandLine& line, std::initializer_list<const char*> words) {
  try {
    parse(line, words);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("values of each type are stored in the bound variables") {
  std::string text;
  std::vector<std::string> texts, list;
  int integer = 0;
  unsigned natural = 0;
  std::uint64_t large = 0;
  double real = 0;
  std::optional<unsigned> maybe, absent;
  bool flag = false, header = true;
  std::string bare;
  CommandLine line("program", "tests");
  line.option("TEXT", text, "").required();
  line.option("--texts", texts, "").one_at_a_time();
  line.option("--list", list, "").separated_by(',');
  line.option("-i,--integer,--whole", integer, "").range(-5, 5);
  line.option("--natural", natural, "");
  line.option("--large", large, "");
  line.option("--real", real, "").range(1e-7, 1);
  line.option("--maybe", maybe, "").range(0, 7);
  line.option("--absent", absent, "");
  line.flag("--flag", flag, "");
  line.flag("!--no-header", header, "");
  line.flag("--bare", "word", bare, "").one_of({"word", "other"});
  REQUIRE(parse(line, {"--texts",
                       "a",
                       "first",
                       "--texts",
                       "b",
                       "--list",
                       "x,y",
                       "--whole",
                       "-3",
                       "--natural",
                       "4000000000",
                       "--large",
                       "18446744073709551615",
                       "--real",
                       "0.5",
                       "--maybe",
                       "7",
                       "--flag",
                       "--no-header",
                       "--bare"}));
  CHECK(text == "first");
  CHECK(texts == std::vector<std::string>{"a", "b"});
  CHECK(list == std::vector<std::string>{"x", "y"});
  CHECK(integer == -3);
  CHECK(natural == 4000000000U);
  CHECK(large == UINT64_MAX);
  CHECK(real == 0.5);
  CHECK(maybe == 7U);
  CHECK_FALSE(absent);
  CHECK(flag);
  CHECK_FALSE(header);
  CHECK(bare == "word");
  CHECK(line.given("--integer"));
  CHECK(line.given("-i"));
  CHECK(line.given("TEXT"));
  CHECK_FALSE(line.given("--absent"));
}

TEST_CASE("a usage error names the refused argument") {
  unsigned number = 1;
  std::string word, file;
  bool flag = false;
  std::uint64_t large = 0;
  const auto refused = [&](std::initializer_list<const char*> words) {
    CommandLine line("program", "tests");
    line.option("FILE", file, "").required();
    const Option numbered = line.option("--number", number, "").range(1, 9);
    line.option("--word", word, "").one_of({"one", "two"}).excludes(numbered);
    line.flag("--flag", flag, "").needs(numbered);
    line.option("--large", large, "");
    return refusal(line, words);
  };
  CHECK_THAT(refused({}), Catch::Contains("FILE") && Catch::EndsWith("; see --help"));
  CHECK_THAT(refused({"f", "--colour"}), Catch::Contains("--colour"));
  CHECK_THAT(refused({"f", "--colour", "red"}), Catch::StartsWith("unknown option '--colour'"));
  CHECK_THAT(refused({"f", "g"}), Catch::Contains("g"));
  CHECK_THAT(refused({"f", "--number", "10"}), Catch::Contains("10"));
  CHECK_THAT(refused({"f", "--number", "-1"}), Catch::Contains("-1"));
  CHECK_THAT(refused({"f", "--large", "18446744073709551616"}), Catch::Contains("not in range 0"));
  CHECK_THAT(refused({"f", "--large", "-1"}), Catch::Contains("not in range 0"));
  CHECK_THAT(refused({"f", "--number", "2.5"}), Catch::Contains("2.5"));
  CHECK_THAT(refused({"f", "--word", "three"}), Catch::Contains("three"));
  CHECK_THAT(refused({"f", "--word", "one", "--number", "2"}), Catch::Contains("excludes"));
  CHECK_THAT(refused({"f", "--flag"}), Catch::Contains("requires"));
  CHECK_THAT(refused({"f", "--\x1B[1m"}), !Catch::Contains("\x1B"));
}

TEST_CASE("an error for an unknown option or command suggests the nearest one") {
  std::string set;
  CommandLine line("program", "");
  CommandLine& check = line.command("check", "");
  check.option("--table-blocks", set, "");
  CHECK_THAT(refusal(line, {"chekc"}), Catch::EndsWith("; did you mean check?"));
  CHECK_THAT(refusal(line, {"check", "--table-block", "3"}),
             Catch::EndsWith("; did you mean --table-blocks?"));
  CHECK_THAT(refusal(line, {"check", "--tabel-blocks=3"}),
             Catch::EndsWith("; did you mean --table-blocks?"));
  CHECK_THAT(refusal(line, {"check", "--color"}), Catch::EndsWith("(see --help)"));
}

TEST_CASE("each command has its own options, and the chosen one is known") {
  std::string set;
  CommandLine line("program", "tests");
  line.require_command();
  CommandLine& check = line.command("check", "");
  check.option("SET", set, "").required();
  CommandLine& list = line.command("list", "");
  REQUIRE(parse(line, {"check", "profile"}));
  CHECK(check.chosen());
  CHECK_FALSE(list.chosen());
  CHECK(check.given("SET"));
  CHECK(set == "profile");
  CHECK_THAT(refusal(line, {}), Catch::Contains("command"));
  CHECK_THAT(refusal(line, {"check"}), Catch::Contains("SET"));
  CHECK_THAT(refusal(line, {"other"}), Catch::Contains("other"));
}

TEST_CASE("output files that would overwrite an input or another output are refused") {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / "pssp_test_command_line";
  std::filesystem::create_directories(folder);
  const std::string input = folder / "input", link = folder / "link";
  std::ofstream(input) << "content";
  std::filesystem::remove(link);
  std::filesystem::create_symlink("input", link);
  const auto refused = [](std::initializer_list<const char*> words) {
    std::vector<std::string> inputs;
    std::string output = "-", table, spec;
    CommandLine line("program", "tests");
    line.option("--spec", spec, "").mentions();
    line.option("IN", inputs, "").reads();
    line.option("-o,--output", output, "").writes();
    line.option("--csv", table, "").writes();
    return refusal(line, words);
  };
  CHECK_THAT(refused({input.c_str(), "-o", link.c_str()}), Catch::Contains("is the input"));
  for (const std::string& spec :
       {input, input + "@leaf 4", "file:" + input, "27.4%:file:" + link + ",4.6%:tree"}) {
    CAPTURE(spec);
    CHECK_THAT(refused({"-", "--spec", spec.c_str(), "-o", input.c_str()}),
               Catch::Contains("is the input"));
    CHECK(refused({"-", "--spec", spec.c_str(), "-o", "x"}).empty());
  }
  // A text that does not name an existing file is not an input.
  CHECK(refused({"-", "--spec", "off", "-o", "off"}).empty());
  CHECK(refused({"-", "--spec", (std::string(40, ',') + input).c_str(), "-o", "x"}).empty());
  CHECK_THAT(refused({"-", "--spec", (std::string(40, ',') + input).c_str(), "-o", input.c_str()}),
             Catch::Contains("is the input"));
  CHECK_THAT(refused({"-", "-"}), Catch::Contains("standard input"));
  CHECK_THAT(refused({"-", "--csv", "-"}), Catch::Contains("written twice"));
  CHECK_THAT(refused({"-", "-o", "x", "--csv", "./x"}), Catch::Contains("written twice"));
  CHECK_THAT(refused({"-", "-o", ""}), Catch::Contains("empty"));
  CHECK(refused({input.c_str(), "-o", "x", "--csv", "y"}).empty());
  CHECK(refused({"-", "-o", "/dev/null", "--csv", "/dev/null"}).empty());
  std::filesystem::remove_all(folder);
}
