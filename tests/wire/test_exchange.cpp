// Dialogues with many nodes over a port in memory that loses, delays, duplicates and garbles MADs.
// The nodes are the agents that also simulate nodes in the tests with ibsim.

#include <catch2/catch.hpp>
#include <deque>
#include <map>
#include <memory>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "congestion/profiles.h"
#include "tests/wire/agents/node_agent.h"
#include "tools/congestion/dialogues.h"
#include "tools/congestion/node_text.h"
#include "wire/big_endian.h"
#include "wire/exchange.h"

using namespace pssp;
using Catch::Matchers::Contains;

namespace {

/// Probabilities of faults between the port and a node.
struct Weather {
  unsigned lost_percent = 0;     ///< no answer; the request comes back as timed out
  unsigned vanish_percent = 0;   ///< no answer, and the request does not come back
  unsigned doubled_percent = 0;  ///< the answer arrives twice
  unsigned garbled_percent = 0;  ///< a MAD of random bytes arrives before the answer
};

class MemoryPort final : public MadPort {
 public:
  MemoryPort(std::map<Lid, agents::NodeAgent>& nodes, Weather weather)
      : nodes_(nodes), weather_(weather) {}

  bool send(const MadBytes& mad, const Destination& destination,
            std::chrono::milliseconds) override {
    const Lid to = destination.lid;
    if (to == unreachable) return false;
    ++sent;
    in_flight_.insert_or_assign(to, in_flight_[to] + 1);
    most_in_flight = std::max(most_in_flight, in_flight_[to]);
    if (happens(weather_.vanish_percent)) {
      --in_flight_[to];
      return true;
    }
    MadBytes answer = mad;
    if (happens(weather_.lost_percent) || !answered(to, answer)) {
      arriving_.push_back({to, {mad, true}});
      return true;
    }
    if (happens(weather_.garbled_percent)) arriving_.push_back({no_lid, {garbage(), false}});
    arriving_.push_back({to, {answer, false}});
    if (happens(weather_.doubled_percent)) arriving_.push_back({no_lid, {answer, false}});
    return true;
  }
  std::string send_error() const override { return "no way there"; }

  std::optional<ReceivedMad> receive(std::chrono::milliseconds) override {
    if (arriving_.empty()) return std::nullopt;
    // Answers arrive in random order.
    const std::size_t which = random_() % arriving_.size();
    const Arrival arrival = arriving_[which];
    arriving_.erase(arriving_.begin() + static_cast<std::ptrdiff_t>(which));
    if (arrival.from != no_lid) --in_flight_[arrival.from];
    return arrival.mad;
  }

  static constexpr Lid unreachable = 999;
  std::map<Lid, Guid> moved_lids;  ///< LIDs at which the node GUID is not the LID
  std::size_t asked_for_identity = 0;
  std::size_t sent = 0;
  int most_in_flight = 0;  ///< to one node

 private:
  struct Arrival {
    Lid from;
    ReceivedMad mad;
  };

  /// Answers NodeInfo here and passes all other requests to the agent.
  bool answered(Lid to, MadBytes& mad) {
    const auto node = nodes_.find(to);
    if (node == nodes_.end()) return false;
    if (header_of(mad).management_class != subnet_class.number) return node->second.answer(mad);
    ++asked_for_identity;
    mad[3] = static_cast<std::uint8_t>(MadMethod::get_response);
    const auto moved = moved_lids.find(to);
    const Guid guid = moved == moved_lids.end() ? to : moved->second;
    mad[subnet_class.data_offset + 3] = 36;
    put(std::span(mad).subspan(subnet_class.data_offset + 12), guid);
    put(std::span(mad).subspan(subnet_class.data_offset + 20), guid);
    return true;
  }

  bool happens(unsigned percent) { return random_() % 100 < percent; }
  MadBytes garbage() {
    MadBytes bytes;
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random_());
    return bytes;
  }

  std::map<Lid, agents::NodeAgent>& nodes_;
  Weather weather_;
  std::deque<Arrival> arriving_;
  std::map<Lid, int> in_flight_;
  std::mt19937 random_{7};
};

/// LIDs 1 .. switches are switches with three ports: host-facing, switch-facing and empty. The
/// adapters have the next LIDs.
std::vector<CcNode> make_nodes(unsigned switches, unsigned adapters) {
  std::vector<CcNode> nodes;
  for (Lid lid = 1; lid <= switches + adapters; ++lid) {
    CcNode node{lid <= switches, lid, lid, "node", "", {}};
    if (node.is_switch) {
      node.roles = {PortRole::unconnected, PortRole::host_facing, PortRole::switch_facing,
                    PortRole::unconnected};
    }
    nodes.push_back(node);
  }
  return nodes;
}

std::map<Lid, agents::NodeAgent> make_agents(const std::vector<CcNode>& nodes,
                                             const agents::Behaviour& behaviour = {}) {
  std::map<Lid, agents::NodeAgent> agents;
  for (const CcNode& node : nodes) {
    agents.emplace(node.lid, agents::NodeAgent(node.is_switch, node.is_switch ? 3 : 1, behaviour));
  }
  return agents;
}

