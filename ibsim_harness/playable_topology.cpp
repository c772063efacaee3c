// ibsim plays what is in the file, and reads it less tolerantly than our readers do: it wants the
// blank behind a node's kind, which consoles lose. It plays several subnets at once, too, but its
// opensm manages the one where it attaches; in the tables of that one the LIDs of the others would
// be missing, or be those of other ports. So they are taken out before anybody reads the file.

#include "ibsim_harness/playable_topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "base/shown.h"
#include "base/text_lines.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/topology_file.h"
#include "fabric/ids.h"

namespace pssp {
namespace {

void require_something(const std::filesystem::path& topology, std::string_view text,
                       const TopologySurvey& survey) {
  if (survey.nodes > last_unicast_lid) {
    throw Error(
        ErrorKind::unsuitable_topology,
        fmt::format("{}: {} nodes are more than the {} unicast LIDs of a subnet: route each "
                    "subnet by itself",
                    topology.string(), survey.nodes, last_unicast_lid));
  }
  if (survey.switches == 0 || survey.adapters == 0) {
    // What is no topology, and one that saw a single node, is refused with the reason.
    parse_topology(text, topology.string());
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: this topology has {} switches and {} adapters; opensm needs at "
                            "least one of each",
                            topology.string(), survey.switches, survey.adapters));
  }
}

/// `host`: what SIM_HOST says. A program that ibsim cannot attach there ends with "connect failed",
/// or waits for ever.
void require_fit_host(const std::filesystem::path& topology, std::string_view text,
                      const std::string& host, const std::string& example) {
  const char* problem = nullptr;
  switch (fitness_of_host(text, host)) {
    case HostFitness::fit:
      return;
    case HostFitness::unknown:
      problem = "no node has this identifier";
      break;
    case HostFitness::name_too_long:
      problem = "ibsim cuts identifiers at 31 characters";
      break;
    case HostFitness::port_not_cabled:
      problem = "port 1 of this adapter has no cable";
      break;
  }
  throw Error(ErrorKind::usage,
              fmt::format("SIM_HOST '{}': {}: {}: set SIM_HOST to the identifier of an adapter "
                          "whose port 1 has a cable{}, or unset it",
                          shown(host), problem, topology.string(),
                          example.empty() ? "" : ", such as '" + shown(example) + "'"));
}

/// Characters of " lid 73" or " lmc 0" at the begin of the text; 0 where it begins otherwise.
std::size_t size_of_lid(std::string_view text) {
  if (!text.starts_with(" lid ") && !text.starts_with(" lmc ")) return 0;
  constexpr std::size_t word = 5;
  std::size_t end = word;
  while (end < text.size() && text[end] >= '0' && text[end] <= '9') ++end;
  const bool is_number = end > word && (end == text.size() || is_blank(text[end]) ||
                                        text[end] == '\n' || text[end] == '\r');
  return is_number ? end : 0;
}

/// npos where the line has none.
std::size_t last_quote_of_line(std::string_view text, std::size_t begin) {
  const std::size_t end = std::min(text.find('\n', begin), text.size());
  const std::size_t found = text.substr(0, end).rfind('"');
  return found == std::string_view::npos || found < begin ? std::string_view::npos : found;
}

}  // namespace

std::string without_lids(std::string_view topology) {
  std::string rest;
  rest.reserve(topology.size());
  bool is_quoted = false;
  std::size_t last_quote = last_quote_of_line(topology, 0);
  for (std::size_t i = 0; i < topology.size();) {
    const char c = topology[i];
    // A description may hold quotes of its own, an odd number even; the last one of a line ends it.
    if (c == '\n') last_quote = last_quote_of_line(topology, i + 1);
    if (c == '"') is_quoted = !is_quoted;
    if (c == '\n' || i == last_quote) is_quoted = false;
    const std::size_t skipped = is_quoted ? 0 : size_of_lid(topology.substr(i));
    if (skipped == 0) rest += c;
    i += std::max<std::size_t>(skipped, 1);
  }
  return rest;
}

PlayableTopology make_playable(const std::filesystem::path& topology,
                               const std::filesystem::path& copy, const std::string& host,
                               bool keep_lids) {
  // Read first: an empty name has no absolute path, and reading says so.
  std::string text = read_file(topology);
  PlayableTopology playable{std::filesystem::absolute(topology), {}, {}};
  playable.survey = survey_topology(text);
  require_something(topology, text, playable.survey);
  if (!host.empty()) require_fit_host(topology, text, host, playable.survey.host);
  const std::string& place = host.empty() ? playable.survey.host : host;
  OneSubnet one = subnet_of(text, place);
  const bool is_changed = one.left_out.nodes != 0 || playable.survey.has_lost_blanks;
  if (one.left_out.nodes != 0) {
    playable.note = fmt::format(
        "{} has more than one subnet, and opensm manages one: {} switches and {} adapters that no "
        "cable joins to '{}' are left out",
        topology.string(), one.left_out.switches, one.left_out.adapters, place);
    text = std::move(one.text);
  }
  if (playable.survey.has_lost_blanks) {
    text = to_net_file(std::move(parse_topology(text, topology.string()).builder).build({}));
  }
  if (!keep_lids) text = without_lids(text);
  if (is_changed || !keep_lids) {
    write_file(copy, text);
    playable.file = std::filesystem::absolute(copy);
    playable.survey = survey_topology(text);
  }
  if (!host.empty()) playable.survey.host = host;
  if (!playable.survey.host.empty()) return playable;
  throw Error(ErrorKind::unreadable_input,
              topology.string() +
                  ": opensm has nowhere to run: expected an adapter whose port 1 is cabled to a "
                  "switch, with an identifier of at most 31 characters");
}

}  // namespace pssp
