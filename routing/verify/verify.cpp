// Verification processes the tables LID by LID. For one LID, the tables are a functional graph on
// the switches: each switch forwards to at most one other switch. An entry is correct if following
// the graph from the switch ends at the port of the LID. Each search stops at a switch whose state
// is already known, so a LID costs O(switches). The searches from switches with end ports also find
// the pairs of consecutive channels, which form the channel dependency graph. If credit loops are
// not checked, only LIDs for which a quick proof fails are followed (approach.h).
//
// The tables are stored by switch but processed by LID, so 64 columns at a time are copied. Each
// cache line of the tables is then read only once.

#include "routing/verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/error.h"
#include "base/no_index.h"
#include "fabric/paths/islands.h"
#include "routing/verify/approach.h"
#include "routing/verify/channel_dependencies.h"

namespace pssp {
namespace {

class Verifier {
 public:
  Verifier(const Fabric& fabric, const ForwardingTables& tables, const VerifyOptions& options)
      : fabric_(fabric),
        tables_(tables),
        options_(options),
        dependencies_(fabric),
        island_(islands(fabric)),
        columns_(columns_at_once * fabric.switch_count()),
        out_(fabric.switch_count()),
        state_(fabric.switch_count()),
        used_in_(fabric.switch_count(), no_lid) {}

  VerifyReport run() && {
    std::vector<Lid> unproved;
    if (!options_.credit_loops) unproved = lids_without_quick_proof(fabric_, tables_);
    const std::span<const Lid> lids = options_.credit_loops ? fabric_.lids() : unproved;
    for (std::size_t begin = 0; begin < lids.size(); begin += columns_at_once) {
      const std::span<const Lid> batch =
          lids.subspan(begin, std::min(columns_at_once, lids.size() - begin));
      copy_columns(batch);
      for (std::size_t k = 0; k < batch.size(); ++k)
        check_lid(batch[k], columns_.data() + k * fabric_.switch_count());
    }
    if (options_.credit_loops) {
      report_.channel_dependencies = dependencies_.count();
      report_.credit_loop = dependencies_.find_cycle();
    }
    return std::move(report_);
  }

 private:
  static constexpr std::size_t columns_at_once = 64;
  enum class State : std::uint8_t { unknown, on_walk, arrives, lost, loops };

  void copy_columns(std::span<const Lid> lids) {
    const std::size_t switches = fabric_.switch_count();
    for (std::uint32_t s = 0; s < switches; ++s) {
      const std::span<const PortNumber> row = tables_.row(SwitchId(s));
      for (std::size_t k = 0; k < lids.size(); ++k) {
        columns_[k * switches + s] = lids[k] < row.size() ? row[lids[k]] : no_port;
      }
    }
  }

  void check_lid(Lid lid, const PortNumber* column) {
    const Delivery delivery = fabric_.delivery(lid);
    if (!delivery.at.valid()) return;  // its port has no cable, so no switch can have a route to it
    read_entries(lid, delivery, column);
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (state_[s] == State::unknown) follow(s, lid);
    }
    count_unreachable(lid, delivery);
    if (options_.credit_loops && fabric_.owner(lid).kind == LidOwner::Kind::end_port)
      add_dependencies(lid);
  }

  void read_entries(Lid lid, const Delivery& delivery, const PortNumber* column) {
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      const PortTarget target = fabric_.behind(SwitchId(s), column[s]);
      out_[s] = no_index;
      if (target.kind == PortTarget::Kind::channel) {
        out_[s] = target.index;
        state_[s] = State::unknown;
      } else if (s == delivery.at.value() && column[s] == delivery.port) {
        state_[s] = State::arrives;
      } else {
        state_[s] = State::lost;
        if (column[s] != no_port) report_dead_port(SwitchId(s), lid, column[s]);
      }
    }
  }

  void follow(std::uint32_t start, Lid lid) {
    walk_.clear();
    std::uint32_t s = start;
    while (state_[s] == State::unknown) {
      state_[s] = State::on_walk;
      walk_.push_back(s);
      s = fabric_.channel_head()[out_[s]];
    }
    State verdict = state_[s];
    if (verdict == State::on_walk) {
      verdict = State::loops;
      report_loop(s, lid);
    }
    for (const std::uint32_t each : walk_) state_[each] = verdict;
  }

  void count_unreachable(Lid lid, const Delivery& delivery) {
    const LidOwner owner = fabric_.owner(lid);
    for (std::uint32_t s = 0; s < fabric_.switch_count(); ++s) {
      if (state_[s] == State::arrives) continue;
      std::uint64_t sources = fabric_.senders_per_switch()[s];
      const bool separated = island_[s] != island_[delivery.at.value()];
      if (owner.kind == LidOwner::Kind::end_port) {
        if (s == delivery.at.value()) --sources;  // the owner of the LID
        report_.unreachable_pairs += sources;
        if (separated) report_.separated_pairs += sources;
      } else if (!separated) {
        report_.unreachable_switch_pairs += sources;
      }
      if (sources != 0) report_unreachable(SwitchId(s), lid, owner, separated);
    }
  }