template <class Kind, class... Arguments>
std::vector<std::unique_ptr<Kind>> hold(MadPort& port, const std::vector<CcNode>& nodes,
                                        const ExchangeOptions& options,
                                        const Arguments&... arguments) {
  std::vector<std::unique_ptr<Kind>> dialogues;
  std::vector<Dialogue*> pointers;
  for (const CcNode& node : nodes) {
    dialogues.push_back(std::make_unique<Kind>(node, arguments...));
    pointers.push_back(dialogues.back().get());
  }
  std::size_t last = 0;
  hold_dialogues(port, pointers, options, [&](std::size_t done) {
    if (done < last) FAIL("progress goes back");
    last = done;
  });
  CHECK(last == nodes.size());
  return dialogues;
}

template <class Dialogues>
std::size_t failures(const Dialogues& dialogues) {
  std::size_t count = 0;
  for (const auto& dialogue : dialogues) count += dialogue->has_failed() ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE(
    "applied settings are read back unchanged in spite of lost, duplicated and garbled MADs") {
  const CongestionParameters set = load_congestion_parameters("thesis-mesh");
  const std::vector<CcNode> nodes = make_nodes(20, 100);
  auto agents = make_agents(nodes);
  const Weather weather = GENERATE(Weather{}, Weather{30, 0, 0, 0}, Weather{20, 0, 30, 30});
  for (const unsigned window : {1U, 7U, 1000U}) {
    MemoryPort port(agents, weather);
    ExchangeOptions options;
    options.window = window;
    options.retries = 60;
    CHECK(failures(hold<ApplyDialogue>(port, nodes, options, set)) == 0);
    for (const auto& query : hold<QueryDialogue>(port, nodes, options)) {
      REQUIRE_FALSE(query->has_failed());
      CHECK(differences(query->node(), query->reading(), set).empty());
      CHECK(query->reading() == intended_reading(query->node(), set));
    }
    // If a duplicate arrives before the original, the count of requests in flight is one too high.
    if (weather.doubled_percent == 0) CHECK(port.most_in_flight == 1);
  }
}

TEST_CASE("nodes that do not answer are given up after the configured number of tries") {
  const std::vector<CcNode> nodes = make_nodes(3, 5);
  std::map<Lid, agents::NodeAgent> nobody;
  MemoryPort port(nobody, {});
  ExchangeOptions options;
  options.retries = 4;
  const auto queries = hold<QueryDialogue>(port, nodes, options);
  CHECK(failures(queries) == nodes.size());
  CHECK(port.sent == nodes.size() * 5);
  CHECK_THAT(queries[0]->failure(), Contains("no reply to 5 requests"));
}

TEST_CASE("a request that vanishes is given up by the exchange itself") {
  const std::vector<CcNode> nodes = make_nodes(1, 1);
  auto agents = make_agents(nodes);
  MemoryPort port(agents, {0, 100, 0, 0});
  ExchangeOptions options;
  options.timeout = std::chrono::milliseconds(1);
  options.retries = 0;
  CHECK(failures(hold<QueryDialogue>(port, nodes, options)) == 2);
  CHECK(port.sent == 2);
}

TEST_CASE("a refusal ends only the dialogue with that node") {
  const CongestionParameters set = load_congestion_parameters("thesis-mesh");
  const std::vector<CcNode> nodes = make_nodes(2, 2);
  auto agents = make_agents(nodes);
  agents::Behaviour refuses;
  refuses.status = 0x0004;
  agents.insert_or_assign(Lid{3}, agents::NodeAgent(false, 1, refuses));
  MemoryPort port(agents, {});
  const auto applied = hold<ApplyDialogue>(port, nodes, {}, set);
  CHECK(failures(applied) == 1);
  CHECK_THAT(applied[2]->failure(), Contains("CongestionInfo") && Contains("0x0004"));
  CHECK(applied[2]->settings_taken() == 0);
}

TEST_CASE("an unreachable node is reported") {
  std::vector<CcNode> nodes = make_nodes(1, 0);
  nodes[0].lid = MemoryPort::unreachable;
  std::map<Lid, agents::NodeAgent> nobody;
  MemoryPort port(nobody, {});
  const auto queries = hold<QueryDialogue>(port, nodes, {});
  CHECK_THAT(queries[0]->failure(), Contains("could not be sent: no way there"));
}

TEST_CASE("a table that is longer than the adapter permits is not sent") {
  const CongestionParameters set = load_congestion_parameters("thesis-mesh");  // 3 blocks
  const std::vector<CcNode> nodes = make_nodes(0, 1);
  agents::Behaviour small;
  small.table_blocks = 2;
  auto agents = make_agents(nodes, small);
  MemoryPort port(agents, {});
  const auto applied = hold<ApplyDialogue>(port, nodes, {}, set);
  CHECK_THAT(applied[0]->failure(), Contains("nothing was set") && Contains("129"));
  CHECK(port.sent - port.asked_for_identity == 1);
}

TEST_CASE("a node with an unexpected GUID gets no settings and no further requests") {
  const CongestionParameters set = load_congestion_parameters("thesis-mesh");
  const std::vector<CcNode> nodes = make_nodes(2, 2);
  auto agents = make_agents(nodes);
  MemoryPort port(agents, {});
  port.moved_lids = {{Lid{1}, 2}, {Lid{2}, 1}, {Lid{4}, 0x77}};
  const auto applied = hold<ApplyDialogue>(port, nodes, {}, set);
  CHECK(failures(applied) == 3);
  CHECK_THAT(applied[0]->failure(), Contains("GUID 0x0000000000000002") &&
                                        Contains("not 0x0000000000000001") &&
                                        Contains("ibnetdiscover"));
  CHECK_THAT(applied[3]->failure(), Contains("0x0000000000000077"));
  for (const Lid lid : {Lid{1}, Lid{2}, Lid{4}}) CHECK(agents.at(lid).dump() == "violations 0\n");
  CHECK(failures(hold<QueryDialogue>(port, nodes, {})) == 3);
}

TEST_CASE("settings that differ in the answer count as not accepted") {
  const CongestionParameters set = load_congestion_parameters("thesis-mesh");
  const std::vector<CcNode> nodes = make_nodes(1, 1);
  agents::Behaviour deaf;
  deaf.keeps_values = true;
  auto agents = make_agents(nodes, deaf);
  MemoryPort port(agents, {});
  const auto applied = hold<ApplyDialogue>(port, nodes, {}, set);
  CHECK_THAT(applied[0]->failure(), Contains("SwitchCongestionSetting not set as requested: "
                                             "switch.victim_mask: none, expected 1"));
  CHECK_THAT(applied[1]->failure(), Contains("CongestionControlTable not set as requested: "
                                             "table.ccti_limit: 0, expected 128"));
  CHECK(applied[0]->settings_taken() + applied[1]->settings_taken() == 0);
}

TEST_CASE("settings that were read can be restored after later changes") {
  const CongestionParameters before = load_congestion_parameters("thesis-mesh");
  const CongestionParameters after = load_congestion_parameters("off");
  const std::vector<CcNode> nodes = make_nodes(2, 3);
  auto agents = make_agents(nodes);
  MemoryPort port(agents, {});
  CHECK(failures(hold<ApplyDialogue>(port, nodes, {}, before)) == 0);
  const auto surveyed = hold<SurveyDialogue>(port, nodes, {}, after);
  CHECK(failures(hold<ApplyDialogue>(port, nodes, {}, after)) == 0);
  std::vector<std::unique_ptr<SetDialogue>> back;
  std::vector<Dialogue*> pointers;
  for (const auto& survey : surveyed) {
    REQUIRE_FALSE(survey->has_failed());
    back.push_back(std::make_unique<SetDialogue>(
        survey->node(), restoring_requests(survey->node(), survey->reading())));
    pointers.push_back(back.back().get());
  }
  hold_dialogues(port, pointers, {}, [](std::size_t) {});
  CHECK(failures(back) == 0);
  for (const auto& query : hold<QueryDialogue>(port, nodes, {})) {
    CHECK(differences(query->node(), query->reading(), before).empty());
  }
}

TEST_CASE("a dialogue that ends early reports the state of its settings") {
  const CongestionParameters set = load_congestion_parameters("thesis-mesh");
  const std::vector<CcNode> nodes = make_nodes(0, 1);
  ApplyDialogue unsent(nodes[0], set);
  REQUIRE(unsent.next());
  unsent.failed({MadFailure::Kind::stopped, 0, 0, {}});
  CHECK(unsent.was_stopped());
  CHECK_FALSE(unsent.is_unknown());

  SetDialogue sent(nodes[0], set_requests(nodes[0], set));
  REQUIRE(sent.next());
  MadAnswer identity;
  identity.data[27] = 1;  // PortGUID
  sent.take(identity);
  REQUIRE(sent.next());
  sent.failed({MadFailure::Kind::unanswered, 0, 1, {}});
  CHECK(sent.is_unknown());
  CHECK_FALSE(sent.next());
}

TEST_CASE("an impossible CCTI_Limit is refused") {
  const std::vector<CcNode> nodes = make_nodes(0, 1);
  QueryDialogue query(nodes[0]);
  REQUIRE(query.next()->management_class == subnet_class);
  MadAnswer identity;
  identity.data[27] = 1;  // PortGUID
  query.take(identity);
  REQUIRE(query.next());
  query.take(MadAnswer{});
  REQUIRE(query.next()->attribute == static_cast<std::uint16_t>(CcAttribute::table));
  MadAnswer block;
  block.data[0] = block.data[1] = 0xff;
  query.take(block);
  CHECK_THAT(query.failure(), Contains("CCTI_Limit 65535"));
  CHECK_FALSE(query.next());
}
