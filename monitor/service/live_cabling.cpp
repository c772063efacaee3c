// A statement is identified by its text, which names its ports. A statement that stays while others
// appear and disappear therefore keeps its start time.

#include "monitor/service/live_cabling.h"

#include <fmt/format.h>

#include <array>
#include <system_error>

#include "base/error.h"
#include "operations/cabling/cabling_source.h"

namespace pssp {
namespace {

constexpr std::size_t most_events_at_once = 20;

std::filesystem::file_time_type write_time(const std::filesystem::path& file) {
  std::error_code none;
  const auto time = std::filesystem::last_write_time(file, none);
  return none ? std::filesystem::file_time_type{} : time;
}

std::vector<std::pair<std::string, std::uint64_t>> counted_by_kind(
    const std::vector<CablingStatement>& statements) {
  std::vector<std::pair<std::string, std::uint64_t>> kinds;
  for (std::size_t fault = 0; fault < cabling_fault_count; ++fault) {
    kinds.emplace_back(word_of(static_cast<CablingFault>(fault)), 0);
  }
  for (const CablingStatement& each : statements) {
    ++kinds[static_cast<std::size_t>(each.fault)].second;
  }
  return kinds;
}

}  // namespace

LiveCabling::LiveCabling(std::filesystem::path plan_file) : plan_file_(std::move(plan_file)) {
  if (plan_file_.empty()) return;
  written_ = write_time(plan_file_);
  plan_ = read_cabling_plan(plan_file_.string()).cabling;
}

bool LiveCabling::update(const FabricMap& map, std::int64_t time_ms) {
  if (plan_file_.empty()) return false;
  const bool is_another = plan_is_another();
  if (!is_another && map.generation == generation_) return false;
  generation_ = map.generation;
  compare(map, time_ms);
  return true;
}

/// Reads the plan again if the file has changed. A plan that cannot be read is reported, and the
/// last one stays in use.
bool LiveCabling::plan_is_another() {
  const auto now = write_time(plan_file_);
  if (now == written_) return false;
  written_ = now;
  try {
    plan_ = read_cabling_plan(plan_file_.string()).cabling;
    plan_problem_.clear();
  } catch (const Error& error) {
    plan_problem_ = std::string("the last valid plan stays in use: ") + error.what();
  }
  return true;
}

void LiveCabling::compare(const FabricMap& map, std::int64_t time_ms) {
  CablingView view;
  if (displayed_ != nullptr) view = *displayed_;
  view.plan = plan_file_.string();
  view.problem = plan_problem_;
  displayed_ = std::make_shared<const CablingView>(view);
  if (map.fabric == nullptr) {
    view.problem = "the discovered topology cannot be routed, so it is not compared with the plan";
  } else {
    try {
      take(compare_cabling(plan_, cabling_of(*map.fabric)), time_ms);
      return;
    } catch (const Error& error) {
      view.problem = error.what();
    }
  }
  displayed_ = std::make_shared<const CablingView>(std::move(view));
}

void LiveCabling::take(const CablingComparison& comparison, std::int64_t time_ms) {
  note_changes(comparison.statements, time_ms);
  find_ports(comparison.statements);
  CablingView view = *displayed_;
  view.planned_cables = comparison.planned_cables;
  view.found_cables = comparison.found_cables;
  view.cables_in_place = comparison.cables_in_place;
  view.kinds = counted_by_kind(comparison.statements);
  view.statements.clear();
  for (const CablingStatement& each : comparison.statements) {
    CablingStatementView& statement = view.statements.emplace_back(
        CablingStatementView{std::string(word_of(each.fault)), each.text, each.ports, each.count,
                             standing_.at(line_of(each)).since_ms});
    for (const CablingPort& place : each.positions) {
      statement.positions.push_back({place.node, place.port});
    }
  }
  displayed_ = std::make_shared<const CablingView>(std::move(view));
}

void LiveCabling::note_changes(const std::vector<CablingStatement>& statements,
                               std::int64_t time_ms) {
  const auto event_of = [time_ms](EventKind kind, const std::string& line, CablingPort place) {
    MonitorEvent event;
    event.kind = kind;
    event.time_ms = time_ms;
    event.node = place.node;
    event.port = place.port;
    event.text = line;
    return event;
  };
  std::map<std::string, Standing> now;
  std::vector<MonitorEvent> came, went;
  for (const CablingStatement& each : statements) {
    const std::string line = line_of(each);
    const auto before = standing_.find(line);
    const CablingPort place = each.positions.empty() ? CablingPort() : each.positions.front();
    if (before != standing_.end()) {
      now.insert(*before);
    } else if (now.try_emplace(line, Standing{time_ms, place}).second) {
      came.push_back(event_of(EventKind::cabling_wrong, line, place));
    }
  }
  for (const auto& [line, standing] : standing_) {
    if (now.contains(line)) continue;
    went.push_back(event_of(EventKind::cabling_repaired, line, standing.place));
  }
  standing_ = std::move(now);
  add_events(EventKind::cabling_wrong, came);
  add_events(EventKind::cabling_repaired, went);
}

void LiveCabling::add_events(EventKind kind, const std::vector<MonitorEvent>& all) {
  const std::size_t reported = std::min(most_events_at_once, all.size());
  events_.insert(events_.end(), all.begin(), all.begin() + static_cast<std::ptrdiff_t>(reported));
  if (reported == all.size()) return;
  MonitorEvent rest;
  rest.kind = kind;
  rest.time_ms = all.front().time_ms;
  rest.text = fmt::format("and {} more, {} in total", all.size() - reported, all.size());
  events_.push_back(std::move(rest));
}

void LiveCabling::find_ports(const std::vector<CablingStatement>& statements) {
  std::map<CablingPort, PortFinding> found;
  for (const CablingStatement& each : statements) {
    const Level level = each.of_rails ? Level::bad : Level::watch;
    for (const CablingPort& place : each.positions) {
      found.try_emplace(
          place,
          PortFinding{{place.node, place.port}, level, std::string(link_cabling), line_of(each)});
    }
  }
  findings_.clear();
  for (auto& [place, finding] : found) findings_.push_back(std::move(finding));
}

}  // namespace pssp
