#include "evaluator/paths/node_directory.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

#include "base/error.h"
#include "base/text_lines.h"

// Input can be ambiguous: "0x12" is a LID and might be a GUID, and hosts may be named "12". All
// interpretations are tried; if they lead to one port, it is the result. If they lead to several,
// only the user can decide: the message lists them with LID and GUID, and the prefixes "lid:",
// "guid:" and "name:" select an interpretation.

namespace pssp {
namespace {

constexpr std::size_t listed_candidates = 8;

bool same(LidOwner a, LidOwner b) { return a.kind == b.kind && a.index == b.index; }

/// The whole text as a number; none if it contains anything else.
std::optional<std::uint64_t> whole_number(std::string_view text, bool hexadecimal) {
  const auto number = hexadecimal ? take_number(text, 16) : take_c_number(text);
  return text.empty() ? number : std::nullopt;
}

std::optional<std::uint64_t> guid_in(std::string_view text) {
  constexpr std::size_t digits = 16;
  if (take(text, "0x") || take(text, "0X") || text.size() == digits)
    return whole_number(text, true);
  return std::nullopt;
}

std::optional<Lid> lid_in(std::string_view text) {
  const auto number = whole_number(text, false);
  if (!number || *number < first_unicast_lid || *number > last_unicast_lid) return std::nullopt;
  return static_cast<Lid>(*number);
}

}  // namespace

NodeDirectory::NodeDirectory(const Fabric& fabric) : fabric_(fabric) {
  for (std::uint32_t e = 0; e < fabric.end_port_count(); ++e) {
    const EndPort& port = fabric.end_port(EndPortId(e));
    const LidOwner owner{LidOwner::Kind::end_port, e};
    add(port.name, port.description, owner);
    by_node_guid_[port.node_guid].push_back(owner);
  }
  for (std::uint32_t s = 0; s < fabric.switch_count(); ++s) {
    const Switch& node = fabric.switch_at(SwitchId(s));
    add(node.name, node.description, {LidOwner::Kind::switch_port0, s});
  }
}

void NodeDirectory::add(const std::string& name, const std::string& description, LidOwner owner) {
  by_name_[name].push_back(owner);
  if (description.empty()) return;
  if (description != name) by_name_[description].push_back(owner);
  std::string_view rest = description;
  by_first_word_[std::string(take_word(rest))].push_back(owner);
}

NodeDirectory::Owners NodeDirectory::named(std::string_view text) const {
  const std::string key(text);
  for (const OwnersByText* names : {&by_name_, &by_first_word_}) {
    const auto found = names->find(key);
    if (found != names->end()) return found->second;
  }
  return {};
}

NodeDirectory::Owners NodeDirectory::with_guid(std::string_view text) const {
  const std::optional<std::uint64_t> guid = guid_in(text);
  if (!guid) return {};
  // A port's GUID is more specific than its node's, which may be the same number.
  if (const auto port = fabric_.find_end_port(*guid)) {
    return {{LidOwner::Kind::end_port, port->value()}};
  }
  if (const auto node = fabric_.find_switch(*guid)) {
    return {{LidOwner::Kind::switch_port0, node->value()}};
  }
  const auto found = by_node_guid_.find(*guid);
  return found == by_node_guid_.end() ? Owners{} : found->second;
}

PathEnd NodeDirectory::find(std::string_view text) const {
  std::string_view rest = text;
  const bool only_lid = take(rest, "lid:");
  const bool only_guid = !only_lid && take(rest, "guid:");
  const bool only_name = !only_lid && !only_guid && take(rest, "name:");
  const bool any = !only_lid && !only_guid && !only_name;

  Owners owners;
  const auto join = [&](const Owners& more) {
    for (const LidOwner owner : more) {
      const auto is_owner = [owner](LidOwner other) { return same(owner, other); };
      if (std::none_of(owners.begin(), owners.end(), is_owner)) owners.push_back(owner);
    }
  };
  if (any || only_name) join(named(rest));
  if (any) join(named(text));  // a name may begin with "lid:"
  if (any || only_guid) join(with_guid(rest));
  Lid lid = no_lid;
  if (any || only_lid) {
    const std::optional<Lid> asked = lid_in(rest);
    if (asked && fabric_.owner(*asked).kind != LidOwner::Kind::none) {
      lid = *asked;
      join({fabric_.owner(lid)});
    }
  }

  if (owners.empty()) fail_unknown(text);
  if (owners.size() > 1) {
    const auto cabled_end = std::stable_partition(
        owners.begin(), owners.end(), [this](LidOwner owner) { return is_cabled(owner); });
    if (cabled_end == std::next(owners.begin())) owners.resize(1);
  }
  if (owners.size() > 1) fail_ambiguous(text, owners);
  const LidOwner owner = owners.front();
  if (lid == no_lid || !same(fabric_.owner(lid), owner)) lid = base_lid(owner);
  if (lid == no_lid) {
    throw Error(ErrorKind::usage, fmt::format("{} has no LID, so it can neither send nor receive: "
                                              "it was down when the topology was saved",
                                              describe(owner)));
  }
  return {owner, lid};
}

Lid NodeDirectory::base_lid(LidOwner owner) const {
  return owner.kind == LidOwner::Kind::end_port ? fabric_.end_port(EndPortId(owner.index)).lid
                                                : fabric_.switch_at(SwitchId(owner.index)).lid;
}

bool NodeDirectory::is_cabled(LidOwner owner) const {
  return owner.kind == LidOwner::Kind::switch_port0 ||
         fabric_.end_port(EndPortId(owner.index)).attached.valid();
}

std::string NodeDirectory::describe(LidOwner owner) const {
  const Lid lid = base_lid(owner);
  const std::string lid_text = lid == no_lid ? "no lid" : fmt::format("lid {}", lid);
  if (owner.kind == LidOwner::Kind::end_port) {
    const EndPortId id(owner.index);
    const EndPort& port = fabric_.end_port(id);
    return fmt::format("{} port {}, {}, guid 0x{:016x}{}", fabric_.label(id), port.port, lid_text,
                       port.port_guid, port.attached.valid() ? "" : ", not cabled");
  }
  const SwitchId id(owner.index);
  return fmt::format("switch {}, {}, guid 0x{:016x}", fabric_.label(id), lid_text,
                     fabric_.switch_at(id).guid);
}

void NodeDirectory::fail_unknown(std::string_view text) const {
  std::vector<std::string> similar;
  for (const auto& [name, owners] : by_name_) {
    if (text.size() >= 2 && name.find(text) != std::string::npos) similar.push_back(name);
  }
  std::sort(similar.begin(), similar.end());
  std::string message = fmt::format(
      "'{}' is not the name, description, GUID or LID of a host or switch of this fabric",
      excerpt(text));
  for (std::size_t i = 0; i < std::min(similar.size(), listed_candidates); ++i) {
    message += fmt::format("{}'{}'", i == 0 ? "; similar names: " : ", ", excerpt(similar[i]));
  }
  if (similar.size() > listed_candidates) {
    message += fmt::format(" and {} more", similar.size() - listed_candidates);
  }
  throw Error(ErrorKind::usage, message);
}

void NodeDirectory::fail_ambiguous(std::string_view text, const Owners& owners) const {
  std::string message = fmt::format("'{}' fits {} ports:", excerpt(text), owners.size());
  for (std::size_t i = 0; i < std::min(owners.size(), listed_candidates); ++i) {
    message += fmt::format("\n  {}", describe(owners[i]));
  }
  if (owners.size() > listed_candidates) {
    message += fmt::format("\n  and {} more", owners.size() - listed_candidates);
  }
  message += "\nSpecify one of these ports as lid:NUMBER, guid:0xNUMBER or name:NAME";
  throw Error(ErrorKind::usage, message);
}

}  // namespace pssp
