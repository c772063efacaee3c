#pragma once

// The cabling of a fabric that faults change: which cables there are, which of them are cut, which
// switches have no power, and ibsim's console commands that lead from one state to another.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fabric/fabric.h"

namespace pssp::campaign {

/// A port of a switch or of an adapter. Nodes are the switches by SwitchId, then the end ports by
/// EndPortId.
struct Plug {
  std::uint32_t node = 0;
  PortNumber port = 0;
  friend bool operator==(const Plug&, const Plug&) = default;
  friend auto operator<=>(const Plug&, const Plug&) = default;
};

/// `a` is a switch's or an adapter's, `b` always a switch's.
struct Cable {
  Plug a, b;
  bool cut = false;
};

class Cabling {
 public:
  /// As in the fabric, which must outlive the cabling. Adapters without a cable are left aside.
  explicit Cabling(const Fabric& fabric);

  std::size_t switch_count() const noexcept { return dark_.size(); }
  const std::vector<Cable>& cables() const noexcept { return cables_; }
  /// Works: not cut, and power at both ends.
  bool is_up(std::size_t cable) const noexcept;
  bool is_dark(std::uint32_t node) const noexcept { return node < dark_.size() && dark_[node]; }
  bool joins_switches(std::size_t cable) const noexcept;
  /// Of an adapter to be moved about: cabled to a switch, and no part of one.
  bool is_host(std::size_t cable) const noexcept;

  void set_cut(std::size_t cable, bool cut) noexcept { cables_[cable].cut = cut; }
  void set_dark(std::uint32_t node, bool dark) noexcept { dark_[node] = dark; }
  /// Plugs the adapter's cable in at another port of a switch.
  void plug(std::size_t cable, Plug at) noexcept { cables_[cable].b = at; }
  /// Ports of switches with power into which no cable is plugged, nor was in the beginning:
  /// ibsim may hold cables there that the fabric does not count as such. Ascending.
  std::vector<Plug> free_ports() const;

  std::size_t cut_count() const;
  std::size_t dark_count() const;
  /// Cables plugged in elsewhere than in `original`.
  std::size_t moved_count(const Cabling& original) const;

  /// Nodes that cables which are up join with `start`, by node.
  std::vector<bool> island_of(std::uint32_t start) const;

  /// Console commands of ibsim that turn the cables of `from` into those of this cabling: first all
  /// that go down, then all that come up.
  std::vector<std::string> commands_from(const Cabling& from) const;
  std::string unlink_command(std::size_t cable) const;
  std::string link_command(std::size_t cable) const;

  /// Identifier of the node in the topology file.
  const std::string& name(std::uint32_t node) const;
  /// "S00001"[4], as ibsim's console wants it.
  std::string quoted(Plug plug) const;
  std::string label(std::size_t cable) const;

 private:
  const Fabric* fabric_;
  std::vector<Cable> cables_;
  std::vector<bool> dark_;
  std::vector<std::vector<bool>> used_;  // per switch and port: a cable was there in the beginning
};

/// Where the fabric that is found differs from what the cabling says can be reached from `start`, a
/// line a difference: "lost: ..." or "surplus: ...". Nodes are compared by GUID, since programs
/// name them differently.
std::vector<std::string> differences(const Fabric& original, const Cabling& expected,
                                     std::uint32_t start, const Fabric& found);

}  // namespace pssp::campaign
