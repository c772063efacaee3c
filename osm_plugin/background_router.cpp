#include "osm_plugin/background_router.h"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "base/exception_text.h"
#include "fabric/tables/channel_loads.h"
#include "osm_plugin/plugin_thread.h"

namespace pssp {
namespace {

/// With BackgroundMode::automatic: on smaller fabrics the engine takes less than about a second.
constexpr std::size_t least_hosts = 2000;

LogMessage no_tables(const std::string& reason) {
  return {LogCode::background,
          fmt::format("the engine computed no tables in the background: {}; the tables in force "
                      "stay until the fabric changes",
                      reason)};
}

}  // namespace

/// All that the thread works on.
struct BackgroundRouter::Job {
  Fabric fabric;
  LaneSupply supply;
  ChoiceLimits limits;
  std::unique_ptr<std::vector<LogMessage>> log;
  std::unique_ptr<TableChooser> chooser;  // writes `log`
};

BackgroundRouter::BackgroundRouter(TableChooser& chooser, Setup setup, LogSink log)
    : chooser_(chooser), setup_(std::move(setup)), log_(std::move(log)) {}

BackgroundRouter::~BackgroundRouter() { cancel(); }

void BackgroundRouter::cancel() noexcept {
  const std::scoped_lock lock(mutex_);
  thread_.request_stop();
  outcome_.reset();
}

bool BackgroundRouter::is_running() const {
  const std::scoped_lock lock(mutex_);
  return is_running_ && !thread_.get_stop_token().stop_requested();
}

/// Without stable rerouting, each change of the fabric would replace all tables twice.
bool BackgroundRouter::applies_to(const Fabric& fabric) const {
  if (!chooser_.is_stable() || setup_.mode == BackgroundMode::off) return false;
  return setup_.mode == BackgroundMode::on || fabric.endpoints().size() > least_hosts;
}

Choice BackgroundRouter::choose(const Fabric& fabric, const LaneSupply& supply,
                                ChoiceLimits limits) {
  if (!applies_to(fabric)) {
    cancel();
    return chooser_.choose(fabric, supply, limits);
  }
  limits.defer_engine = true;
  const RoutingContext now = chooser_.context_of(fabric, supply, limits);
  Choice choice = choose_with_outcome(fabric, supply, limits, now);
  const bool has_work = choice.engine_deferred || chooser_.is_interim();
  const bool failed_before = has_failed_ && context_ == now;
  if (has_work && choice.tables && !is_running() && !failed_before) {
    try {
      start(fabric, supply, limits, now);
    } catch (const std::exception& error) {
      has_failed_ = true;
      log_(no_tables(text_of(error)));
    }
  }
  return choice;
}

Choice BackgroundRouter::choose_with_outcome(const Fabric& fabric, const LaneSupply& supply,
                                             const ChoiceLimits& limits,
                                             const RoutingContext& now) {
  const std::optional<Outcome> outcome = take_outcome();
  if (!outcome) return chooser_.choose(fabric, supply, limits);
  for (const LogMessage& each : outcome->log) log_(each);
  has_failed_ = outcome->chooser == nullptr;
  // The engine selects tables by virtual lanes, so that those for other lanes are not repaired.
  const bool has_other_lanes = context_.fabric == now.fabric && context_ != now;
  if (has_failed_ || has_other_lanes) return chooser_.choose(fabric, supply, limits);
  return chooser_.choose_from(*outcome->chooser, fabric, supply, limits);
}

std::optional<BackgroundRouter::Outcome> BackgroundRouter::take_outcome() {
  const std::scoped_lock lock(mutex_);
  return std::exchange(outcome_, std::nullopt);
}

void BackgroundRouter::start(const Fabric& fabric, const LaneSupply& supply,
                             const ChoiceLimits& limits, const RoutingContext& now) {
  auto log = std::make_unique<std::vector<LogMessage>>();
  auto chooser = chooser_.copy_for_background(
      [lines = log.get()](const LogMessage& message) { lines->push_back(message); });
  Job job{fabric,
          supply,
          {.most_bytes = setup_.most_bytes, .has_successor = limits.has_successor},
          std::move(log),
          std::move(chooser)};
  context_ = now;
  has_failed_ = false;
  std::jthread before;
  {
    const std::scoped_lock lock(mutex_);
    before.swap(thread_);
  }
  if (before.joinable()) before.join();
  const auto shared = std::make_shared<Job>(std::move(job));
  const std::scoped_lock lock(mutex_);
  thread_ = start_plugin_thread(
      "pssp-routing", [this, shared](const std::stop_token& stop) { run(stop, *shared); });
  is_running_ = true;
}

void BackgroundRouter::run(const std::stop_token& stop, Job& job) noexcept {
  Outcome outcome;
  try {
    outcome = route(stop, job);
    if (!outcome.chooser && !stop.stop_requested()) {
      for (const LogMessage& each : std::exchange(outcome.log, {})) log_(each);
    }
  } catch (...) {
    // Out of memory, so that nothing can be logged. The tables in force stay.
  }
  const bool has_tables = outcome.chooser != nullptr;
  {
    const std::scoped_lock lock(mutex_);
    is_running_ = false;
    if (stop.stop_requested()) return;
    outcome_.emplace(std::move(outcome));
  }
  if (has_tables) setup_.request_sweep();
}

BackgroundRouter::Outcome BackgroundRouter::route(const std::stop_token& stop, Job& job) const {
  const StopSignal signal = StopSignal::by(stop);
  job.limits.stable = job.limits.engine = job.limits.all = signal;
  const Stopwatch watch;
  std::string failure;
  try {
    Choice choice = job.chooser->choose(job.fabric, job.supply, job.limits);
    failure = choice.refusal;
    if (choice.tables) {
      choice.tables->index =
          edge_forwarding_index(job.fabric, channel_loads(job.fabric, choice.tables->tables));
      job.chooser->adopt(job.fabric, *std::move(choice.tables));
      if (!job.chooser->has_baseline()) failure = "it needs more memory than budget.megabytes";
    }
  } catch (const std::exception& error) {
    failure = text_of(error);
  }
  Outcome outcome{nullptr, std::move(*job.log)};
  if (failure.empty()) {
    outcome.chooser = std::move(job.chooser);
    outcome.log.push_back(
        {LogDetail{}, fmt::format("background: the engine took {:.1f} s", watch.total() / 1000)});
  } else {
    outcome.log.push_back(no_tables(failure));
  }
  return outcome;
}

}  // namespace pssp
