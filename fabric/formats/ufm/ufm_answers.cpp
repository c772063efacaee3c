// UFM writes GUIDs as hexadecimal digits without "0x", port numbers as text in links and as numbers
// in ports, and widths as "4x" or "IB_4x". A port is called GUID_NUMBER, where GUID is that of the
// switch or of the port of an adapter. Such names identify the ends of a link, as `source_guid` may
// be the GUID of a system with several adapters. A link has them in `source_port_name`, or in its
// own name, GUID_NUMBER:GUID_NUMBER, where either end may be first.

#include "fabric/formats/ufm/ufm_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

using Json = nlohmann::json;

std::optional<Guid> parse_guid(std::string_view text) {
  take(text, "0x");
  const std::optional<std::uint64_t> guid = take_number(text, 16);
  return guid && *guid != 0 && text.empty() ? guid : std::nullopt;
}

struct PortName {
  Guid guid = 0;
  unsigned port = 0;
};

/// `0c42a103001b7bf6_1`
std::optional<PortName> parse_port_name(std::string_view text) {
  const std::size_t at = text.rfind('_');
  if (at == std::string_view::npos) return std::nullopt;
  const std::optional<Guid> guid = parse_guid(text.substr(0, at));
  std::string_view number = text.substr(at + 1);
  const std::optional<std::uint64_t> port = take_number(number);
  if (!guid || !port || !number.empty() || *port > max_port_number) return std::nullopt;
  return PortName{*guid, static_cast<unsigned>(*port)};
}

/// Skips objects and lists inside entries, such as cable_info.
bool is_kept(int depth, Json::parse_event_t event, Json& /*value*/) {
  const bool begins =
      event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start;
  return !begins || depth < 2;
}

Json parse_list(std::string_view text, std::string_view name) {
  try {
    return Json::parse(text, is_kept);
  } catch (const Json::exception& error) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: this UFM reply is truncated or garbled: {}; save it again", name,
                            printable(error.what())));
  }
}

}  // namespace

/// The fields of one entry of a list.
class UfmAnswers::EntryReader {
 public:
  EntryReader(const Json& entry, std::size_t number, std::string_view name)
      : entry_(entry), number_(number), name_(name) {
    if (!entry.is_object()) fail("an object was expected");
  }

  std::size_t number() const noexcept { return number_; }
  /// Text or a number as text, without control characters; empty if the field is missing.
  std::string text(const char* field) const {
    const auto found = entry_.find(field);
    if (found == entry_.end()) return {};
    if (found->is_string()) return printable(found->get_ref<const std::string&>());
    return found->is_number_unsigned() ? std::to_string(found->get<std::uint64_t>()) : "";
  }
  Guid guid(const char* field) const {
    const std::optional<Guid> guid = parse_guid(text(field));
    if (!guid) fail_field(field, "a GUID");
    return *guid;
  }
  /// 0 .. 0x10000; larger ones are 0x10000.
  std::optional<unsigned> number(const char* field) const {
    const std::string all = text(field);
    std::string_view rest = all;
    const std::optional<std::uint64_t> value = take_number(rest);
    if (!value || !rest.empty()) return std::nullopt;
    return static_cast<unsigned>(std::min<std::uint64_t>(*value, 0x10000));
  }
  unsigned port(const char* field) const {
    const std::optional<unsigned> port = number(field);
    if (!port) fail_field(field, "a port number");
    return *port;
  }
  [[noreturn]] void fail_field(const char* field, std::string_view expected) const {
    fail(fmt::format("{} is '{}': {} was expected", field, excerpt(text(field)), expected));
  }

 private:
  [[noreturn]] void fail(std::string_view message) const {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: entry {}: {}", name_, number_, message));
  }

  const Json& entry_;
  std::size_t number_;
  std::string_view name_;
};

