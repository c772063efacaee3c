// Unless stated otherwise, the functions run on the fabric thread, between two steps of the
// exchange, so they must be fast: they compute verdicts and pass on pointers.

#include "monitor/service/daemon_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "base/untrusted_text.h"
#include "base/wall_clock.h"
#include "monitor/service/stored_cables.h"
#include "monitor/service/stored_fit.h"
#include "monitor/store/verdict_rows.h"

namespace pssp {
namespace {

std::string_view state_name(std::uint8_t state) {
  constexpr std::array<std::string_view, 4> names{"not active", "discovering", "standby", "master"};
  return state < names.size() ? names[state] : "unknown";
}

ManagerView displayed_manager(const ManagerRecord& record, std::int64_t since_ms) {
  ManagerView view;
  view.guid = record.guid;
  view.lid = record.lid;
  view.priority = record.priority;
  view.state = record.answered ? state_name(record.state) : "silent";
  view.act_count = record.activity_count;
  view.since_ms = since_ms;
  return view;
}

}  // namespace

std::int64_t ManagerTimes::since(const ManagerView& manager, std::int64_t seen_ms) {
  if (first_ms_ == 0) first_ms_ = seen_ms;
  for (const auto& [guid, state, since_ms] : known_) {
    if (guid == manager.guid && state == manager.state) return since_ms;
  }
  std::erase_if(known_, [&](const Known& each) { return each.guid == manager.guid; });
  known_.push_back({manager.guid, manager.state, seen_ms});
  return seen_ms;
}

DaemonSink::DaemonSink(LiveState& live, HistoryThread* history, CapacityOutput& capacities,
                       RerouteOutput& reroutes, NotificationOutput& notifications,
                       const MonitorConfiguration& configuration, ServiceLog log)
    : log_(std::move(log)),
      live_(live),
      capacities_(capacities),
      reroutes_(reroutes),
      notifications_(notifications),
      settings_(configuration.verdicts),
      history_(history),
      database_(configuration.store.database),
      verdicts_(configuration.verdicts),
      maintenance_(configuration.verdicts.ignore_file),
      cabling_(configuration.cabling.plan_file),
      incidents_(NodeNameRule(configuration.jobs.node_names)),
      fit_(configuration.fit, NodeNameRule(configuration.jobs.node_names),
           configuration.verdicts.long_window_s) {
  verdicts_.set_maintenance(maintenance_.ports());
  if (history != nullptr) {
    const std::vector<VerdictRecord> standing = read_standing_verdicts(database_);
    const std::map<PortKey, IncidentPort> peers = stored_peers(database_, standing);
    verdicts_.restore(standing, peers);
    incidents_.restore(peers);
    restore_fit(fit_, database_, wall_clock_ms());
  }
  interval_s_ = configuration.sweep.interval_s;
  facts_.started_ms = wall_clock_ms();
}

void DaemonSink::take_snapshot(SnapshotPointer snapshot) {
  LiveFacts facts = facts_;
  facts.interval_s = interval_s_;
  facts.reroute_list = reroutes_.list();
  evaluate(snapshot, facts);
  if (history_ != nullptr) add_history(facts);
  add_jobs(facts);
  notify(*snapshot, facts);
  if (own_port_lost_) facts.problems.emplace_back("the monitor's own port is down");
  if (snapshot->figures.late) facts.problems.emplace_back("sweeps take longer than the interval");
  if (history_ != nullptr) history_->offer(snapshot);
  live_.publish(std::move(snapshot), std::move(facts));
}

void DaemonSink::take_event(const MonitorEvent& event) {
  if (event.kind == EventKind::tables_changed) ++facts_.reroutes;
  if (event.kind == EventKind::port_lost) own_port_lost_ = true;
  if (event.kind == EventKind::port_back) own_port_lost_ = false;
  if (event.until_sweep != 0) doubts_.push_back(event);
  take_found_event(event);
}

void DaemonSink::take_manager(const ManagerStatus& status) {
  facts_.managers.clear();
  facts_.manager_changes = status.master_changes;
  if (status.master.lid != no_lid) add_manager(status.master, status.time_ms);
  for (const ManagerRecord& each : status.others) {
    if (each.lid != status.master.lid) add_manager(each, status.time_ms);
  }
}

void DaemonSink::take_tables(LiveTablesPointer tables) {
  verdicts_.set_tables(tables);
  incidents_.set_tables(tables);
  reroutes_.take_tables(tables);
  if (history_ != nullptr) history_->offer(std::move(tables));
}

void DaemonSink::take_jobs(JobReportPointer report) {
  if (history_ != nullptr) history_->offer(report);
  reroutes_.take_jobs(report);
  const std::scoped_lock lock(jobs_mutex_);
  jobs_ = std::move(report);
}

void DaemonSink::take_found_event(const MonitorEvent& event) {
  log_(fmt::format("{}: {}", name_of(event.kind), event.text));
  live_.add_event(event);
  if (history_ != nullptr) history_->add(event);
}

void DaemonSink::change(const MonitorConfiguration& configuration) {
  interval_s_ = configuration.sweep.interval_s;
  const std::lock_guard lock(mutex_);
  limits_ = configuration.verdicts;
  fit_limits_ = configuration.fit;
}

void DaemonSink::add_manager(const ManagerRecord& record, std::int64_t seen_ms) {
  ManagerView view = displayed_manager(record, seen_ms);
  view.since_ms = times_.since(view, seen_ms);
  view.since_start = view.since_ms == times_.first_ms();
  facts_.managers.push_back(std::move(view));
}

/// There are verdicts from the second sweep on.
void DaemonSink::evaluate(const SnapshotPointer& snapshot, LiveFacts& facts) {
  if (const auto ports = maintenance_.update()) verdicts_.set_maintenance(*ports);
  take_limits();
  for (const MonitorEvent& doubt : std::exchange(doubts_, {})) {
    verdicts_.forget(doubt.node, doubt.port);
  }
  update_cabling(*snapshot, facts);
  verdicts_.add(snapshot);
  facts.has_verdicts = verdicts_.has_verdicts();
  facts.incidents = incidents_.add(snapshot, verdicts_.standing(), last_jobs());
  for (const StandingVerdict& each : verdicts_.standing()) {
    facts.verdicts.push_back(displayed_verdict(each));
  }
  if (acknowledgements_ != nullptr) facts.acknowledged = acknowledgements_->list();
  facts.maintenance = displayed_maintenance(maintenance_.ports(), snapshot->time_ms);
  if (!maintenance_.problem().empty()) facts.problems.push_back(maintenance_.problem());
  evaluate_nodes(*snapshot, facts);
  if (history_ != nullptr) history_->add_verdicts(verdicts_.take_changes());
  if (!capacities_.is_wanted() || !verdicts_.has_verdicts()) return;
  capacities_.offer(plan_capacities(*snapshot->map, verdicts_.records(), settings_),
                    snapshot->time_ms);
  if (!capacities_.problem().empty()) facts.problems.push_back(capacities_.problem());
}

void DaemonSink::update_cabling(const Snapshot& snapshot, LiveFacts& facts) {
  if (cabling_.update(*snapshot.map, snapshot.time_ms)) {
    verdicts_.set_findings(cabling_.findings());
    for (const MonitorEvent& each : cabling_.take_events()) take_found_event(each);
  }
  facts.cabling = cabling_.view();
  if (facts.cabling == nullptr || facts.cabling->problem.empty()) return;
  facts.problems.push_back("the cabling plan: " + facts.cabling->problem);
}

void DaemonSink::evaluate_nodes(const Snapshot& snapshot, LiveFacts& facts) {
  fit_.add({*snapshot.map, verdicts_.standing(), maintenance_.ports(), snapshot.time_ms},
           verdicts_.has_verdicts());
  facts.fit = fit_.list();
  for (const MonitorEvent& each : fit_.take_events()) take_found_event(each);
  std::vector<VerdictRecord> changes = fit_.take_changes();
  if (history_ != nullptr) history_->add_verdicts(std::move(changes));
}

void DaemonSink::notify(const Snapshot& snapshot, LiveFacts& facts) {
  if (facts.incidents != nullptr) {
    for (const MonitorEvent& each :
         incident_events_.add(facts.incidents->faults, snapshot.time_ms)) {
      take_found_event(each);
    }
    notifications_.take(*facts.incidents, snapshot.begin_ns, snapshot.time_ms);
  }
  std::ranges::move(notifications_.problems(), std::back_inserter(facts.problems));
}

void DaemonSink::take_limits() {
  const std::lock_guard lock(mutex_);
  if (limits_) verdicts_.set_limits(*std::exchange(limits_, std::nullopt));
  if (fit_limits_) fit_.set_limits(*std::exchange(fit_limits_, std::nullopt));
}

void DaemonSink::add_history(LiveFacts& facts) const {
  const HistoryState state = history_->state();
  DatabaseView& view = facts.database.emplace();
  view.file = database_;
  view.bytes = state.bytes;
  view.state = state.problem.empty() ? "writing" : state.problem;
  if (!state.problem.empty()) facts.problems.push_back("the history: " + state.problem);
  if (!state.damaged_copy.empty()) {
    facts.problems.push_back("a damaged history was set aside: " + state.damaged_copy);
  }
  if (!state.replaced.empty()) facts.problems.push_back("the history: " + state.replaced);
}

JobReportPointer DaemonSink::last_jobs() {
  const std::scoped_lock lock(jobs_mutex_);
  return jobs_;
}

void DaemonSink::add_jobs(LiveFacts& facts) {
  const JobReportPointer jobs = last_jobs();
  if (!jobs) return;
  JobsView& view = facts.jobs.emplace();
  view.source = jobs->source;
  view.problem = untrusted_text(jobs->problem);
  view.accounting = name_of(jobs->accounting);
  view.stale_since_ms = jobs->problem.empty() ? 0 : jobs->stale_since_ms;
  if (jobs->jobs) {
    view.jobs = jobs->jobs->jobs.size();
    view.bad_lines = jobs->jobs->bad_lines;
    view.time_ms = jobs->time_ms;
  }
  if (!view.problem.empty()) facts.problems.push_back("jobs are stale: " + view.problem);
}

}  // namespace pssp
