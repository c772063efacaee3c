// Builds the topology from replies of UFM. A port is free if no link has it. The type of a node
// comes from the first available of: the description of the port, the system, several ports with
// one GUID, and the description of the node, to which UFM appends the name of the port if the node
// is a switch.

#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "fabric/formats/ufm/ufm_answers.h"

namespace pssp {
namespace {

/// Whether the description is that of the switch, a colon, and the port, as UFM writes it.
bool ends_with_port(std::string_view description, std::string_view port) {
  return description.size() > port.size() && description.ends_with(port) &&
         description[description.size() - port.size() - 1] == ':';
}

}  // namespace

/// Views of ends refer to the replies, which outlive this object.
class UfmAnswers::Builder {
 public:
  Builder(UfmAnswers& answers, std::string_view name)
      : answers_(answers), statements_(name, "entry") {}

  TopologyFile run(std::string_view name);

 private:
  ReportedType stated_type(const End& end, const Port* port) const;
  ReportedPort reported(const End& end, const Port* port);
  Port* port_of(const End& end) {
    const auto found = answers_.ports_.find(PortKey(end.guid, end.port));
    return found == answers_.ports_.end() ? nullptr : &found->second;
  }
  void note_ports();
  LinkRate rate_of(const Link& link, std::array<const Port*, 2> ends);
  void add_links();
  void add_free_ports();

