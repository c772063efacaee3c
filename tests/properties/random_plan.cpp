// Draws a plan in four steps: switches and the links between them, hosts, port numbers, LIDs. Each
// switch has as many ports as cables, or a few more. Cables are at random ports.

#include "tests/properties/random_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <numeric>
#include <random>
#include <set>
#include <utility>

namespace pssp::test {
namespace {

using Random = std::mt19937_64;

class PlanDrawing {
 public:
  explicit PlanDrawing(std::uint64_t seed) : random_(seed) {}

  RandomPlan run() {
    if (chance(3)) {
      draw_grid();
    } else {
      draw_multigraph();
    }
    draw_hosts();
    number_ports();
    draw_lids();
    return std::move(plan_);
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }
  /// True with probability 1/n.
  bool chance(std::size_t n) { return below(n) == 0; }

  LinkRate rate() {
    constexpr std::array<LinkRate, 5> rates{{{4, 2000}, {4, 8000}, {12, 8000}, {1, 2000}, {0, 0}}};
    return same_rate_ ? rates[0] : rates[below(rates.size())];
  }

  Guid new_guid() {
    // The low four bits are zero: the GUID of a port is the node GUID plus the port number.
    Guid guid = 0;
    do {
      guid = (random_() >> below(40)) & ~Guid{0xF};
    } while (guid == 0 || !guids_.insert(guid).second);
    return guid;
  }

  std::size_t add_switch() {
    plan_.nodes.push_back({new_guid(), true, 0, EndPortKind::channel_adapter});
    return plan_.nodes.size() - 1;
  }

  /// Port 0 is a placeholder until number_ports() draws the port numbers.
  void link(std::size_t a, std::size_t b) { plan_.cables.push_back({{a, 0}, {b, 0}, rate()}); }

  void draw_multigraph();
  void draw_grid();
  void draw_hosts();
  void number_ports();
  void draw_lids();

