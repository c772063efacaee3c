// mad_recorder relays MADs between ibsim and its clients and records every MAD that clients send.
// On request it loses, garbles or delays MADs, and changes attributes and counters in answers.
//
// The log has a line per request: CLASS METHOD ATTRIBUTE, in hexadecimal. With --json, the line is
// an object {"class", "method", "attribute"} of numbers. --answers writes such a line per answer
// before the client gets the answer, so a test that changes answers knows what was read.
// --table-writes writes a line per Set of a forwarding table block along a directed route:
// PORT,PORT,.. from the sender on, BLOCK, and the 64 entries. With --clock, microseconds since 1970
// precede them. The program ends with SIGTERM.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <compare>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tests/wire/agents/simulator_relay.h"
#include "tools/kit/command_line.h"
#include "tools/kit/tool.h"

namespace {

struct Options {
  std::string ibsim, own, log, answers, table_writes, exchanged_while, names, port_info;
  std::string silent, counters, held_while;
  unsigned timeout_ms = 200, lose_every = 0, garble_every = 0, exchanged = 0, with = 0;
  bool json = false, clock = false;
  std::optional<unsigned> tick;
};

std::string line_of(const agents::Mad& mad, bool json) {
  const auto attribute = static_cast<unsigned>(mad[16] << 8 | mad[17]);
  return json ? fmt::format("{{\"class\":{},\"method\":{},\"attribute\":{}}}\n", mad[1], mad[3],
                            attribute)
              : fmt::format("{:02x} {:02x} {:04x}\n", mad[1], mad[3], attribute);
}

/// Answers like a node whose PortXmitWait has this tick. Returns false for other requests.
bool answer_samples_control(agents::Mad& mad, unsigned tick) {
  constexpr std::size_t tick_at = 64 + 2;
  if (mad[1] != 0x04 || mad[3] != 0x01 || mad[17] != 0x10) return false;
  mad[3] = 0x81;
  mad[tick_at] = static_cast<std::uint8_t>(tick);
  return true;
}

/// "1,5 0 255 1 2 ..", as described above, for a Set(LinearForwardingTable); empty for other MADs.
std::string table_write(const agents::Mad& mad) {
  constexpr std::size_t hops_at = 7, modifier_at = 20, data_at = 64, route_at = 128;
  const bool is_write = mad[1] == 0x81 && mad[3] == 0x02 && mad[16] == 0 && mad[17] == 0x19;
  if (!is_write) return {};
  std::string line;
  for (std::size_t hop = 1; hop <= mad[hops_at]; ++hop) {
    line += fmt::format("{}{}", hop == 1 ? "" : ",", mad[route_at + hop]);
  }
  line += fmt::format(" {}", mad[modifier_at + 2] << 8U | mad[modifier_at + 3]);
  for (std::size_t i = 0; i < 64; ++i) line += fmt::format(" {}", mad[data_at + i]);
  return line;
}

std::string microseconds_now() {
  using namespace std::chrono;
  const auto now = system_clock::now().time_since_epoch();
  return fmt::format("{} ", duration_cast<microseconds>(now).count());
}

/// Changes the name in an answer with a NodeDescription. Each line of the file is "NAME<tab>OTHER":
/// a node with the first name gets the second one. A missing file changes nothing.
void rename_node(agents::Mad& mad, const std::string& names) {
  constexpr std::size_t data_at = 64, room = 64;
  const bool is_description = (mad[1] == 0x01 || mad[1] == 0x81) && mad[16] == 0 && mad[17] == 0x10;
  if (!is_description) return;
  const auto begin = mad.begin() + data_at;
  const std::string name(begin, std::find(begin, begin + room, 0));
  std::ifstream file(names);
  for (std::string line; std::getline(file, line);) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string::npos || std::string_view(line).substr(0, tab) != name) continue;
    const std::string other = line.substr(tab + 1, room);
    std::fill(std::copy(other.begin(), other.end(), begin), begin + room, 0);
    return;
  }
}

