// A name may stand for several nodes, because each adapter of a host is a separate node here.

#include "fabric/formats/node_types_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "base/text_lines.h"
#include "fabric/formats/content_kind.h"

namespace pssp {
namespace {

constexpr std::size_t largest_node_types_file = std::size_t{16} << 20;
constexpr std::size_t most_hosts = 100'000;
/// Each range is a nested loop.
constexpr std::size_t most_ranges_in_a_name = 4;
constexpr std::size_t most_digits = 9;
/// A NodeDescription has 64 bytes.
constexpr std::size_t longest_word = 256;

constexpr std::string_view expected_hosts =
    "expected a node type and its hosts, by name, by ranges or by GUID, e.g. storage oss[01-16] "
    "mds1 0x0002c90300000101";

/// low .. high, with at least this many digits.
struct NumberRange {
  std::uint64_t low = 0, high = 0;
  std::size_t digits = 0;
};

class NodeTypesParser {
 public:
  NodeTypesParser(std::string_view text, std::string_view name)
      : lines_(text, name, describe_content), file_(name) {}

  std::vector<HostOfType> parse() {
    while (lines_.next()) {
      std::string_view rest = trimmed(lines_.line());
      if (at_end(rest)) continue;
      const std::string_view type = take_short_word(rest);
      if (at_end(rest)) {
        lines_.fail(fmt::format("node type '{}' has no hosts; {}", excerpt(type), expected_hosts));
      }
      while (!at_end(rest)) add(type, take_short_word(rest));
    }
    return std::move(hosts_);
  }

  std::vector<HostOfType> parse_guids(std::string_view type) {
    while (lines_.next()) {
      std::string_view rest = trimmed(lines_.line());
      if (at_end(rest)) continue;
      std::string_view word = take_word(rest);
      word = word.substr(0, word.find('#'));
      const std::string_view given = word;
      const auto guid = take_c_number(word);
      if (!guid || !word.empty() || *guid == 0) {
        lines_.fail(
            fmt::format("'{}' is not a GUID; expected one GUID per line, e.g. 0x0002c90300000101",
                        excerpt(given)));
      }
      keep({.type = std::string(type), .guid = *guid, .line = lines_.number(), .file = file_});
    }
    return std::move(hosts_);
  }

 private:
  static bool at_end(std::string_view& rest) {
    rest = without_indent(rest);
    return rest.empty() || rest.front() == '#';
  }

  std::string_view take_short_word(std::string_view& rest) const {
    const std::string_view word = take_word(rest);
    if (word.size() > longest_word) {
      lines_.fail(fmt::format("'{}' has more than {} bytes", excerpt(word), longest_word));
    }
    return word;
  }

  void add(std::string_view type, std::string_view word) {
    HostOfType host{.type = std::string(type), .line = lines_.number(), .file = file_};
    if (!word.starts_with("0x")) {
      if (static_cast<std::size_t>(std::ranges::count(word, '[')) > most_ranges_in_a_name) {
        lines_.fail(
            fmt::format("'{}' has more than {} ranges", excerpt(word), most_ranges_in_a_name));
      }
      return add_names(host, "", word);
    }
    std::string_view rest = word;
    const auto guid = take_c_number(rest);
    if (!guid || !rest.empty() || *guid == 0) {
      lines_.fail(fmt::format("'{}' is not a GUID; {}", excerpt(word), expected_hosts));
    }
    host.guid = *guid;
    keep(std::move(host));
  }

  /// Adds all names that result from `prefix` and the ranges in `rest`.
  void add_names(const HostOfType& like, const std::string& prefix, std::string_view rest) {
    const std::size_t open = rest.find('[');
    if (open == std::string_view::npos) {
      if (rest.find(']') != std::string_view::npos) fail_range(rest);
      HostOfType host = like;
      host.host = prefix + std::string(rest);
      return keep(std::move(host));
    }
    const std::size_t close = rest.find(']', open);
    if (close == std::string_view::npos) fail_range(rest);
    const std::string begin = prefix + std::string(rest.substr(0, open));
    std::string_view inside = rest.substr(open + 1, close - open - 1);
    while (true) {
      const NumberRange range = take_range(inside, rest);
      for (std::uint64_t n = range.low; n <= range.high; ++n) {
        add_names(like, fmt::format("{}{:0{}}", begin, n, range.digits), rest.substr(close + 1));
      }
      if (inside.empty()) return;
      if (!take(inside, ",")) fail_range(rest);
    }
  }

  NumberRange take_range(std::string_view& inside, std::string_view whole) const {
    const std::string_view before = inside;
    const auto low = take_number(inside);
    const std::size_t digits = before.size() - inside.size();
    const auto high = take(inside, "-") ? take_number(inside) : low;
    if (!low || !high || *low > *high || digits > most_digits || *high - *low >= most_hosts) {
      fail_range(whole);
    }
    return {*low, *high, digits};
  }

