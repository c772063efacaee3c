// cc_agents simulates congestion control agents for the nodes of a fabric in ibsim.
//
// ibsim has no congestion control. This program relays between ibsim and its clients (the real
// opensm, ibccquery, cc_apply and cc_query) and answers MADs of class 0x21 in place of the node
// with the destination LID. simulator_relay.h explains why a relay is needed; node_agent.h
// describes the answers. Options make nodes silent, protect them with keys, or make them refuse
// requests.
//
// It ends with SIGTERM. At the end, --dump writes the settings of every node. --log writes each
// request when it arrives.

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/wire/agents/simulator_relay.h"
#include "tools/kit/command_line.h"
#include "tools/kit/tool.h"

namespace {

struct Options {
  std::string ibsim, own, dump, log;
  unsigned timeout_ms = 200;
  unsigned lose_every = 0;
  unsigned table_blocks = 4;
  bool all_silent = false;
  std::string key_of_all = "0";
  std::vector<std::string> deaf, silent, keys, protected_keys, statuses;
};

std::optional<Options> parse(int argc, char** argv) {
  Options options;
  pssp::CommandLine line("cc_agents", "Congestion control agents for ibsim");
  line.option("ibsim", options.ibsim, "IBSIM_SOCKNAME of ibsim").required();
  line.option("own", options.own, "IBSIM_SOCKNAME for clients").required();
  line.option("--dump", options.dump, "File for the settings of all nodes, at the end").writes();
  line.option("--log", options.log, "File for the requests, as they come").writes();
  line.option("--timeout", options.timeout_ms, "Milliseconds until a sender sees a timeout");
  line.option("--lose-every", options.lose_every, "Drop each N-th request");
  line.option("--table-blocks", options.table_blocks, "ControlTableCap of the adapters");
  line.option("--key-of-all", options.key_of_all, "CC_Key of all nodes, 0 none");
  line.flag("--all-silent", options.all_silent, "No node answers");
  line.option("--deaf", options.deaf, "GUID: confirms Sets, but changes no settings");
  line.option("--silent", options.silent, "GUID: does not answer");
  line.option("--key", options.keys, "GUID=KEY: has this CC_Key");
  line.option("--protect", options.protected_keys, "GUID=KEY: and asks for it before reading");
  line.option("--status", options.statuses, "GUID=STATUS: answers all with it");
  if (!line.parse(argc, argv)) return std::nullopt;
  return options;
}

std::uint64_t number(const std::string& text) { return std::stoull(text, nullptr, 0); }

/// Parses GUID=VALUE.
std::pair<std::uint64_t, std::uint64_t> guid_and_value(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw std::runtime_error(text + ": expected GUID=VALUE");
  return {number(text.substr(0, equals)), number(text.substr(equals + 1))};
}

class Agents {
 public:
  explicit Agents(const Options& options) : lose_every_(options.lose_every) {
    common_.silent = options.all_silent;
    common_.cc_key = number(options.key_of_all);
    common_.table_blocks = static_cast<std::uint8_t>(options.table_blocks);
    for (const std::string& guid : options.deaf) special(number(guid)).keeps_values = true;
    for (const std::string& guid : options.silent) special(number(guid)).silent = true;
    for (const std::string& text : options.keys) {
      const auto [guid, key] = guid_and_value(text);
      special(guid).cc_key = key;
    }
    for (const std::string& text : options.protected_keys) {
      const auto [guid, key] = guid_and_value(text);
      special(guid).cc_key = key;
      special(guid).protect = true;
    }
    for (const std::string& text : options.statuses) {
      const auto [guid, status] = guid_and_value(text);
      special(guid).status = static_cast<std::uint16_t>(status);
    }
    if (!options.log.empty()) log_.open(options.log);
  }

  bool answer(const agents::NodeIdentity& node, agents::Mad& mad) {
    if (log_.is_open()) {
      log_ << fmt::format("{:016x} method {:02x} attribute {:02x}{:02x} modifier {} key {:016x}\n",
                          node.guid, mad[3], mad[16], mad[17], big_endian(&mad[20], 4),
                          big_endian(&mad[24], 8))
           << std::flush;
    }
    if (lose_every_ != 0 && ++requests_ % lose_every_ == 0) return false;
    const auto behaviour = special_.find(node.guid);
    const auto agent =
        agents_.try_emplace(node.guid, node.is_switch, node.ports,
                            behaviour == special_.end() ? common_ : behaviour->second);
    return agent.first->second.answer(mad);
  }

  void dump(const std::string& file) const {
    std::ofstream out(file);
    for (const auto& [guid, agent] : agents_) {
      out << fmt::format("node {:016x}\n", guid) << agent.dump();
    }
  }

 private:
  static std::uint64_t big_endian(const std::uint8_t* from, unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value = value << 8 | from[i];
    return value;
  }

  agents::Behaviour& special(std::uint64_t guid) {
    return special_.try_emplace(guid, common_).first->second;
  }

  agents::Behaviour common_;
  std::map<std::uint64_t, agents::Behaviour> special_;
  std::map<std::uint64_t, agents::NodeAgent> agents_;
  std::ofstream log_;
  unsigned lose_every_;
  unsigned requests_ = 0;
};

int run(const Options& options) {
  agents::hold_termination();
  Agents agents(options);
  agents::SimulatorRelay relay(
      options.ibsim, options.own, std::chrono::milliseconds(options.timeout_ms),
      [&](const agents::NodeIdentity& node, agents::Mad& mad) { return agents.answer(node, mad); });
  relay.serve();
  if (!options.dump.empty()) agents.dump(options.dump);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  return pssp::run_tool("cc_agents", [&] {
    const std::optional<Options> options = parse(argc, argv);
    return options ? run(*options) : 0;
  });
}