/// Changes bytes of an answer with a PortInfo. Each line of the file is "LID BYTE VALUE", for the
/// port with that LID. A missing file changes nothing.
void change_port_info(agents::Mad& mad, const std::string& changes) {
  constexpr std::size_t data_at = 64, lid_at = data_at + 16;
  const bool is_port_info = (mad[1] == 0x01 || mad[1] == 0x81) && mad[16] == 0 && mad[17] == 0x15;
  if (!is_port_info) return;
  std::ifstream file(changes);
  for (unsigned lid = 0, byte = 0, value = 0; file >> lid >> byte >> value;) {
    const bool is_meant = lid == static_cast<unsigned>(mad[lid_at] << 8U | mad[lid_at + 1]);
    if (is_meant) mad.at(data_at + byte) = static_cast<std::uint8_t>(value);
  }
}

/// An unsigned number in the data of a MAD, highest byte first.
struct MadField {
  std::size_t bit = 0, bits = 0;

  void add(agents::Mad& mad, std::uint64_t more) const {
    const std::size_t begin = 64 + bit / 8, size = bits / 8;
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i) value = value << 8U | mad.at(begin + i);
    const std::uint64_t largest = ~std::uint64_t{0} >> (64 - bits);
    value = more > largest - value ? largest : value + more;
    for (std::size_t i = size; i > 0; --i) {
      mad.at(begin + i - 1) = static_cast<std::uint8_t>(value);
      value >>= 8U;
    }
  }
};

/// Counters that rise as long as the file contains them. Each line is "LID PORT ATTRIBUTE BIT BITS
/// EACH PER_SECOND": the counter rises by EACH with each answer and by PER_SECOND each second.
/// A counter that is no longer in the file keeps its value.
class RisingCounters {
 public:
  explicit RisingCounters(std::string file) : file_(std::move(file)) {}

  void change(agents::Mad& mad, std::uint16_t lid) {
    const bool is_answer = mad[1] == 0x04 && mad[3] == 0x81 && (mad[17] == 0x12 || mad[17] == 0x1d);
    if (!is_answer) return;
    const auto is_here = [&](const CountedField& field) {
      return field.lid == lid && field.port == mad[64 + 1] && field.attribute == mad[17];
    };
    const auto now = std::chrono::steady_clock::now();
    for (auto& [field, count] : counts_) count.is_named = false;
    std::ifstream file(file_);
    CountedField field;
    double each = 0, per_second = 0;
    while (file >> field.lid >> field.port >> field.attribute >> field.bit >> field.bits >> each >>
           per_second) {
      Count& count = counts_.try_emplace(field, Count{now}).first->second;
      count.is_named = true;
      if (!is_here(field)) continue;
      count.value += each + per_second * std::chrono::duration<double>(now - count.last).count();
      count.last = now;
    }
    for (auto& [at, count] : counts_) {
      if (!count.is_named) count.last = now;
      if (is_here(at)) {
        MadField{at.bit, at.bits}.add(mad, static_cast<std::uint64_t>(count.value));
      }
    }
  }

 private:
  struct CountedField {
    unsigned lid = 0, port = 0, attribute = 0;
    std::size_t bit = 0, bits = 0;
    friend auto operator<=>(const CountedField&,
                            const CountedField&) = default;  // NOLINT(modernize-use-nullptr)
  };
  struct Count {
    std::chrono::steady_clock::time_point last;
    double value = 0;
    bool is_named = false;
  };

  std::string file_;
  std::map<CountedField, Count> counts_;
};

bool has_lid(const std::string& file_name, unsigned lid) {
  std::ifstream file(file_name);
  for (unsigned each = 0; file >> each;) {
    if (each == lid) return true;
  }
  return false;
}

/// Holds requests back while the file exists, beginning at a moment without unanswered requests.
/// While requests are held back, a second file with the ending ".on" exists.
class HeldRequests {
 public:
  explicit HeldRequests(std::string file) : file_(std::move(file)) {}

  bool operator()(bool is_idle) {
    const bool is_wanted = std::filesystem::exists(file_);
    const bool is_held = is_wanted && (is_held_ || is_idle);
    if (is_held && !is_held_) std::ofstream(file_ + ".on");
    if (!is_held && is_held_) std::filesystem::remove(file_ + ".on");
    is_held_ = is_held;
    return is_held;
  }

