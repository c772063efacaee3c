// mad_recorder: stands between ibsim and its clients, writes down every MAD that they send, and
// loses or garbles some.
//
// The log has a line for each request: CLASS METHOD ATTRIBUTE, in hexadecimal; with --json an
// object
// {"class", "method", "attribute"} of numbers. It ends with SIGTERM.

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "tests/wire/agents/simulator_relay.h"
#include "tools/kit/command_line.h"
#include "tools/kit/tool.h"

namespace {

struct Options {
  std::string ibsim, own, log, exchanged_while;
  unsigned timeout_ms = 200, lose_every = 0, garble_every = 0, exchanged = 0, with = 0;
  bool json = false;
};

int record(const Options& options) {
  agents::hold_termination();
  std::ofstream log(options.log);
  unsigned requests = 0, answers = 0;
  agents::SimulatorRelay relay(options.ibsim, options.own,
                               std::chrono::milliseconds(options.timeout_ms),
                               [](const agents::NodeIdentity&, agents::Mad&) { return false; });
  relay.watch_requests([&](agents::Mad& mad) {
    const auto attribute = static_cast<unsigned>(mad[16] << 8 | mad[17]);
    log << (options.json ? fmt::format("{{\"class\":{},\"method\":{},\"attribute\":{}}}\n", mad[1],
                                       mad[3], attribute)
                         : fmt::format("{:02x} {:02x} {:04x}\n", mad[1], mad[3], attribute));
    return options.lose_every == 0 || ++requests % options.lose_every != 0;
  });
  // Counters alone: what subnet management says decides who is asked at all.
  relay.watch_answers([&](agents::Mad& mad) {
    const bool counts = mad[1] == 0x04 && (mad[17] == 0x12 || mad[17] == 0x1d);
    if (counts && options.garble_every != 0 && ++answers % options.garble_every == 0) {
      for (std::size_t i = 66; i < mad.size(); ++i) mad[i] ^= static_cast<std::uint8_t>(37 * i);
    }
    return true;
  });
  if (!options.exchanged_while.empty()) {
    relay.exchange_lids([&](std::uint16_t lid) -> std::uint16_t {
      if (lid != options.exchanged && lid != options.with) return lid;
      if (!std::filesystem::exists(options.exchanged_while)) return lid;
      return static_cast<std::uint16_t>(options.exchanged ^ options.with ^ lid);
    });
  }
  relay.serve();
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return pssp::run_tool("mad_recorder", [&] {
    Options options;
    pssp::CommandLine line("mad_recorder", "Records the MADs of ibsim's clients");
    line.option("ibsim", options.ibsim, "IBSIM_SOCKNAME of ibsim").required();
    line.option("own", options.own, "IBSIM_SOCKNAME for clients").required();
    line.option("--log", options.log, "File for the requests").required().writes();
    line.option("--timeout", options.timeout_ms, "Milliseconds until a sender sees a time-out");
    line.option("--lose-every", options.lose_every, "Drop each N-th request");
    line.option("--garble-every", options.garble_every, "Garble each N-th answer with counters");
    line.flag("--json", options.json, "The log is JSON Lines");
    line.option("--exchange", options.exchanged, "A LID whose node answers for another");
    line.option("--with", options.with, "The other LID, and the other way round");
    line.option("--while", options.exchanged_while, "As long as this file exists");
    return line.parse(argc, argv) ? record(options) : 0;
  });
}
