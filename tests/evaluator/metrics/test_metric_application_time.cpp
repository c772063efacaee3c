// The table of "Multistage switches are not crossbars" (Cluster 2008), section 5.2: all twelve
// cells, from the shares of section 4 and the bandwidths of section 5.1.

#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "evaluator/metrics/application_time.h"

using namespace pssp;

namespace {

enum class Communication { tree, neighbor };

/// Share of the running time in communication of one kind.
struct Share {
  double percent;
  Communication pattern;
};

struct System {
  std::string name;
  double tree, neighbor;  // effective bandwidths of section 5.1
};

const std::array<System, 3> systems{
    {{"Ranger", .699, .624}, {"Atlas", .713, .607}, {"Thunderbird", .574, .374}}};

/// What the table would say, in per cent.
double cell(const System& system, const std::vector<Share>& shares) {
  std::vector<CommunicationPart> parts;
  for (const Share& share : shares) {
    parts.push_back({share.percent / 100,
                     share.pattern == Communication::tree ? system.tree : system.neighbor, ""});
  }
  return 100 * time_at_full_bandwidth(parts);
}

/// As printed, with two digits.
double printed(double percent) { return std::round(percent * 100) / 100; }

using Row = std::array<double, 3>;

void check_row(const std::vector<Share>& shares, const Row& paper) {
  for (std::size_t i = 0; i < systems.size(); ++i) {
    INFO(systems[i].name);
    CHECK(printed(cell(systems[i], shares)) == Approx(paper[i]).margin(1e-9));
  }
}

}  // namespace

TEST_CASE("Cluster 2008, section 5.2: the worked example") {
  const auto parts = parse_application("27.4%:0.374,4.6%:0.574");
  CHECK(printed(100 * time_at_full_bandwidth(parts)) == Approx(80.89));
}

TEST_CASE("Cluster 2008, section 5.2: MPQC, 9.2 % in collectives, all as trees") {
  check_row({{9.2, Communication::tree}}, {97.23, 97.36, 96.08});
}

TEST_CASE("Cluster 2008, section 5.2: MIMD, 86 % of 9.4 % to neighbours, 3.2 % of it as trees") {
  const std::vector<Share> shares{{9.4 * .86, Communication::neighbor},
                                  {9.4 * .032, Communication::tree}};
  CHECK(printed(cell(systems[0], shares)) == Approx(96.87));
  CHECK(printed(cell(systems[2], shares)) == Approx(94.81));
  // The paper prints 97.73 for Atlas. That is one digit off: by the same shares it is 96.74 (96.73
  // when cut off), and Atlas, whose neighbour bandwidth is below Ranger's, cannot be above it.
  CHECK(printed(cell(systems[1], shares)) == Approx(96.74));
  CHECK(97.73 - cell(systems[1], shares) == Approx(0.993).margin(5e-4));
}

TEST_CASE("Cluster 2008, section 5.2: POP, 27.4 % to neighbours, 4.59 % as trees") {
  // The text rounds: "about 84 %" and 14.1 % of 32.6 % are 27.384 % and 4.5966 %.
  check_row({{27.4, Communication::neighbor}, {4.59, Communication::tree}}, {88.32, 87.91, 80.89});
  // With the rounded 4.6 % one cell is a hundredth off.
  const std::vector<Share> rounded{{27.4, Communication::neighbor}, {4.6, Communication::tree}};
  CHECK(printed(cell(systems[0], rounded)) == Approx(88.31));
  CHECK(printed(cell(systems[1], rounded)) == Approx(87.91));
  CHECK(printed(cell(systems[2], rounded)) == Approx(80.89));
}

TEST_CASE("Cluster 2008, section 5.2: Octopus, Allreduce as tree, Alltoallv as neighbours") {
  check_row({{10.5 * .619, Communication::tree}, {10.5 * .219, Communication::neighbor}},
            {97.18, 97.23, 95.79});
}

TEST_CASE("Cluster 2008, section 5.2: the paper's shares are those that fit its table best") {
  // Least squares for the shares of trees and neighbours over the three systems. The cells are
  // rounded to a hundredth, which leaves the shares uncertain by about a tenth.
  const auto solve = [](const Row& paper) {
    double tt = 0;
    double tn = 0;
    double nn = 0;
    double tp = 0;
    double np = 0;
    for (std::size_t i = 0; i < systems.size(); ++i) {
      const double t = 1 - systems[i].tree;
      const double n = 1 - systems[i].neighbor;
      const double saved = 100 - paper[i];
      tt += t * t;
      tn += t * n;
      nn += n * n;
      tp += t * saved;
      np += n * saved;
    }
    const double determinant = tt * nn - tn * tn;
    return std::array<double, 2>{(tp * nn - np * tn) / determinant,
                                 (np * tt - tp * tn) / determinant};
  };
  const auto octopus = solve({97.18, 97.23, 95.79});
  CHECK(octopus[0] == Approx(10.5 * .619).margin(0.05));
  CHECK(octopus[1] == Approx(10.5 * .219).margin(0.04));
  const auto pop = solve({88.32, 87.91, 80.89});
  CHECK(pop[0] == Approx(4.59).margin(0.11));
  CHECK(pop[1] == Approx(27.4).margin(0.08));
  const auto mpqc = solve({97.23, 97.36, 96.08});
  CHECK(mpqc[0] == Approx(9.2).margin(0.05));
  CHECK(mpqc[1] == Approx(0).margin(0.03));
}

TEST_CASE("shares of an application are read as fractions and per cent, with patterns too") {
  const std::vector<CommunicationPart> expected{
      {.25, .5, ""}, {.125, 0, "neighbor:6"}, {.03125, 0, "tree"}};
  CHECK(parse_application("0.25:0.5,12.5%:neighbor:6,3.125%:tree") == expected);
  CHECK(time_at_full_bandwidth({}) == 1);
  CHECK(time_at_full_bandwidth(parse_application("100%:0.25")) == .25);
  CHECK(time_at_full_bandwidth(parse_application("0.5:1")) == 1);
}

TEST_CASE("what is no application is refused, with the reason") {
  for (const char* text : {"", ",", "27.4%", "27.4%:", ":0.5", "abc:0.5", "-1%:0.5", "101%:0.5",
                           "1.01:0.5", "50%:0.5,51%:0.5", "10%:0", "10%:-0.5", "10%:inf",
                           "nan%:0.5", "10%:0.5,", "10 %:0.5", "0x1p-3:0.5"}) {
    INFO(text);
    try {
      static_cast<void>(parse_application(text));
      // "inf" is no number here, but could be the name of a pattern: the registry refuses it.
      CHECK(std::string(text) == "10%:inf");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::usage);
      CHECK(std::string(error.what()).size() > 40);
    }
  }
}