  UfmAnswers& answers_;
  PortStatements statements_;
  std::map<Guid, unsigned> port_of_guid_;     // 0: several
  std::map<Guid, std::string> guessed_type_;  // of nodes, with their descriptions
  std::size_t links_without_speed_ = 0;
  Cases unequal_rates_;
};

void UfmAnswers::Builder::note_ports() {
  const auto note = [this](Guid guid, unsigned port) {
    const auto [known, is_new] = port_of_guid_.try_emplace(guid, port);
    if (!is_new && known->second != port) known->second = 0;
  };
  for (const Link& link : answers_.links_) {
    note(link.source.guid, link.source.port);
    note(link.destination.guid, link.destination.port);
  }
  for (const auto& [key, port] : answers_.ports_) note(key.first, key.second);
}

ReportedType UfmAnswers::Builder::stated_type(const End& end, const Port* port) const {
  if (port != nullptr && port->type != ReportedType::unknown) return port->type;
  for (const Guid guid : {end.guid, end.system}) {
    const auto system = answers_.systems_.find(guid);
    if (system != answers_.systems_.end()) return system->second.type;
  }
  return ReportedType::unknown;
}

ReportedPort UfmAnswers::Builder::reported(const End& end, const Port* port) {
  ReportedPort result;
  result.port = end.port;
  result.lid = port == nullptr ? unsigned{no_lid} : port->lid;
  result.type = stated_type(end, port);
  const End& described = end.description.empty() && port != nullptr ? port->end : end;
  std::string_view name = described.description;
  std::string_view suffix;
  for (const std::string_view label :
       {std::string_view(described.label), std::string_view(end.label)}) {
    if (!label.empty() && ends_with_port(name, label)) suffix = label;
  }
  const std::string number = std::to_string(end.port);
  if (suffix.empty() && ends_with_port(name, number)) suffix = number;
  if (result.type == ReportedType::unknown) {
    const bool has_several = port_of_guid_.at(end.guid) == 0;
    const bool is_switch = has_several || (!suffix.empty() && !end.label.starts_with("HCA"));
    result.type = is_switch ? ReportedType::switch_node : ReportedType::adapter;
    if (!has_several && !end.label.starts_with("HCA")) {
      guessed_type_.try_emplace(end.guid, fmt::format("'{}' ({:016x}): {}", name, end.guid,
                                                      is_switch ? "a switch" : "an adapter"));
    }
  }
  const bool is_switch = result.type == ReportedType::switch_node;
  if (is_switch && !suffix.empty()) name.remove_suffix(suffix.size() + 1);
  const auto system = answers_.systems_.find(end.guid);
  if (system != answers_.systems_.end() && (is_switch || name.empty())) {
    name = system->second.name;
  }
  result.name = name;
  result.guid = !is_switch && port != nullptr ? port->port_guid : end.guid;
  return result;
}

/// The slower of the rates of both ends.
LinkRate UfmAnswers::Builder::rate_of(const Link& link, std::array<const Port*, 2> ends) {
  LinkRate slowest;
  std::string unknown;
  bool is_stated = false;
  for (const Port* const end : ends) {
    if (end == nullptr || end->speed.empty()) continue;
    is_stated = true;
    std::string_view width = end->width;
    take(width, "IB_");
    const std::optional<LinkRate> rate = parse_link_rate(fmt::format("{}{}", width, end->speed));
    if (!rate) {
      unknown = fmt::format("{} {} (entry {})", excerpt(width), excerpt(end->speed), link.entry);
      continue;
    }
    const bool is_first = !slowest.stated();
    if (!is_first && !(slowest == *rate)) {
      unequal_rates_.add(
          fmt::format("'{}' (entry {})", excerpt(link.source.description), link.entry));
    }
    if (is_first || rate->capacity() < slowest.capacity()) slowest = *rate;
  }
  if (!is_stated) ++links_without_speed_;
  if (!slowest.stated() && !unknown.empty()) statements_.add_unknown_rate(unknown);
  return slowest;
}

void UfmAnswers::Builder::add_links() {
  for (const Link& link : answers_.links_) {
    Port* const source = port_of(link.source);
    Port* const destination = port_of(link.destination);
    for (Port* const port : {source, destination}) {
      if (port != nullptr) port->is_linked = true;
    }
    const LinkRate rate = rate_of(link, {source, destination});
    const ReportedPort near = reported(link.source, source);
    const ReportedPort far = reported(link.destination, destination);
    // UFM lists a link once, with equal information about both ends.
    statements_.add_link(link.entry, near, far, rate);
    statements_.add_link(link.entry, far, near, rate);
  }
}

void UfmAnswers::Builder::add_free_ports() {
  for (const auto& [key, port] : answers_.ports_) {
    if (!port.is_linked) statements_.add_free_port(port.entry, reported(port.end, &port));
  }
}

TopologyFile UfmAnswers::Builder::run(std::string_view name) {
  note_ports();
  add_links();
  add_free_ports();
  TopologyFile file = statements_.build();
  Cases guessed;
  for (const auto& [guid, text] : guessed_type_) guessed.add(text);
  if (guessed.count() != 0) {
    file.warnings.push_back(
        fmt::format("{}: {} node(s) have one link and no stated type; the type was guessed from "
                    "the description: {}; add the reply for resources/systems or resources/ports",
                    name, guessed.count(), guessed.examples()));
  }
  if (answers_.repeated_.count() != 0) {
    file.warnings.push_back(
        fmt::format("{}: {} port(s) and system(s) are stated twice; the last statement is used: {}",
                    name, answers_.repeated_.count(), answers_.repeated_.examples()));
  }
  if (unequal_rates_.count() != 0) {
    file.warnings.push_back(
        fmt::format("{}: {} link(s) whose ends state different rates; the slower rate is used: {}",
                    name, unequal_rates_.count(), unequal_rates_.examples()));
  }
  if (links_without_speed_ != 0) {
    file.warnings.push_back(
        fmt::format("{}: {} link(s) have no stated speed and count as links of one speed; add the "
                    "reply for resources/ports, which states speeds and LIDs",
                    name, links_without_speed_));
  }
  return file;
}

TopologyFile UfmAnswers::build() {
  const auto links = names_.find(JsonKind::ufm_links);
  if (links == names_.end()) {
    throw Error(
        ErrorKind::usage,
        fmt::format("{}: this UFM reply has no links; add the reply for /ufmRest/resources/links",
                    names_.begin()->second));
  }
  return Builder(*this, links->second).run(links->second);
}

}  // namespace pssp
