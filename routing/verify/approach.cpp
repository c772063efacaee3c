#include "routing/verify/approach.h"

#include <array>
#include <span>

#include "fabric/paths/distance_matrix.h"

namespace pssp {
namespace {

constexpr std::size_t most_switches = 8192;

class ApproachCheck {
 public:
  ApproachCheck(const Fabric& fabric, const ForwardingTables& tables)
      : fabric_(fabric), tables_(tables), distances_(fabric) {
    for (const Lid lid : fabric.lids()) {
      const Delivery delivery = fabric.delivery(lid);
      if (delivery.at.valid()) destinations_.push_back({lid, delivery.port, delivery.at.value()});
    }
    is_proved_.assign(destinations_.size(), 1);
  }

  std::vector<Lid> run() {
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) check(SwitchId(s));
    std::vector<Lid> left;
    for (std::size_t i = 0; i < destinations_.size(); ++i) {
      if (is_proved_[i] == 0) left.push_back(destinations_[i].lid);
    }
    return left;
  }

 private:
  struct Destination {
    Lid lid;
    PortNumber port;  // of the last switch
    std::uint32_t at;
  };

  void check(SwitchId s) {
    // By port: distances from the switch behind the port, or null.
    std::array<const std::uint16_t*, 256> beyond{};
    for (unsigned p = 0; p < beyond.size(); ++p) {
      const PortTarget target = fabric_.behind(s, static_cast<PortNumber>(p));
      if (target.kind != PortTarget::Kind::channel) continue;
      beyond.at(p) = distances_.to(SwitchId(fabric_.channel_head()[target.index]));
    }
    const std::uint16_t* const here = distances_.to(s);
    const std::span<const PortNumber> row = tables_.row(s);
    for (std::size_t i = 0; i < destinations_.size(); ++i) {
      const auto& [lid, port, at] = destinations_[i];
      const PortNumber entry = lid < row.size() ? row[lid] : no_port;
      const std::uint16_t* const distances = beyond[entry];
      const bool approaches =
          at == s.value() ? entry == port : distances != nullptr && distances[at] < here[at];
      is_proved_[i] = static_cast<char>(is_proved_[i] & (approaches ? 1 : 0));
    }
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  DistanceMatrix distances_;
  std::vector<Destination> destinations_;
  std::vector<char> is_proved_;  // by destination
};

}  // namespace

std::vector<Lid> lids_without_quick_proof(const Fabric& fabric, const ForwardingTables& tables) {
  if (fabric.switch_count() > most_switches) {
    return {fabric.lids().begin(), fabric.lids().end()};
  }
  return ApproachCheck(fabric, tables).run();
}

}  // namespace pssp
