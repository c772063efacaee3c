#pragma once

// The cabling of a fabric during a campaign: the cables, which of them are cut, which switches have
// no power, and the ibsim console commands that change one state into another.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fabric/fabric.h"

namespace pssp::campaign {

/// A port of a switch or of an adapter. `node` numbers the switches by SwitchId, and after them the
/// end ports by EndPortId.
struct Plug {
  std::uint32_t node = 0;
  PortNumber port = 0;
  friend bool operator==(const Plug&, const Plug&) = default;
  friend auto operator<=>(const Plug&, const Plug&) = default;
};

/// `a` is a port of a switch or an adapter; `b` is always a port of a switch.
struct Cable {
  Plug a, b;
  bool cut = false;
};

class Cabling {
 public:
  /// The cabling of the fabric, which must outlive this object. Ignores adapters without a cable.
  explicit Cabling(const Fabric& fabric);

  std::size_t switch_count() const noexcept { return dark_.size(); }
  const std::vector<Cable>& cables() const noexcept { return cables_; }
  /// Whether the cable is not cut and both ends have power.
  bool is_up(std::size_t cable) const noexcept;
  bool is_dark(std::uint32_t node) const noexcept { return node < dark_.size() && dark_[node]; }
  bool joins_switches(std::size_t cable) const noexcept;
  /// Whether the cable connects a host to a switch; false for aggregation nodes and routers.
  bool is_host(std::size_t cable) const noexcept;

  void set_cut(std::size_t cable, bool cut) noexcept { cables_[cable].cut = cut; }
  void set_dark(std::uint32_t node, bool dark) noexcept { dark_[node] = dark; }
  /// Connects the cable of an adapter to another port of a switch.
  void plug(std::size_t cable, Plug at) noexcept { cables_[cable].b = at; }
  /// Ports of switches with power that have no cable now and had none in the original fabric. In
  /// ascending order.
  std::vector<Plug> free_ports() const;

  std::size_t cut_count() const;
  std::size_t dark_count() const;
  /// Number of cables that end at another switch port than in `original`.
  std::size_t moved_count(const Cabling& original) const;

  /// For each node, whether cables that are up connect it to `start`.
  std::vector<bool> island_of(std::uint32_t start) const;

  /// ibsim console commands that change the cables of `from` into those of this cabling: first all
  /// Unlink commands, then all Link commands.
  std::vector<std::string> commands_from(const Cabling& from) const;
  std::string unlink_command(std::size_t cable) const;
  std::string link_command(std::size_t cable) const;

  /// Identifier of the node in the topology file.
  const std::string& name(std::uint32_t node) const;
  /// "S00001"[4], the notation of the ibsim console.
  std::string quoted(Plug plug) const;
  std::string label(std::size_t cable) const;

 private:
  const Fabric* fabric_;
  std::vector<Cable> cables_;
  std::vector<bool> dark_;
  std::vector<std::vector<bool>> used_;  // per switch and port: whether it had a cable originally
};

/// Compares a discovered fabric with the part of the cabling that `start` reaches. Returns one line
/// per difference: "lost: ..." or "surplus: ...". Compares nodes by GUID, since programs name them
/// differently.
std::vector<std::string> differences(const Fabric& original, const Cabling& expected,
                                     std::uint32_t start, const Fabric& found);

}  // namespace pssp::campaign
