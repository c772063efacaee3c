// ibsim plays what is in the file, and reads it less tolerantly than our readers do: it wants the
// blank behind a node's kind, which consoles lose. It plays several subnets at once, too, but its
// opensm manages the one where it attaches; in the tables of that one the LIDs of the others would
// be missing, or be those of other ports. So they are taken out before anybody reads the file.

#include "ibsim_harness/playable_topology.h"

#include <fmt/format.h>

#include <utility>

#include "base/error.h"
#include "base/file_io.h"
#include "fabric/formats/net_file_writer.h"
#include "fabric/formats/topology_file.h"
#include "fabric/ids.h"

namespace pssp {
namespace {

void require_something(const std::filesystem::path& topology, const TopologySurvey& survey) {
  if (survey.nodes > last_unicast_lid) {
    throw Error(ErrorKind::unsuitable_topology,
                fmt::format("{}: {} nodes, and a subnet has {} unicast LIDs at most",
                            topology.string(), survey.nodes, last_unicast_lid));
  }
  if (survey.switches == 0 || survey.adapters == 0) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: found {} switches and {} adapters; expected the output of "
                            "ibnetdiscover or an ibsim net file, with lines like 'Switch 36 "
                            "\"S-...\"' and 'Ca 1 \"H-...\"'",
                            topology.string(), survey.switches, survey.adapters));
  }
}

}  // namespace

PlayableTopology make_playable(const std::filesystem::path& topology,
                               const std::filesystem::path& copy, const std::string& host) {
  PlayableTopology playable{std::filesystem::absolute(topology), {}, {}};
  std::string text = read_file(topology);
  playable.survey = survey_topology(text);
  require_something(topology, playable.survey);
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
  if (is_changed) {
    playable.file = std::filesystem::absolute(copy);
    write_file(playable.file, text);
    playable.survey = survey_topology(text);
  }
  if (!host.empty()) playable.survey.host = host;
  if (!playable.survey.host.empty()) return playable;
  throw Error(ErrorKind::unreadable_input,
              topology.string() +
                  ": no adapter has port 1 cabled to a switch and an identifier of at most 31 "
                  "characters; opensm has nowhere to run");
}

}  // namespace pssp
