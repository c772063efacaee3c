#include "monitor/service/advice_service.h"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <utility>

#include "base/error.h"
#include "base/wall_clock.h"
#include "monitor/service/advice_run.h"

namespace pssp {
namespace {

constexpr int patient_niceness = 10;

}  // namespace

AdviceService::AdviceService(std::filesystem::path database, AnalysisSettings settings,
                             ReadSettings read)
    : database_(std::move(database)), settings_(std::move(settings)), read_(std::move(read)) {
  read_(settings_);
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

AdviceOptions AdviceService::options_for(const std::string& engines) const {
  AnalysisSettings settings = settings_;
  settings.engines = engines;
  return read_(settings);
}

AdviceState AdviceService::state() const {
  const std::scoped_lock lock(mutex_);
  return state_;
}

bool AdviceService::start(const AdviceRequest& request) {
  options_for(request.engines);
  {
    const std::scoped_lock lock(mutex_);
    if (state_.running) return false;
    state_.running = true;
    state_.since_ms = wall_clock_ms();
    state_.engines = request.engines;
    asked_ = request;
  }
  wake_.notify_one();
  return true;
}

std::optional<AdviceRequest> AdviceService::wait(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto is_asked = [&] { return asked_.has_value(); };
  if (settings_.advise_every_s == 0) {
    wake_.wait(lock, stop, is_asked);
  } else {
    wake_.wait_for(lock, stop, std::chrono::seconds(settings_.advise_every_s), is_asked);
  }
  if (stop.stop_requested()) return std::nullopt;
  if (!asked_) {
    state_.running = true;
    state_.since_ms = wall_clock_ms();
    state_.engines = settings_.engines;
    return AdviceRequest{settings_.engines, {}};
  }
  return std::exchange(asked_, std::nullopt);
}

void AdviceService::run(const std::stop_token& stop) {
  // Applies only to this thread and the threads that it starts.
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), patient_niceness);
  while (const std::optional<AdviceRequest> request = wait(stop)) make(*request, stop);
}

void AdviceService::make(const AdviceRequest& request, const std::stop_token& stop) {
  std::shared_ptr<const std::string> made;
  std::string problem;
  try {
    AdviceOptions options = options_for(request.engines);
    options.stop = StopSignal::by(stop);
    const std::int64_t newest_ms = HistoryReader(database_).status().newest_ms;
    const TimeWindow window = busiest_minutes(database_, newest_ms + 1, options.stop);
    made = std::make_shared<const std::string>(
        advice_json(run_advice(database_, window, options, request.channel)));
  } catch (const Error& error) {
    problem = error.what();
  }
  const std::scoped_lock lock(mutex_);
  state_.running = false;
  state_.problem = std::move(problem);
  if (!made) return;
  state_.last = std::move(made);
  state_.made_ms = wall_clock_ms();
}

}  // namespace pssp