  /// Follows every route from the switch of an end port until it joins a route that was already
  /// followed.
  void add_dependencies(Lid lid) {
    for (std::uint32_t start = 0; start < fabric_.switch_count(); ++start) {
      if (fabric_.senders_per_switch()[start] == 0 || state_[start] != State::arrives) continue;
      std::uint32_t s = start;
      while (used_in_[s] != lid && out_[s] != no_index) {
        used_in_[s] = lid;
        const std::uint32_t next = fabric_.channel_head()[out_[s]];
        if (out_[next] != no_index) dependencies_.add(ChannelId(out_[s]), ChannelId(out_[next]));
        s = next;
      }
    }
  }

  std::string lid_label(Lid lid) const {
    const LidOwner owner = fabric_.owner(lid);
    return fmt::format("LID {} of {}", lid,
                       owner.kind == LidOwner::Kind::end_port
                           ? fabric_.label(EndPortId(owner.index))
                           : fabric_.label(SwitchId(owner.index)));
  }

  bool wants_example(std::uint64_t& displayed) const {
    return displayed < options_.max_examples && ++displayed != 0;
  }

  void report_dead_port(SwitchId s, Lid lid, PortNumber port) {
    ++report_.dead_port_entries;
    if (!wants_example(dead_ports_displayed_)) return;
    report_.examples.push_back(
        fmt::format("dead port: {} sends packets for {} to its port {}, which has no live link or "
                    "leads to a wrong end port",
                    fabric_.label(s), lid_label(lid), port));
  }

  void report_loop(std::uint32_t s, Lid lid) {
    ++report_.forwarding_loops;
    if (!wants_example(loops_displayed_)) return;
    std::string path = fabric_.label(SwitchId(s));
    std::uint32_t each = s;
    for (unsigned displayed = 0; displayed < 8; ++displayed) {
      each = fabric_.channel_head()[out_[each]];
      path += " -> " + fabric_.label(SwitchId(each));
      if (each == s) break;
    }
    report_.examples.push_back(fmt::format("loop: packets for {} circle: {}{}", lid_label(lid),
                                           path, each == s ? "" : " -> ..."));
  }

  void report_unreachable(SwitchId s, Lid lid, const LidOwner& owner, bool separated) {
    std::uint64_t& displayed = separated ? separated_displayed_ : unreachable_displayed_;
    if (separated && owner.kind != LidOwner::Kind::end_port) return;
    if (!wants_example(displayed)) return;
    const char* const why = separated ? "the destination is on another island of the fabric"
                            : state_[s.value()] == State::loops
                                ? "the packets run into a loop"
                                : "the tables lead to a missing entry or a dead port";
    report_.examples.push_back(
        fmt::format("unreachable: no route from the end ports at {} to {}: {}", fabric_.label(s),
                    lid_label(lid), why));
  }

  const Fabric& fabric_;
  const ForwardingTables& tables_;
  const VerifyOptions& options_;
  ChannelDependencies dependencies_;
  std::vector<std::uint32_t> island_;
  std::vector<PortNumber> columns_;  // LID-major copy of the batch

  // By switch, for the current LID.
  std::vector<std::uint32_t> out_;  // ChannelId, or none
  std::vector<State> state_;
  std::vector<Lid> used_in_;  // last LID for which a route of an end port crossed the switch
  std::vector<std::uint32_t> walk_;

  VerifyReport report_;
  std::uint64_t dead_ports_displayed_ = 0;
  std::uint64_t loops_displayed_ = 0;
  std::uint64_t unreachable_displayed_ = 0;
  std::uint64_t separated_displayed_ = 0;
};

}  // namespace

VerifyReport verify(const Fabric& fabric, const ForwardingTables& tables,
                    const VerifyOptions& options) {
  if (tables.switch_count() != fabric.switch_count()) {
    throw Error(ErrorKind::mismatch,
                fmt::format("the tables are for {} switches, but the fabric has {}",
                            tables.switch_count(), fabric.switch_count()));
  }
  return Verifier(fabric, tables, options).run();
}

std::string describe_defects(const VerifyReport& report) {
  return fmt::format(
      "{} unreachable pairs, {} unreachable pairs of end port and switch, {} forwarding loops, {} "
      "entries to dead ports",
      report.unreachable_pairs - report.separated_pairs, report.unreachable_switch_pairs,
      report.forwarding_loops, report.dead_port_entries);
}

void require_writable(const VerifyReport& report) {
  if (report.usable()) return;
  throw Error(ErrorKind::verification_failed,
              fmt::format("the tables were not written: {}\n  {}", describe_defects(report),
                          fmt::join(report.examples, "\n  ")));
}

std::string describe_credit_loop(const Fabric& fabric, const VerifyReport& report) {
  return describe_cycle(fabric, report.credit_loop);
}

}  // namespace pssp
