#include "tests/operations/cabling/cabling_damage.h"

#include <utility>

#include "base/random.h"
#include "fabric/nodes/node_description.h"

namespace pssp::test {
namespace {

std::vector<unsigned> cables_of_nodes(const Cabling& cabling) {
  std::vector<unsigned> count(cabling.nodes.size(), 0);
  for (const Cabling::Cable& cable : cabling.cables) {
    ++count[cable.a.node];
    ++count[cable.b.node];
  }
  return count;
}

class Damage {
 public:
  Damage(const Cabling& plan, std::uint64_t seed)
      : plan_(plan), random_(random_stream(seed, 17, 0)), count_(cables_of_nodes(plan)) {
    result_.fabric = plan;
    touched_.assign(plan.cables.size(), 0);
  }

  void swap_two() {
    for (;;) {
      const std::size_t first = any(), other = any();
      Cabling::Cable& a = result_.fabric.cables[first];
      Cabling::Cable& b = result_.fabric.cables[other];
      if (first == other || touched_[first] != 0 || touched_[other] != 0) continue;
      // Both cables must be at the same switch; their far ends are exchanged.
      if (a.a.node != b.a.node || a.b == b.b) continue;
      std::swap(a.b, b.b);
      touched_[first] = touched_[other] = 1;
      result_.faults.insert(
          {CablingFault::swapped, {label(a.a), label(a.b), label(b.a), label(b.b)}});
      return;
    }
  }

  void take_out() {
    for (;;) {
      const std::size_t cable = any();
      const Cabling::Cable& out = result_.fabric.cables[cable];
      // An adapter without a cable would be a missing node.
      if (touched_[cable] != 0 || count_[out.a.node] < 2 || count_[out.b.node] < 2) continue;
      touched_[cable] = 2;
      result_.faults.insert({CablingFault::missing, {label(out.a), label(out.b)}});
      return;
    }
  }

  DamagedCabling run(bool forget) {
    std::vector<Cabling::Cable> left;
    for (std::size_t c = 0; c < touched_.size(); ++c) {
      if (touched_[c] != 2) left.push_back(result_.fabric.cables[c]);
    }
    result_.fabric.cables = std::move(left);
    for (Cabling::Node& node : result_.fabric.nodes) {
      if (!forget || node.kind != Cabling::NodeKind::switch_chip) continue;
      node.guid = 0;
      node.name = "a switch";
      node.identity.clear();
      node.system.clear();
    }
    return std::move(result_);
  }

 private:
  std::size_t any() {
    return random_.below(static_cast<std::uint32_t>(result_.fabric.cables.size()));
  }

  std::string label(Cabling::Port port) const {
    const Cabling::Node& node = plan_.nodes[port.node];
    if (node.kind == Cabling::NodeKind::adapter && count_[port.node] < 2) return node.name;
    return port_label(node.name, port.number);
  }

  const Cabling& plan_;
  RandomGenerator random_;
  std::vector<unsigned> count_;
  std::vector<char> touched_;
  DamagedCabling result_;
};

}  // namespace

DamagedCabling damaged(const Cabling& plan, unsigned swaps, unsigned missing, std::uint64_t seed,
                       bool forget_switches) {
  Damage damage(plan, seed);
  for (unsigned i = 0; i < swaps; ++i) damage.swap_two();
  for (unsigned i = 0; i < missing; ++i) damage.take_out();
  DamagedCabling result = damage.run(forget_switches);
  result.fabric = shuffled(result.fabric, seed);
  return result;
}

Cabling shuffled(const Cabling& cabling, std::uint64_t seed) {
  RandomGenerator random = random_stream(seed, 18, 0);
  const auto place = random_permutation(static_cast<std::uint32_t>(cabling.nodes.size()), random);
  Cabling other = cabling;
  for (std::size_t n = 0; n < place.size(); ++n) other.nodes[place[n]] = cabling.nodes[n];
  for (Cabling::Cable& cable : other.cables) {
    cable.a.node = place[cable.a.node];
    cable.b.node = place[cable.b.node];
    if (random.below(2) == 1) std::swap(cable.a, cable.b);
  }
  shuffle(other.cables, random);
  return other;
}

std::multiset<SaidFault> said_faults(const CablingComparison& comparison) {
  std::multiset<SaidFault> said;
  for (const CablingStatement& each : comparison.statements) {
    said.insert({each.fault, {each.ports.begin(), each.ports.end()}});
  }
  return said;
}

}  // namespace pssp::test
