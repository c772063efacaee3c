// Compares our patterns with the output of ORCS. ORCS is not part of this project: the test is
// skipped unless the environment variable PSSP_ORCS contains the path of the ORCS program.

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "evaluator/patterns/print_pattern.h"
#include "tests/evaluator/patterns/pattern_testing.h"
#include "tests/temporary_file.h"

using namespace pssp;
using namespace pssp::test;

namespace {

constexpr std::uint32_t hosts = 40;

std::string host_name(std::uint32_t host) {
  std::string number = std::to_string(host);
  return "H" + std::string(4 - number.size(), '0') + number;
}

/// A fabric of one switch. ORCS requires a NUL byte at the end of the file.
std::string star() {
  std::string text = "digraph star {\n";
  for (std::uint32_t h = 0; h < hosts; ++h) {
    text += host_name(h) + " -> S [comment=\"*\"];\n";
    text += "S -> " + host_name(h) + " [comment=\"" + host_name(h) + "\"];\n";
  }
  return text + "}\n" + '\0';
}

std::string output_of(const std::string& command) {
  struct Close {
    void operator()(std::FILE* pipe) const { pclose(pipe); }
  };
  const std::unique_ptr<std::FILE, Close> pipe(popen(command.c_str(), "r"));
  REQUIRE(pipe != nullptr);
  std::string text;
  for (int c = std::getc(pipe.get()); c != EOF; c = std::getc(pipe.get())) {
    text.push_back(static_cast<char>(c));
  }
  return text;
}

/// The part of the ORCS output that lists the phases.
std::string levels_in(const std::string& output) {
  const std::size_t first = output.find("\nUsed Pattern:\n");
  const std::string rule = "\n=================\n";
  const std::size_t last = output.rfind(rule);
  if (first == std::string::npos || last == std::string::npos) return output;
  return output.substr(first, last + rule.size() - first);
}

std::string ours(const PatternSpec& request) {
  std::vector<std::string> names;
  for (std::uint32_t i = 0; i < request.ranks; ++i) names.push_back(host_name(i));
  const auto pattern = make_pattern(request);
  std::string text;
  for (std::uint32_t level = 0; level < pattern->level_count(); ++level) {
    print_level(*pattern, level, RandomGenerator(1, 1), names,
                [&text](std::string_view part) { text += part; });
  }
  return text;
}

}  // namespace

TEST_CASE("patterns are identical to the patterns that ORCS prints") {
  const char* const orcs = std::getenv("PSSP_ORCS");
  if (orcs == nullptr) {
    std::cout << "skipped: set PSSP_ORCS to the path of ORCS's program 'orcs'\n";
    return;
  }
  const TemporaryFile graph(star());
  struct Case {
    std::string pattern, orcs_name, orcs_argument;
  };
  const std::vector<Case> cases = {
      {"bisect", "bisect", ""},
      {"bisect_fb_sym", "bisect_fb_sym", ""},
      {"tree", "tree", ""},
      {"dissemination", "bruck", ""},
      {"gather", "gather", ""},
      {"scatter", "scatter", ""},
      {"ring", "ring", ""},
      {"recdbl", "recdbl", ""},
      {"6neighbor", "neighbor", "6"},
      {"recvs_one_src:3,linear", "recvs_one_src", "3,1,0,linear"},
      {"recvs_all_src:3,linear", "recvs_all_src", "3,1,0,linear"},
      {"ptrnvsptrn:ring::recdbl", "ptrnvsptrn", "ring::recdbl"},
      {"ptrnvsptrn:tree::neighbor:4", "ptrnvsptrn", "tree::neighbor:4"},
  };
  for (const Case& each : cases) {
    for (const std::uint32_t ranks : {4U, 7U, 16U, 23U, hosts}) {
      PatternSpec request;
      request.pattern = each.pattern;
      request.ranks = ranks;
      request.ranks_of_first = 3;
      const std::string command =
          std::string(orcs) + " -d --printptrn --subset guid_order_asc -z 3 -s " +
          std::to_string(ranks) + " -i " + graph.path() + " -p " + each.orcs_name +
          (each.orcs_argument.empty() ? "" : " -a " + each.orcs_argument);
      CAPTURE(command);
      CHECK(levels_in(output_of(command)) == ours(request));
    }
  }
}