void UfmAnswers::add(std::string_view text, std::string_view name) {
  std::string_view content = text;
  take(content, "\xEF\xBB\xBF");
  const JsonKind kind = json_kind(content.substr(0, content_looked_at));
  if (kind == JsonKind::none || kind == JsonKind::other) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: this is not a UFM reply: it looks like {}; expected JSON of "
                            "/ufmRest/resources/links, ports or systems",
                            name, describe_content(text)));
  }
  const auto [known, is_new] = names_.emplace(kind, name);
  if (!is_new) {
    throw Error(ErrorKind::usage,
                fmt::format("{} and {} are the same UFM reply ({}); name only one of them",
                            known->second, name, describe_content(text)));
  }
  const Json list = parse_list(content, name);
  std::size_t number = 0;
  for (const Json& each : list) {
    const EntryReader entry(each, ++number, name);
    if (kind == JsonKind::ufm_links) {
      read_link(entry);
    } else if (kind == JsonKind::ufm_ports) {
      read_port(entry);
    } else {
      read_system(entry);
    }
  }
}

void UfmAnswers::read_link(const EntryReader& entry) {
  Link link{entry.number(), {}, {}, entry.text("width")};
  link.source = {entry.guid("source_guid"), 0, entry.port("source_port"),
                 entry.text("source_port_dname"), entry.text("source_port_node_description")};
  link.destination = {entry.guid("destination_guid"), 0, entry.port("destination_port"),
                      entry.text("destination_port_dname"),
                      entry.text("destination_port_node_description")};
  std::optional<PortName> source = parse_port_name(entry.text("source_port_name"));
  std::optional<PortName> destination = parse_port_name(entry.text("destination_port_name"));
  const std::string name = entry.text("name");
  const std::size_t middle = name.find(':');
  if ((!source || !destination) && middle != std::string::npos) {
    source = parse_port_name(std::string_view(name).substr(0, middle));
    destination = parse_port_name(std::string_view(name).substr(middle + 1));
    const auto agreement = [](const End& end, const std::optional<PortName>& named) {
      return named ? (named->guid == end.system ? 2 : 0) + (named->port == end.port ? 1 : 0) : 0;
    };
    if (agreement(link.source, destination) + agreement(link.destination, source) >
        agreement(link.source, source) + agreement(link.destination, destination)) {
      std::swap(source, destination);
    }
  }
  const auto guid_of = [](const End& end, const std::optional<PortName>& named) {
    return named && named->port == end.port ? named->guid : end.system;
  };
  link.source.guid = guid_of(link.source, source);
  link.destination.guid = guid_of(link.destination, destination);
  links_.push_back(std::move(link));
}

void UfmAnswers::read_port(const EntryReader& entry) {
  const std::optional<PortName> name = parse_port_name(entry.text("name"));
  if (!name) entry.fail_field("name", "a port such as 0002c903007b78b0_29");
  // Port 0 of a switch is for management and has no cable.
  if (name->port == 0) return;
  Port port;
  port.entry = entry.number();
  port.end = {parse_guid(entry.text("systemID")).value_or(0), name->guid, name->port,
              entry.text("dname"), entry.text("node_description")};
  port.port_guid = parse_guid(entry.text("guid")).value_or(name->guid);
  const std::string description = entry.text("description");
  if (description.starts_with("Switch")) port.type = ReportedType::switch_node;
  if (description.starts_with("Computer")) port.type = ReportedType::adapter;
  constexpr unsigned permissive_lid = 0xFFFF;  // while the port has no LID
  const unsigned lid = entry.number("lid").value_or(no_lid);
  if (lid > permissive_lid) entry.fail_field("lid", "a LID");
  port.lid = lid == permissive_lid ? no_lid : lid;
  port.speed = entry.text("active_speed");
  port.width = entry.text("active_width");
  const bool is_new =
      ports_.insert_or_assign(PortKey(name->guid, name->port), std::move(port)).second;
  if (!is_new) repeated_.add(fmt::format("port {:016x}_{}", name->guid, name->port));
}

void UfmAnswers::read_system(const EntryReader& entry) {
  System system;
  const std::string type = entry.text("type");
  if (type == "switch") system.type = ReportedType::switch_node;
  if (type == "host") system.type = ReportedType::adapter;
  if (type == "router") system.type = ReportedType::router;
  system.name = entry.text("system_name");
  const Guid guid = entry.guid("guid");
  if (!systems_.insert_or_assign(guid, std::move(system)).second) {
    repeated_.add(fmt::format("system {:016x}", guid));
  }
}

}  // namespace pssp
