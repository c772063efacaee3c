// Two passes over the paragraphs: the first selects the hosts, the second copies the text.

#include "tools/bench_opensm/thin_hosts.h"

#include <set>
#include <vector>

namespace pssp {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string name_in(std::string_view line) {
  const std::size_t begin = line.find('"');
  if (begin == std::string_view::npos) return {};
  const std::string_view rest = line.substr(begin + 1);
  return std::string(rest.substr(0, rest.find('"')));
}

bool is_link_to_host(std::string_view line) {
  return line.starts_with('[') && name_in(line).starts_with('H');
}

std::set<std::string> hosts_that_stay(const std::vector<std::string_view>& lines, unsigned hosts,
                                      unsigned switches) {
  std::set<std::string> stay;
  bool in_switch = false;
  unsigned used = 0, taken = 0;
  for (const std::string_view line : lines) {
    if (line.empty()) in_switch = false;
    if (line.starts_with("Switch")) {
      in_switch = true;
      taken = 0;
    } else if (in_switch && is_link_to_host(line)) {
      if (taken == 0 && used == switches) continue;
      if (taken == 0) ++used;
      if (taken < hosts) stay.insert(name_in(line));
      ++taken;
    }
  }
  return stay;
}

}  // namespace

std::string thin_hosts(std::string_view net_file, unsigned hosts, unsigned switches) {
  const std::vector<std::string_view> lines = lines_of(net_file);
  const std::set<std::string> stay = hosts_that_stay(lines, hosts, switches);
  std::string result, paragraph;
  bool is_kept = true;
  const auto finish = [&] {
    if (is_kept && !paragraph.empty()) result += paragraph + "\n";
    paragraph.clear();
    is_kept = true;
  };
  for (const std::string_view line : lines) {
    if (line.empty()) {
      finish();
      continue;
    }
    const bool is_host = line.starts_with("Hca") || line.starts_with("Ca");
    if (is_host && !stay.contains(name_in(line))) is_kept = false;
    if (is_link_to_host(line) && !stay.contains(name_in(line))) continue;
    paragraph += std::string(line) + "\n";
  }
  finish();
  return result;
}

}  // namespace pssp
