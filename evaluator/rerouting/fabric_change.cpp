// The fabric after a fault has different numbers for switches and channels. Nodes and cables are
// matched by GUIDs and port numbers, which stay the same.

#include "evaluator/rerouting/fabric_change.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"

namespace pssp {
namespace {

std::size_t count_kept(std::span<const std::uint32_t> matched) {
  return matched.size() -
         static_cast<std::size_t>(std::count(matched.begin(), matched.end(), FabricChange::gone));
}

}  // namespace

FabricChange::FabricChange(const Fabric& before, const Fabric& after)
    : before_(before), after_(after) {
  switch_after_.reserve(before.switch_count());
  for (const Switch& node : before.switches()) {
    const std::optional<SwitchId> found = after.find_switch(node.guid);
    switch_after_.push_back(found ? found->value() : gone);
  }
  match_channels();
  match_hosts();
  require_one_fabric();
  group_hosts();
}

void FabricChange::match_channels() {
  channel_after_.assign(before_.channel_count(), gone);
  for (std::uint32_t c = 0; c < before_.channel_count(); ++c) {
    const std::uint32_t tail = switch_after_[before_.channel_tail()[c]];
    if (tail == gone) continue;
    const PortTarget target = after_.behind(SwitchId(tail), before_.channel_out_port()[c]);
    if (target.kind != PortTarget::Kind::channel) continue;
    if (after_.channel_head()[target.index] == switch_after_[before_.channel_head()[c]] &&
        after_.channel_in_port()[target.index] == before_.channel_in_port()[c]) {
      channel_after_[c] = target.index;
    }
  }
}

void FabricChange::match_hosts() {
  hosts_.reserve(before_.endpoints().size());
  std::vector<std::uint8_t> is_known(after_.end_port_count(), 0);
  for (const EndPortId e : before_.endpoints()) {
    HostChange& host = hosts_.emplace_back();
    host.before = e;
    const std::optional<EndPortId> found = after_.find_end_port(before_.end_port(e).port_guid);
    if (!found || !after_.is_endpoint(*found)) continue;
    host.after = *found;
    is_known[found->value()] = 1;
  }
  for (const EndPortId e : after_.endpoints()) {
    if (is_known[e.value()] == 0) hosts_.push_back({.before = {}, .after = e});
  }
}

void FabricChange::group_hosts() {
  const auto switch_of = [](const Fabric& fabric, EndPortId e) {
    return e.valid() ? fabric.end_port(e).attached : SwitchId();
  };
  std::map<std::pair<SwitchId, SwitchId>, std::uint32_t> group_of;
  for (HostChange& host : hosts_) {
    const SwitchId was = switch_of(before_, host.before);
    const SwitchId is = switch_of(after_, host.after);
    const auto [found, is_new] =
        group_of.try_emplace({was, is}, static_cast<std::uint32_t>(groups_.size()));
    if (is_new) groups_.push_back({.before = was, .after = is});
    host.group = found->second;
    ++groups_[host.group].hosts;
  }
}

void FabricChange::require_one_fabric() const {
  const auto kept_hosts = static_cast<std::size_t>(std::ranges::count_if(
      hosts_, [](const HostChange& host) { return host.before.valid() && host.after.valid(); }));
  struct Kept {
    const char* what;
    std::size_t kept, before, after;
  };
  for (const Kept& each :
       {Kept{"switches", count_kept(switch_after_), before_.switch_count(), after_.switch_count()},
        Kept{"hosts", kept_hosts, before_.endpoints().size(), after_.endpoints().size()},
        Kept{"channels", count_kept(channel_after_), before_.channel_count(),
             after_.channel_count()}}) {
    if (2 * each.kept >= std::max(each.before, each.after)) continue;
    throw Error(
        ErrorKind::mismatch,
        fmt::format(
            "these are two fabrics, not one fabric before and after a change: of {} {} before and "
            "{} after, only {} are the same, by GUID and port; expected at least half",
            each.before, each.what, each.after, each.kept));
  }
}

}  // namespace pssp
