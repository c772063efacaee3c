#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "base/error.h"
#include "operations/diagnosis/rate_input.h"
#include "tests/operations/diagnosis/diagnosed_fabric.h"

using namespace pssp;
using namespace pssp::test;

namespace {

class Rates {
 public:
  explicit Rates(RateInputOptions options = {}) : input_(*made().nodes, std::move(options)) {}

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
  const RateUnit& unit() const { return input_.unit(); }

 private:
  RateInput input_;
};

const std::string a = Rates::host(0), b = Rates::host(1), c = Rates::host(2);

}  // namespace

TEST_CASE("rates are read from lines") {
  Rates rates;
  const auto& found =
      rates.of("\xEF\xBB\xBF# round source destination rate\r\n7 " + a + " " + b +
               " 90.5 # behind\r\n\r\n7\t" + b + "\t" + a + "\t91\n8 " + a + " " + c + " 0\n");
  REQUIRE(found.size() == 2);
  CHECK(found[0].flows == std::vector<Flow>{{0, 1}});
  CHECK(found[0].rate == 90.5);
  CHECK(found[0].round == found[1].round);
  CHECK(rates.warnings() == 1);
  // Round 7 of another file is a different round.
  CHECK(rates.of("7 " + a + " " + c + " 1\n").back().round != found[0].round);
}