  [[noreturn]] void fail_range(std::string_view word) const {
    lines_.fail(
        fmt::format("'{}' is not a range of names; expected numbers in brackets, at most {}, e.g. "
                    "oss[01-16] or n[1-4,7]",
                    excerpt(word), most_hosts));
  }

  void keep(HostOfType host) {
    if (hosts_.size() == most_hosts) {
      lines_.fail(fmt::format("there are more than {} hosts in the file", most_hosts));
    }
    hosts_.push_back(std::move(host));
  }

  TextLines lines_;
  std::string file_;
  std::vector<HostOfType> hosts_;
};

/// Finds adapters of a builder by all their names.
class AdapterFinder {
 public:
  explicit AdapterFinder(const FabricBuilder& builder) {
    for (std::uint32_t n = 0; n < builder.node_count(); ++n) {
      const NodeId node(n);
      if (builder.is_switch(node)) continue;
      const std::string& description = builder.description(node);
      std::string_view rest = description;
      std::set<std::string_view> names{description, take_word(rest), builder.name(node)};
      for (const std::string_view name : names) by_name_[name].push_back(node);
      std::set<Guid> guids{builder.guid(node)};
      for (unsigned p = 1; p <= builder.ports(node); ++p) {
        guids.insert(builder.port_guid(node, static_cast<PortNumber>(p)));
      }
      for (const Guid guid : guids) by_guid_[guid].push_back(node);
    }
  }

  std::vector<NodeId> find(const HostOfType& host) const {
    if (host.guid != 0) {
      const auto found = by_guid_.find(host.guid);
      return found == by_guid_.end() ? std::vector<NodeId>() : found->second;
    }
    const auto found = by_name_.find(host.host);
    return found == by_name_.end() ? std::vector<NodeId>() : found->second;
  }

 private:
  std::unordered_map<std::string_view, std::vector<NodeId>> by_name_;
  std::unordered_map<Guid, std::vector<NodeId>> by_guid_;
};

std::string called(const HostOfType& host) {
  return host.guid == 0 ? fmt::format("'{}'", excerpt(host.host))
                        : fmt::format("{:#018x}", host.guid);
}

[[noreturn]] void refuse(const HostOfType& host, const std::string& what) {
  throw Error(ErrorKind::mismatch, fmt::format("{}:{}: {}", host.file, host.line, what));
}

}  // namespace

std::vector<HostOfType> parse_node_types(std::string_view text, std::string_view name) {
  return NodeTypesParser(text, name).parse();
}

std::vector<HostOfType> parse_guids_of_type(std::string_view text, std::string_view name,
                                            std::string_view type) {
  return NodeTypesParser(text, name).parse_guids(type);
}

std::vector<HostOfType> read_node_types(const std::filesystem::path& path,
                                        const FileSource& source) {
  return parse_node_types(source(path, largest_node_types_file), path.string());
}

std::vector<HostOfType> read_guids_of_type(const std::filesystem::path& path, std::string_view type,
                                           const FileSource& source) {
  return parse_guids_of_type(source(path, largest_node_types_file), path.string(), type);
}

NodeTypesEffect apply_node_types(const std::vector<HostOfType>& hosts, UnknownHosts unknown,
                                 FabricBuilder& builder) {
  const AdapterFinder finder(builder);
  NodeTypesEffect effect;
  std::vector<const HostOfType*> said_of(builder.node_count(), nullptr);
  for (const HostOfType& host : hosts) {
    const std::vector<NodeId> nodes = finder.find(host);
    if (nodes.empty()) {
      ++effect.unknown;
      if (unknown == UnknownHosts::refused) {
        refuse(
            host,
            fmt::format("the fabric has no host {}; expected names or GUIDs of hosts of the fabric",
                        called(host)));
      }
    }
    for (const NodeId node : nodes) {
      const HostOfType*& said = said_of[node.value()];
      if (said != nullptr && said->type != host.type) {
        refuse(host, fmt::format("host {} is of node type '{}' here and of node type '{}' in {}:{}",
                                 called(host), excerpt(host.type), excerpt(said->type), said->file,
                                 said->line));
      }
      said = &host;
    }
  }
  std::set<std::string_view> node_types;
  for (std::uint32_t n = 0; n < said_of.size(); ++n) {
    if (said_of[n] == nullptr) continue;
    builder.set_node_type(NodeId(n), said_of[n]->type);
    node_types.insert(said_of[n]->type);
    ++effect.hosts;
  }
  effect.node_types = node_types.size();
  return effect;
}

std::string to_string(const NodeTypesEffect& effect) {
  std::string text = fmt::format("{} hosts of {} node types", effect.hosts, effect.node_types);
  if (effect.unknown != 0) text += fmt::format("; {} hosts are not in the fabric", effect.unknown);
  return text;
}

}  // namespace pssp
