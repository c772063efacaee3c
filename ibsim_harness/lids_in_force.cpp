#include "ibsim_harness/lids_in_force.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"

namespace pssp {
namespace {

struct LidRange {
  unsigned first = 0, last = 0;
};

std::map<Guid, LidRange> read_guid2lid(std::string_view text) {
  std::map<Guid, LidRange> ranges;
  TextLines lines(text, "guid2lid");
  while (lines.next()) {
    std::string_view line = trimmed(lines.line());
    if (line.empty()) continue;
    const auto guid = take_c_number(line);
    line = without_indent(line);
    const auto first = take_c_number(line);
    line = without_indent(line);
    const auto last = take_c_number(line);
    const bool is_range = guid && first && last && *first >= first_unicast_lid && *first <= *last &&
                          *last <= last_unicast_lid && std::has_single_bit(*last - *first + 1);
    if (!is_range) lines.fail("expected a port GUID, its lowest LID and its highest LID");
    ranges.emplace(*guid, LidRange{static_cast<unsigned>(*first), static_cast<unsigned>(*last)});
  }
  return ranges;
}

class LidsGiver {
 public:
  LidsGiver(const FabricBuilder& simulated, std::string_view guid2lid, std::string_view name)
      : simulated_(simulated), ranges_(read_guid2lid(guid2lid)), name_(name) {}

  FabricInForce run() {
    in_force_.fabric = simulated_;
    in_force_.fabric.clear_lids();
    for (std::uint32_t n = 0; n < simulated_.node_count(); ++n) visit(NodeId(n));
    if (missing_ != 0) {
      fail(fmt::format("{} ports of {} have no LID in the simulated subnet, e.g. {}", missing_,
                       name_, missing_example_));
    }
    if (!ranges_.empty()) {
      const auto& [guid, range] = *ranges_.begin();
      fail(
          fmt::format("the simulated subnet has {} ports that are not in {}, e.g. GUID 0x{:016x} "
                      "with LID {}",
                      ranges_.size(), name_, guid, range.first));
    }
    if (changed_ != 0) {
      in_force_.note = fmt::format(
          "{}: opensm assigned {} ports other LIDs than the file, e.g. {}; the tables "
          "are evaluated with the LIDs of the subnet",
          name_, changed_, changed_example_);
    }
    return std::move(in_force_);
  }

 private:
  [[noreturn]] static void fail(const std::string& what) {
    throw Error(ErrorKind::simulation,
                what + ": its tables cannot be evaluated with this file; see opensm.log");
  }

  void visit(NodeId node) {
    if (simulated_.is_switch(node)) {
      bool has_cable = false;
      for (unsigned p = 1; p <= simulated_.ports(node); ++p)
        has_cable = has_cable || simulated_.is_connected(node, static_cast<PortNumber>(p));
      if (has_cable) give(node, management_port, simulated_.guid(node));
      return;
    }
    for (unsigned p = 1; p <= simulated_.ports(node); ++p) {
      const auto port = static_cast<PortNumber>(p);
      const std::optional<CableEnd> far = simulated_.far_end(node, port);
      if (far && simulated_.is_switch(far->node)) give(node, port, simulated_.guid(node) + p);
    }
  }

  void give(NodeId node, PortNumber port, Guid guid) {
    const Lid lid = simulated_.lid(node, port);
    const auto found = ranges_.find(guid);
    if (found == ranges_.end()) {
      if (missing_++ == 0) missing_example_ = port_text(node, port, lid);
      return;
    }
    const LidRange range = found->second;
    ranges_.erase(found);
    if (lid == no_lid && simulated_.has_lids() && !simulated_.is_switch(node)) return;
    const auto lmc = static_cast<unsigned>(std::countr_zero(range.last - range.first + 1));
    in_force_.fabric.set_lid(node, port, range.first, lmc);
    if (!simulated_.is_switch(node)) in_force_.lmc = std::max(in_force_.lmc, lmc);
    const bool is_same = lid == range.first && lmc == simulated_.lmc(node, port);
    if (lid == no_lid || is_same || changed_++ != 0) return;
    changed_example_ = fmt::format("{}: LID {} (LMC {}) in the subnet", port_text(node, port, lid),
                                   range.first, lmc);
  }

  std::string port_text(NodeId node, PortNumber port, Lid lid) const {
    std::string text = fmt::format("'{}'", excerpt(simulated_.name(node)));
    if (port != management_port) text += fmt::format(" port {}", port);
    if (lid == no_lid) return text;
    return text + fmt::format(", LID {} (LMC {}) in the file", lid, simulated_.lmc(node, port));
  }

  const FabricBuilder& simulated_;
  std::map<Guid, LidRange> ranges_;  // not found in the fabric so far
  std::string_view name_;
  FabricInForce in_force_;
  std::size_t missing_ = 0, changed_ = 0;
  std::string missing_example_, changed_example_;
};

}  // namespace

FabricInForce with_lids_in_force(const FabricBuilder& simulated, std::string_view guid2lid,
                                 std::string_view name) {
  return LidsGiver(simulated, guid2lid, name).run();
}

}  // namespace pssp