TEST_CASE("lines without a valid rate are refused with file name and line number") {
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

TEST_CASE("the rate in a line of a plan is before the comment or at the end of the line") {
  const std::string pair = "3 " + a + " " + b;
  for (const std::string& line :
       {pair + " 90.5 # lid 1 -> 2", pair + " # lid 1 -> 2 90.5", pair + " # lid 1 -> 2\t90.5 \r",
        pair + " # lid 1 -> 2 90.5 # second try"}) {
    INFO(line);
    Rates rates;
    const auto& found = rates.of(line + "\n");
    REQUIRE(found.size() == 1);
    CHECK(found[0].rate == 90.5);
    CHECK(found[0].flows == std::vector<Flow>{{0, 1}});
  }
  // Numbers in any other comment are ignored.
  Rates rates;
  CHECK(rates.of(pair + " 90.5 # lid 1 -> 2 slow\n" + pair + " 1 # at 12:30\n").size() == 2);
  const auto refusal = [&](const std::string& line) { return Rates().refusal(line + "\n"); };
  CHECK_THAT(refusal(pair + " # lid 1 -> 2"),
             Catch::StartsWith("rates:1: ") &&
                 Catch::Contains("has no rate: append the rate to the line"));
  CHECK_THAT(refusal(pair), Catch::Contains("has no rate: append the rate to the line"));
  CHECK_THAT(refusal(pair + " 90 # lid 1 -> 2 91"), Catch::Contains("two rates, 90 and 91"));
  CHECK_THAT(refusal(pair + " # lid 1 -> 2 90 Gbit/s"),
             Catch::Contains("'90 Gbit/s' is not one rate") && Catch::Contains("# unit Gbit/s"));
  CHECK_THAT(refusal(pair + " # lid 1 -> 2 fast"), Catch::Contains("'fast' is not one rate"));
  CHECK_THAT(refusal(pair + " 90 91"), Catch::Contains("'90 91' is not one rate"));
}

TEST_CASE("both tables of mpiGraph are read: a flow gets the smaller rate, a round is one shift") {
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
  CHECK_THAT(Rates().refusal(head + wider), Catch::Contains("one for each column"));
  CHECK_THAT(Rates().refusal("START mpiGraph v1.5\n"), Catch::Contains("no table of mpiGraph"));
}

TEST_CASE("a run of nccl-tests gives the rate between two nodes") {
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

TEST_CASE("a run of perftest gives the rate between two LIDs") {
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

namespace {

std::string lid(std::uint32_t rank) {
  const Fabric& fabric = Rates::made().fabric;
  return std::to_string(fabric.end_port(fabric.endpoints()[rank]).lid);
}

/// The output of perftest between the hosts of ranks 0 and 2.
std::string perftest(const std::string& title, const std::string& columns,
                     const std::string& rows) {
  const std::string line(87, '-');
  return line + "\n                    " + title +
         "\n Dual-port       : OFF\t\tDevice         : mlx5_2\n Link type       : IB\n" + line +
         "\n local address: LID " + lid(0) + " QPN 0x0050 PSN 0xddd611\n remote address: LID " +
         lid(2) + " QPN 0x0050 PSN 0xa3c746\n" + line + "\n " + columns + "\n" + rows + line + "\n";
}

std::string bandwidths(const std::string& unit) {
  return "#bytes     #iterations    BW peak[" + unit + "]    BW average[" + unit +
         "]   MsgRate[Mpps]";
}

const std::string two_sizes =
    " 65536      1000             181.95             108.83 \t\t   0.207586\n"
    " 8388608    1000             391.10             388.90 \t\t   0.002931\n";

}  // namespace

TEST_CASE("the title of perftest output gives the measured quantity and the direction") {
  const std::vector<Flow> forth{{0, 2}}, back{{2, 0}}, both{{0, 2}, {2, 0}};
  struct Case {
    std::string title;
    std::vector<Flow> flows;
    double rate;
  };
  for (const Case& each :
       {Case{"RDMA_Write BW Test", forth, 388.9}, Case{"RDMA_Write_imm BW Test", forth, 388.9},
        Case{"Send BW Test", forth, 388.9}, Case{"Send Post List BW Test", forth, 388.9},
        Case{"RDMA_Read BW Test", back, 388.9}, Case{"Send Bidirectional BW Test", both, 194.45},
        Case{"RDMA_Write Bidirectional BW Test", both, 194.45}}) {
    INFO(each.title);
    Rates rates;
    const auto found = rates.of(perftest(each.title, bandwidths("Gb/sec"), two_sizes));
    REQUIRE(found.size() == 1);
    CHECK(found[0].flows == each.flows);
    CHECK(found[0].rate == Approx(each.rate));
    CHECK(found[0].width == 1);
    CHECK(rates.unit().name == "Gbit/s");
    CHECK(rates.warnings() == 0);
    // The server prints its own address as the local one, so the direction is reversed.
    const auto server = Rates().of("* Waiting for client to connect... *\n" +
                                   perftest(each.title, bandwidths("Gb/sec"), two_sizes));
    REQUIRE(server.size() == 1);
    if (each.flows.size() == 1) CHECK(server[0].flows == (each.flows == forth ? back : forth));
  }
  for (const char* title :
       {"RDMA_Write Latency Test", "Send Latency Test", "RDMA_Read Latency Test",
        "Atomic FETCH_ADD BW Test", "Raw Ethernet BW Test"}) {
    const std::string columns =
        "#bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]";
    const std::string log = perftest(title, columns, " 2 1000 1.02 3.75 1.05 1.06\n");
    CHECK_THAT(Rates().refusal(log), Catch::StartsWith("rates:2: ") && Catch::Contains(title));
    CHECK_THAT(
        Rates().refusal(perftest("RDMA_Write BW Test", bandwidths("MB/sec"), two_sizes) + log),
        Catch::StartsWith("rates:14: ") && Catch::Contains(title));
  }
  // The columns alone also identify a latency test.
  CHECK_THAT(Rates().refusal(
                 perftest("", "#bytes #iterations t_min[usec] t_avg[usec]", " 2 1000 1.02 1.05\n")),
             Catch::Contains("no column 'BW average'"));
  // Without a title, one direction is assumed, with a warning.
  Rates untitled;
  CHECK(untitled.of(perftest("", bandwidths("Gb/sec"), two_sizes)).size() == 1);
  CHECK(untitled.warnings() == 1);
  std::string dual = perftest("Send BW Test", bandwidths("Gb/sec"), two_sizes);
  dual.replace(dual.find(": OFF"), 5, ": ON ");
  CHECK_THAT(Rates().refusal(dual), Catch::Contains("two ports"));
}

TEST_CASE("columns of perftest are found by their headings, and the largest size counts") {
  const auto rate = [](const std::string& unit, const std::string& rows) {
    Rates rates;
    return rates.of(perftest("Send BW Test", bandwidths(unit), rows)).at(0).rate *
           rates.unit().gigabits;
  };
  CHECK(rate("MB/sec", two_sizes) == Approx(388.9 * .008388608));
  CHECK(rate("MiB/sec", two_sizes) == Approx(388.9 * .008388608));
  CHECK(rate("Gb/sec", two_sizes) == Approx(388.9));
  const std::string falling =
      two_sizes.substr(two_sizes.find('\n') + 1) + two_sizes.substr(0, two_sizes.find('\n') + 1);
  CHECK(rate("Gb/sec", falling) == Approx(388.9));
  // An additional column before the average.
  CHECK(
      Rates()
          .of(perftest("Send BW Test", "#bytes #iterations CPU BW peak[Gb/sec] BW average[Gb/sec]",
                       " 65536 1000 7 96 95\n"))
          .at(0)
          .rate == 95);
  CHECK_THAT(Rates().refusal(perftest("Send BW Test", bandwidths("Mpps"), two_sizes)),
             Catch::Contains("unknown unit 'Mpps'"));
  // The sum of both directions counts, not the parts that follow it.
  const std::string parts = "\n Local results: \n " + bandwidths("Gb/sec") +
                            "\n 8388608 1000 195.00 194.00 0.002\n\n Remote results: \n " +
                            bandwidths("Gb/sec") + "\n 8388608 1000 196.00 195.00 0.002\n";
  const auto found =
      Rates().of(perftest("Send Bidirectional BW Test", bandwidths("Gb/sec"), two_sizes + parts));
  REQUIRE(found.size() == 1);
  CHECK(found[0].rate == Approx(194.45));
}

TEST_CASE("program output without nodes or rates is refused with its title") {
  struct Case {
    std::string text, title, advice;
  };
  const std::string osu = "\n# Size      Bandwidth (MB/s)\n1        7.5\n4194304        12340.5\n";
  const std::string nccl =
      "#  size  count  type  redop  root  time  algbw  busbw #wrong\n"
      " 1024 256 float sum -1 10.0 0.1 0.25 0\n";
  for (const Case& each :
       {Case{"# OSU MPI Bandwidth Test v7.0" + osu, "OSU MPI Bandwidth", "write lines"},
        Case{"# OSU MPI Bi-Directional Bandwidth Test v7.0" + osu, "Bi-Directional", "half"},
        Case{"# OSU MPI-CUDA Latency Test v5.9" + osu, "Latency", "latencies"},
        Case{"# OSU MPI Multiple Bandwidth / Message Rate Test v7.0" + osu, "Multiple", "adds"},
        Case{"[ ID] Interval           Transfer     Bitrate\n[  5] 0.00-10.00 sec 1 GBytes 9 "
             "Gbits/sec\n",
             "[ ID] Interval", "write lines"},
        Case{"                    Send Latency Test\n #bytes #iterations\n 2 1000 1.02\n",
             "Latency", "latencies"},
        Case{"                    Send BW Test\n #bytes #iterations\n 2 1000 1.02\n", "Send BW",
             "complete output"},
        Case{nccl, "busbw", "complete output"},
        Case{"# ClusterKit 1.0\nbandwidth 5\n", "ClusterKit", "write lines"},
        Case{"# lines\n1 2\n", "1 2", "round source destination rate"}}) {
    INFO(each.text);
    CHECK_THAT(Rates().refusal(each.text), Catch::StartsWith("rates:") &&
                                               Catch::Contains(each.title) &&
                                               Catch::Contains(each.advice));
  }
  // A comment that mentions these programs is not their output.
  CHECK(Rates().of("# by iperf and OSU MPI Latency\n1 " + a + " " + b + " 5\n").size() == 1);
}

TEST_CASE("all rates have one unit, which the files or the option give") {
  const std::string line = "1 " + a + " " + b + " 2\n";
  const auto run = perftest("Send BW Test", bandwidths("MB/sec"), two_sizes);
  Rates lines;
  CHECK(lines.of(line)[0].rate == 2);
  CHECK_FALSE(lines.unit().is_known());
  CHECK_THAT(lines.refusal(run), Catch::Contains("MiB/s") && Catch::Contains("--unit"));
  Rates stated;
  CHECK(stated.of("# unit GB/s\n" + line)[0].rate == 2);
  CHECK(stated.unit().name == "GB/s");
  // Rates in different units are converted to Gbit/s.
  CHECK(stated.of(run)[1].rate == Approx(388.9 * .008388608));
  CHECK(stated.of(run)[0].rate == 16);
  CHECK(stated.unit().name == "Gbit/s");
  CHECK_THAT(stated.refusal(line), Catch::StartsWith("rates:1: ") && Catch::Contains("# unit"));
  Rates by_option({.skip_unknown = false, .both_ways = false, .unit = *parse_rate_unit("MB/s")});
  CHECK(by_option.of(line)[0].rate == 2);
  CHECK(by_option.unit().name == "MB/s");
  CHECK_THAT(Rates().refusal("# unit parrots\n" + line),
             Catch::StartsWith("rates:1: unknown unit 'parrots'"));
  CHECK_THAT(Rates().refusal("1 " + a + " " + b + " 1" + std::string(300, '0') + "\n"),
             Catch::Contains("invalid rate"));
}

TEST_CASE("columns of nccl-tests are found by their headings, in any version") {
  const auto run = [](const std::string& start, const std::string& head, const std::string& rows) {
    return start + "#  Rank  0 Group  0 Pid 7 on " + a +
           " device  0\n#  Rank  1 Group  0 Pid 7 on " + b + " device  0\n" + head + rows +
           "# Avg bus bandwidth    : 34.0\n";
  };
  const std::string old_head = "#       size  count  type  redop  time  algbw  busbw  error\n";
  Rates rates;
  CHECK(
      rates
          .of(run("", old_head, " 1024 256 float sum 9.9 0.1 0.25 0\n 512 128 float sum 9 1 2 0\n"))
          .at(0)
          .rate == .25);
  CHECK(rates.unit().name == "GB/s");
  const std::string head =
      "#       size  count  type  redop  root  time  algbw  busbw #wrong  time  algbw  busbw "
      "#wrong\n";
  const std::string row = " 1024 256 float none -1 10.0 0.1 0.25 0 10.0 0.1 0.2 0\n";
  CHECK(Rates().of(run("# Collective test starting: all_gather_perf\n", head, row)).at(0).rate ==
        .25);
  for (const char* test : {"alltoall_perf", "sendrecv_perf", "broadcast_perf"}) {
    CHECK_THAT(
        Rates().refusal(run(std::string("# Collective test starting: ") + test + "\n", head, row)),
        Catch::StartsWith("rates:1: ") && Catch::Contains(test));
  }
  CHECK_THAT(Rates().refusal(run("", head + "#   (B)  (elements)  (us)  (GiB/s)  (GiB/s)\n", row)),
             Catch::Contains("not in GB/s"));
}