 private:
  std::string file_;
  bool is_held_ = false;
};

/// Two nodes answer for each other while a file exists.
void exchange_nodes(agents::SimulatorRelay& relay, const Options& options) {
  relay.exchange_lids([&](std::uint16_t lid) -> std::uint16_t {
    if (lid != options.exchanged && lid != options.with) return lid;
    if (!std::filesystem::exists(options.exchanged_while)) return lid;
    return static_cast<std::uint16_t>(options.exchanged ^ options.with ^ lid);
  });
}

int record(const Options& options) {
  agents::hold_termination();
  std::ofstream log(options.log);
  std::ofstream answer_log, writes;
  if (!options.answers.empty()) answer_log.open(options.answers);
  if (!options.table_writes.empty()) writes.open(options.table_writes);
  unsigned requests = 0, answers = 0;
  agents::SimulatorRelay relay(options.ibsim, options.own,
                               std::chrono::milliseconds(options.timeout_ms),
                               [](const agents::NodeIdentity&, agents::Mad&) { return false; });
  RisingCounters rising(options.counters);
  relay.watch_requests([&](agents::Mad& mad, std::uint16_t lid) {
    // Flushed, because tests count the lines while the program runs.
    log << line_of(mad, options.json) << std::flush;
    if (writes.is_open()) {
      const std::string write = table_write(mad);
      if (!write.empty()) {
        writes << (options.clock ? microseconds_now() : std::string()) << write << std::endl;
      }
    }
    if (!options.silent.empty() && has_lid(options.silent, lid)) return false;
    return options.lose_every == 0 || ++requests % options.lose_every != 0;
  });
  // Only counters are garbled, because subnet management decides which nodes are read at all.
  relay.watch_answers([&](agents::Mad& mad, std::uint16_t lid) {
    if (answer_log.is_open()) answer_log << line_of(mad, options.json) << std::flush;
    if (!options.names.empty()) rename_node(mad, options.names);
    if (!options.port_info.empty()) change_port_info(mad, options.port_info);
    if (!options.counters.empty()) rising.change(mad, lid);
    const bool counts = mad[1] == 0x04 && (mad[17] == 0x12 || mad[17] == 0x1d);
    if (counts && options.garble_every != 0 && ++answers % options.garble_every == 0) {
      for (std::size_t i = 66; i < mad.size(); ++i) mad[i] ^= static_cast<std::uint8_t>(37 * i);
    }
    return true;
  });
  if (options.tick) {
    relay.answer_in_place(
        [&](agents::Mad& mad) { return answer_samples_control(mad, *options.tick); });
  }
  if (!options.exchanged_while.empty()) exchange_nodes(relay, options);
  if (!options.held_while.empty()) relay.hold_requests(HeldRequests(options.held_while));
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
    line.option("--answers", options.answers, "File for the answers").writes();
    line.option("--table-writes", options.table_writes, "File for blocks of tables that are set")
        .writes();
    line.flag("--clock", options.clock, "Say when each block was set");
    line.option("--timeout", options.timeout_ms, "Milliseconds until a sender sees a timeout");
    line.option("--lose-every", options.lose_every, "Drop each N-th request");
    line.option("--garble-every", options.garble_every, "Garble each N-th answer with counters");
    line.option("--tick", options.tick, "Answer PortSamplesControl with this tick");
    line.option("--names", options.names, "Nodes that call themselves otherwise; read each time");
    line.option("--port-info", options.port_info, "Bytes of PortInfo to change; read each time");
    line.option("--silent", options.silent, "LIDs of nodes that do not answer; read each time");
    line.option("--counters", options.counters, "Counters that rise; read each time");
    line.option("--hold-while", options.held_while, "Hold requests back while this file exists");
    line.flag("--json", options.json, "The log is JSON Lines");
    line.option("--exchange", options.exchanged, "A LID whose node answers for another");
    line.option("--with", options.with, "The other LID, and the other way round");
    line.option("--while", options.exchanged_while, "As long as this file exists");
    return line.parse(argc, argv) ? record(options) : 0;
  });
}
