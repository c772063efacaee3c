#include "simulator/report/losses.h"

#include <fmt/format.h>

#include <algorithm>

#include "fabric/fabric_digest.h"
#include "simulator/values.h"

namespace pssp {
namespace {

std::size_t cables_gone(const Fabric& before, const Fabric& after) {
  const FabricChange change(before, after);
  const auto gone =
      static_cast<std::size_t>(std::ranges::count(change.channel_after(), FabricChange::gone));
  const auto hosts =
      static_cast<std::size_t>(std::ranges::count_if(change.hosts(), [](const HostChange& host) {
        return host.before.valid() && !host.after.valid();
      }));
  return gone / 2 + hosts;
}

}  // namespace

std::string losses_text(const LossCounts& losses) {
  if (losses.packets() == 0) return "nothing was lost";
  std::string text = fmt::format(
      "{} packets lost on failed links, {} without a route, {} rejected (out of order or "
      "duplicate); {} retransmissions of messages",
      losses.on_links, losses.without_route, losses.not_taken, losses.repeats);
  if (losses.recovered != never) {
    text += fmt::format(", the last one complete at {}", time_text(losses.recovered));
  }
  if (losses.given_up != 0) {
    text += fmt::format("; {} messages GIVEN UP: they never arrived", losses.given_up);
  }
  return text;
}

std::vector<ChangeSummary> summarize_changes(const RoutedState& first, const LaterStates& later) {
  std::vector<ChangeSummary> changes;
  const RoutedState* before = &first;
  for (const LaterState& next : later.states) {
    ChangeSummary& change = changes.emplace_back();
    change.time = next.time;
    change.cables_gone = cables_gone(before->fabric, next.state.fabric);
    change.cables_come = cables_gone(next.state.fabric, before->fabric);
    change.blocks = writes_between(*before, next.state).size();
    change.written = last_write(next);
    before = &next.state;
  }
  return changes;
}

std::string changes_text(const std::vector<ChangeSummary>& changes) {
  std::string text;
  for (const ChangeSummary& each : changes) {
    text +=
        fmt::format("  at {}: {} cables fail, {} return; {} blocks of tables, written until {}\n",
                    time_text(each.time), each.cables_gone, each.cables_come, each.blocks,
                    time_text(each.written));
  }
  return text;
}

Digest digest_of(const LaterStates& later) {
  Digest digest;
  for (const LaterState& each : later.states) {
    for (const SimulatedTime time : {each.time, each.tables_after, each.spread_over}) {
      digest.add(static_cast<std::uint64_t>(time));
    }
    digest.add_all<std::uint64_t>(digest_of(each.state.fabric));
    for (std::uint32_t s = 0; s < each.state.fabric.switch_count(); ++s) {
      digest.add_all(each.state.tables.row(SwitchId(s)));
    }
    for (const BlockWrite& write : each.order.writes) {
      digest.add(std::uint64_t{write.at_switch} << 32U | write.block);
    }
    digest.add_all<std::int64_t>(each.order.times_ns);
  }
  digest.add(static_cast<std::uint64_t>(later.retry.timeout));
  digest.add(later.retry.retries);
  return digest;
}

}  // namespace pssp