  Random random_;
  RandomPlan plan_;
  std::set<Guid> guids_;
  bool same_rate_ = chance(2);
};

void PlanDrawing::draw_multigraph() {
  const std::size_t switches = chance(20) ? 0 : chance(10) ? 1 : 1 + below(16);
  const std::size_t islands = switches == 0 ? 1 : 1 + (chance(3) ? below(3) : 0);
  for (std::size_t s = 0; s < switches; ++s) add_switch();
  // Switch s is on island s % islands. Most switches have a link to an earlier switch of their
  // island.
  for (std::size_t s = islands; s < switches; ++s) {
    if (!chance(12)) link(s, s % islands + islands * below(s / islands));
  }
  for (std::size_t extra = switches == 0 ? 0 : below(2 * switches + 1); extra > 0; --extra) {
    const std::size_t a = below(switches);
    const std::size_t b = a % islands + islands * below((switches - 1 - a % islands) / islands + 1);
    if (a == b && !chance(8)) continue;
    link(a, b);
    while (chance(3)) link(a, b);
  }
  plan_.recipe = fmt::format("multigraph of {} switches on {} islands", switches, islands);
}

void PlanDrawing::draw_grid() {
  const std::size_t dimensions = 1 + below(3);
  std::vector<std::size_t> sizes;
  std::vector<bool> closed;
  std::size_t switches = 1;
  for (std::size_t d = 0; d < dimensions; ++d) {
    sizes.push_back(2 + below(dimensions == 3 ? 2 : 4));
    closed.push_back(chance(2));
    switches *= sizes.back();
  }
  const std::size_t parallel = chance(4) ? 2 : 1;
  for (std::size_t s = 0; s < switches; ++s) add_switch();
  for (std::size_t s = 0; s < switches; ++s) {
    std::size_t stride = 1;
    for (std::size_t d = 0; d < dimensions; stride *= sizes[d++]) {
      const std::size_t place = s / stride % sizes[d];
      if (place + 1 == sizes[d] && !closed[d]) continue;
      const std::size_t next = s - place * stride + (place + 1) % sizes[d] * stride;
      for (std::size_t k = 0; k < parallel; ++k) link(s, next);
    }
  }
  const std::size_t cut = chance(2) ? 0 : 1 + below(3);
  std::shuffle(plan_.cables.begin(), plan_.cables.end(), random_);
  plan_.cables.resize(plan_.cables.size() - std::min(cut, plan_.cables.size()));
  plan_.recipe =
      fmt::format("grid of {} switches, {} dimensions, {} links cut", switches, dimensions, cut);
}

void PlanDrawing::draw_hosts() {
  const std::size_t switches = plan_.nodes.size();
  const std::size_t hosts = below(switches == 0 ? 4 : 2 * switches + 2);
  constexpr std::array kinds{EndPortKind::channel_adapter, EndPortKind::aggregation_node,
                             EndPortKind::router};
  for (std::size_t h = 0; h < hosts; ++h) {
    const std::size_t node = plan_.nodes.size();
    const unsigned ports = 1 + static_cast<unsigned>(chance(4) ? below(3) : 0);
    plan_.nodes.push_back(
        {new_guid(), false, ports, chance(8) ? kinds[below(kinds.size())] : kinds[0]});
    for (unsigned port = 1; port <= ports; ++port) {
      if (switches == 0 || chance(8)) continue;  // a port without a cable
      plan_.cables.push_back({{node, port}, {below(switches), 0}, rate()});
    }
  }
  if (!chance(10)) return;
  const std::size_t first = plan_.nodes.size();
  for (int end = 0; end < 2; ++end) {
    plan_.nodes.push_back({new_guid(), false, 1, EndPortKind::channel_adapter});
  }
  plan_.cables.push_back({{first, 1}, {first + 1, 1}, rate()});
}

void PlanDrawing::number_ports() {
  std::vector<std::vector<unsigned*>> ends(plan_.nodes.size());
  for (PlannedCable& cable : plan_.cables) {
    for (PlannedPort* const end : {&cable.a, &cable.b}) {
      if (plan_.nodes[end->node].is_switch) ends[end->node].push_back(&end->port);
    }
  }
  for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
    PlannedNode& node = plan_.nodes[n];
    if (!node.is_switch) continue;
    node.ports = std::max(1U, static_cast<unsigned>(ends[n].size() + below(4)));
    std::vector<unsigned> numbers(node.ports);
    std::iota(numbers.begin(), numbers.end(), 1U);
    std::shuffle(numbers.begin(), numbers.end(), random_);
    for (std::size_t i = 0; i < ends[n].size(); ++i) *ends[n][i] = numbers[i];
  }
}

void PlanDrawing::draw_lids() {
  std::vector<PlannedPort> owners;
  for (std::size_t n = 0; n < plan_.nodes.size(); ++n) {
    const PlannedNode& node = plan_.nodes[n];
    if (node.is_switch) owners.push_back({n, 0});
    for (unsigned port = 1; !node.is_switch && port <= node.ports; ++port) {
      if (!chance(25)) owners.push_back({n, port});
    }
  }
  std::shuffle(owners.begin(), owners.end(), random_);
  const auto lmc = static_cast<unsigned>(below(4));
  const bool mixed = chance(4), gaps = chance(3);
  unsigned next = chance(50) ? 0xB000 : 1;
  for (const PlannedPort& owner : owners) {
    const bool of_switch = plan_.nodes[owner.node].is_switch;
    unsigned own = of_switch ? 0 : lmc;
    if (mixed) own = static_cast<unsigned>(below(lmc + 1));
    const unsigned count = 1U << own;
    if (gaps) next += static_cast<unsigned>(below(9));
    next = (next + count - 1) / count * count;
    plan_.lids.push_back({owner, next, own});
    next += count;
  }
  plan_.recipe += fmt::format(", {} nodes, {} cables, LMC {}{}", plan_.nodes.size(),
                              plan_.cables.size(), lmc, mixed ? " at most" : "");
}

}  // namespace

RandomPlan draw_plan(std::uint64_t seed) { return PlanDrawing(seed).run(); }

PlanSeeds seeds_from_environment(PlanSeeds seeds) {
  const char* const first = std::getenv("PSSP_PROPERTY_SEED");
  const char* const count = std::getenv("PSSP_PROPERTY_FABRICS");
  if (first != nullptr) seeds.first = std::stoull(first);
  if (count != nullptr) seeds.count = std::stoull(count);
  return seeds;
}

Fabric to_fabric(const RandomPlan& plan, std::uint64_t order) {
  Random random(order);
  const auto shuffled = [&random](std::size_t size) {
    std::vector<std::size_t> indices(size);
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    std::shuffle(indices.begin(), indices.end(), random);
    return indices;
  };
  FabricBuilder builder;
  std::vector<NodeId> ids(plan.nodes.size());
  for (const std::size_t n : shuffled(plan.nodes.size())) {
    const PlannedNode& node = plan.nodes[n];
    ids[n] = node.is_switch
                 ? builder.add_switch(node.guid, node.ports, fmt::format("S{}", n), "")
                 : builder.add_adapter(node.guid, node.ports, node.kind, fmt::format("H{}", n), "");
  }
  for (const std::size_t c : shuffled(plan.cables.size())) {
    auto [a, b, rate] = plan.cables[c];
    if (random() % 2 == 0) std::swap(a, b);
    builder.connect(ids[a.node], static_cast<PortNumber>(a.port), ids[b.node],
                    static_cast<PortNumber>(b.port), rate);
  }
  for (const std::size_t l : shuffled(plan.lids.size())) {
    const PlannedLids& lids = plan.lids[l];
    builder.set_lid(ids[lids.owner.node], static_cast<PortNumber>(lids.owner.port), lids.first,
                    lids.lmc);
  }
  return std::move(builder).build();
}

}  // namespace pssp::test
