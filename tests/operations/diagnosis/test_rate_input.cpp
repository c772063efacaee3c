#include <catch2/catch.hpp>
#include <string>

#include "base/error.h"
#include "operations/diagnosis/rate_input.h"
#include "tests/operations/diagnosis/diagnosed_fabric.h"

using namespace pssp;
using namespace pssp::test;

namespace {

class Rates {
 public:
  explicit Rates(RateInputOptions options = {}) : input_(*made().nodes, options) {}

  static const DiagnosedFabric& made() {
    static const auto fabric = diagnosed_fabric("k-ary-n-tree 2 2", "pssp");
    return *fabric;
  }
  static std::string host(std::uint32_t rank) { return made().nodes->label(rank); }

  const std::vector<RateMeasurement>& of(const std::string& text) {
    input_.add(text, "rates");
    return input_.measurements();
  }
  std::string refusal(const std::string& text) {
    try {
      input_.add(text, "rates");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unreadable_input);
      return error.what();
    }
    return {};
  }
  std::size_t warnings() const { return input_.warnings().size(); }

 private:
  RateInput input_;
};

const std::string a = Rates::host(0), b = Rates::host(1), c = Rates::host(2);

}  // namespace

TEST_CASE("Rates are read from lines") {
  Rates rates;
  const auto& found =
      rates.of("\xEF\xBB\xBF# round source destination rate\r\n7 " + a + " " + b +
               " 90.5 # behind\r\n\r\n7\t" + b + "\t" + a + "\t91\n8 " + a + " " + c + " 0\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].flows == std::vector<Flow>{{0, 1}});
  CHECK(found[0].rate == 90.5);
  CHECK(found[0].round == found[1].round);
  CHECK(rates.warnings() == 1);
  // Another file's round 7 is another round.
  CHECK(rates.of("7 " + a + " " + c + " 1\n").back().round != found[0].round);
}

TEST_CASE("Lines that are no rates are refused with their place") {
  for (const std::string& line :
       {"1 " + a + " " + b, "1 " + a + " " + b + " -5", "1 " + a + " " + b + " nan",
        "1 " + a + " " + b + " inf", "1 " + a + " " + b + " 1e5", "x " + a + " " + b + " 5",
        "1 " + a + " " + a + " 5", "1 nobody " + b + " 5", "1 " + a + " " + b + " 5 6",
        std::string("1 lid:0 ") + b + " 5", std::string("1 lid:99999 ") + b + " 5"}) {
    INFO(line);
    CHECK_THAT(Rates().refusal("# first\n" + line + "\n"), Catch::StartsWith("rates:2: "));
  }
  CHECK_FALSE(Rates().refusal("").empty());
  Rates skipping({.skip_unknown = true, .both_ways = false});
  CHECK(skipping.of("1 nobody " + b + " 5\n1 " + a + " " + b + " 5\n").size() == 1);
  CHECK(skipping.warnings() == 1);
}

TEST_CASE("Both tables of mpiGraph count, the smaller rate of a flow, by shifts") {
  const std::string names = a + ":0\t" + b + ":1\t" + c + ":2\t\n";
  const std::string table = "Send\t" + names + a + ":0 to\t0.000\t10.5\t20.5\t\n" + b +
                            ":1 to\t30.5\t0.000\t40.5\t\n" + c + ":2 to\t50.5\t60.5\t0.000\t\n";
  const std::string received = "\nRecv\t" + names + a + ":0 from\t0.000\t29.5\t51\t\n" + b +
                               ":1 from\t11\t0.000\t61\t\n" + c + ":2 from\t21\t41\t0.000\t\n";
  const std::string head =
      "START mpiGraph v1.5\nMsgSize\t16384\n\n1 of 3 (33.3%)\nSend max\t60.5\n\n";
  const auto found = Rates().of(head + table + received + "END mpiGraph\n");
  REQUIRE(found.size() == 6);
  for (const RateMeasurement& each : found) {
    const Flow flow = each.flows[0];
    const double expected[3][3] = {{0, 10.5, 20.5}, {29.5, 0, 40.5}, {50.5, 60.5, 0}};
    CHECK(each.rate == expected[flow.source][flow.destination]);
    for (const RateMeasurement& other : found) {
      const Flow far = other.flows[0];
      const bool is_same_shift =
          (flow.destination + 3 - flow.source) % 3 == (far.destination + 3 - far.source) % 3;
      CHECK((each.round == other.round) == is_same_shift);
    }
  }
  CHECK_THAT(Rates().refusal(head + table.substr(0, table.size() - 50)),
             Catch::Contains("rates:") && Catch::Contains("cut off"));
  std::string wider = table;
  wider.insert(wider.find("\t20.5"), "\t7");
  CHECK_THAT(Rates().refusal(head + wider), Catch::Contains("as many as there are columns"));
  CHECK_THAT(Rates().refusal("START mpiGraph v1.5\n"), Catch::Contains("cut off"));
}

TEST_CASE("Runs of nccl-tests are rates of two nodes") {
  const auto run = [](const std::vector<std::string>& hosts, const std::string& end) {
    std::string text = "# nThread 1 nGpus 1 minBytes 1024 maxBytes 1073741824\n# Using devices\n";
    for (std::size_t r = 0; r < hosts.size(); ++r) {
      text += "#  Rank  " + std::to_string(r) + " Group  0 Pid  7 on " + hosts[r] +
              " device  0 [0x07] NVIDIA H100\n";
    }
    return text + "#       size  count  type  redop  root  time  algbw  busbw #wrong\n" + end;
  };
  const std::string results =
      "  1024  256  float  sum  -1  10.0  0.1  0.25  0  10.0  0.1  0.2  0\n"
      "  1073741824  268435456  float  sum  -1  100.0  10.7  21.4  0  100.0  10.7  21.5  0\n"
      "# Out of bounds values : 0 OK\n";
  const auto found = Rates().of(run({a, a, b, b}, results) + run({a, c}, results));
  REQUIRE(found.size() == 2);
  CHECK(found[0].flows == std::vector<Flow>{{0, 1}, {1, 0}});
  CHECK(found[0].rate == 21.4);
  CHECK(found[1].flows[0] == Flow{0, 2});
  CHECK(found[0].round != found[1].round);
  CHECK_THAT(Rates().refusal(run({a, b, c}, results)), Catch::Contains("3 nodes"));
  CHECK_THAT(Rates().refusal(run({a, a}, results)), Catch::Contains("1 node:"));
  CHECK_THAT(Rates().refusal(run({a, b}, "")), Catch::Contains("cut off"));
  CHECK_THAT(Rates().refusal("ClusterKit results\n"), Catch::Contains("ClusterKit"));
}

TEST_CASE("Runs of perftest are rates between LIDs") {
  const auto& fabric = Rates::made().fabric;
  const auto lid = [&](std::uint32_t rank) {
    return std::to_string(fabric.end_port(fabric.endpoints()[rank]).lid);
  };
  const std::string head = " local address: LID " + lid(0) + " QPN 0x0049 PSN 0x5e3e6b\n" +
                           " remote address: LID " + lid(2) + " QPN 0x0049 PSN 0x5e3e6c\n";
  const std::string table =
      " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
      " 2          5000             0.10               0.09                 0.1\n"
      " 65536      5000             96.95              96.92\t\t   0.184863\n";
  std::string megabytes = table;
  for (std::size_t at = 0; (at = megabytes.find("Gb/sec", at)) != std::string::npos;) {
    megabytes.replace(at, 6, "MB/sec");
  }
  const auto found = Rates().of(head + table + head + megabytes);
  REQUIRE(found.size() == 2);
  CHECK(found[0].flows == std::vector<Flow>{{0, 2}});
  CHECK(found[0].rate == 96.92);
  CHECK(found[1].rate == Approx(96.92 * 8 * 1.048576 / 1000));
  CHECK_THAT(Rates().refusal(head), Catch::StartsWith("rates:1: "));
  CHECK_THAT(Rates().refusal(" local address: GID ::1\n"), Catch::Contains("RoCE"));
}
