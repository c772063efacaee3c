// A node is a pair of a link and a lane: its sender, and the buffer at its head. A node is alive if
// its sender has or will get credits for the waiting packets, because something is in flight, or
// because some packet in its buffer waits for a live node. (One packet suffices, because each
// output has its own queue in the buffer.) All other nodes are dead; a dead node with packets in
// its buffer waits only for dead nodes, so following the first packet from node to node ends in a
// cycle.

#include "simulator/measure/deadlock_cycle.h"

#include <algorithm>
#include <utility>

namespace pssp {
namespace {

class WaitingLinks {
 public:
  WaitingLinks(const Network& network, const PacketPool& packets, std::vector<bool> pending)
      : network_(network), packets_(packets), alive_(std::move(pending)) {
    const std::size_t nodes = network.lane_states.size();
    waiting_at_.resize(nodes);
    waits_for_.resize(nodes);
    for (std::uint32_t s = 0; s < network.switches.size(); ++s) look_at(s);
    for (std::uint32_t node = 0; node < nodes; ++node) {
      if (waits_for_[node].empty()) alive_[node] = true;
    }
    spread();
  }

  std::vector<std::uint32_t> cycle() const {
    std::vector<std::uint32_t> seen(alive_.size(), no_index);
    for (std::uint32_t first = 0; first < alive_.size(); ++first) {
      if (alive_[first]) continue;
      std::vector<std::uint32_t> path;
      std::uint32_t at = first;
      for (; seen[at] == no_index; at = waits_for_[at].front()) {
        seen[at] = static_cast<std::uint32_t>(path.size());
        path.push_back(at);
      }
      std::vector<std::uint32_t> links;
      for (std::size_t i = seen[at]; i < path.size(); ++i)
        links.push_back(path[i] / network_.lanes);
      return links;
    }
    return {};
  }

 private:
  void look_at(std::uint32_t s) {
    const SwitchPorts& at = network_.switches[s];
    for (std::uint32_t output = 0; output < at.ports; ++output) {
      for (std::uint32_t lane = 0; lane < network_.lanes; ++lane) {
        for (std::uint32_t input = 0; input < at.ports; ++input) {
          const std::uint32_t packet = network_.queue(at, input, output, lane).first;
          if (packet != no_index) wait(at, input, output, packets_[packet]);
        }
      }
    }
  }

  void wait(const SwitchPorts& at, std::uint32_t input, std::uint32_t output,
            const Packet& packet) {
    const std::uint32_t lanes = network_.lanes;
    const std::uint32_t held = network_.in_link[at.first_port + input] * lanes + packet.lane;
    const std::uint32_t wanted = network_.out_link[at.first_port + output] * lanes + packet.lane;
    waits_for_[held].push_back(wanted);
    waiting_at_[wanted].push_back(held);
    if (network_.lane_states[wanted].credits >=
        static_cast<std::int32_t>(credits_of(packet.bytes))) {
      alive_[wanted] = true;
    }
  }

  void spread() {
    std::vector<std::uint32_t> fresh;
    for (std::uint32_t node = 0; node < alive_.size(); ++node) {
      if (alive_[node]) fresh.push_back(node);
    }
    while (!fresh.empty()) {
      const std::uint32_t node = fresh.back();
      fresh.pop_back();
      for (const std::uint32_t held : waiting_at_[node]) {
        if (alive_[held]) continue;
        alive_[held] = true;
        fresh.push_back(held);
      }
    }
  }

  const Network& network_;
  const PacketPool& packets_;
  std::vector<bool> alive_;
  std::vector<std::vector<std::uint32_t>> waiting_at_, waits_for_;
};

}  // namespace

std::vector<std::uint32_t> deadlock_cycle(const Network& network, const PacketPool& packets,
                                          const std::vector<bool>& pending) {
  return WaitingLinks(network, packets, pending).cycle();
}

}  // namespace pssp
