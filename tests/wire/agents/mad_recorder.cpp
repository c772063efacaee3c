// mad_recorder: stands between ibsim and its clients, writes down every MAD that they send, and
// loses or garbles some.
//
// The log has a line for each request: CLASS METHOD ATTRIBUTE, in hexadecimal. It ends with
// SIGTERM.

#include <fmt/format.h>

#include <fstream>
#include <string>

#include "tests/wire/agents/simulator_relay.h"
#include "tools/kit/command_line.h"
#include "tools/kit/tool.h"

namespace {

struct Options {
  std::string ibsim, own, log;
  unsigned timeout_ms = 200, lose_every = 0, garble_every = 0;
};

int record(const Options& options) {
  agents::hold_termination();
  std::ofstream log(options.log);
  unsigned requests = 0, answers = 0;
  agents::SimulatorRelay relay(options.ibsim, options.own,
                               std::chrono::milliseconds(options.timeout_ms),
                               [](const agents::NodeIdentity&, agents::Mad&) { return false; });
  relay.watch_requests([&](agents::Mad& mad) {
    log << fmt::format("{:02x} {:02x} {:02x}{:02x}\n", mad[1], mad[3], mad[16], mad[17]);
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
    return line.parse(argc, argv) ? record(options) : 0;
  });
}
