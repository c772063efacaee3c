#include "monitor/service/live_verdicts.h"

#include <system_error>
#include <utility>

#include "base/error.h"

namespace pssp {
namespace {

std::filesystem::file_time_type time_of(const std::filesystem::path& file) {
  std::error_code none;
  const auto time = std::filesystem::last_write_time(file, none);
  return none ? std::filesystem::file_time_type{} : time;
}

}  // namespace

ShownLevel shown_level(Level level) {
  switch (level) {
    case Level::good:
      return ShownLevel::good;
    case Level::watch:
      return ShownLevel::watch;
    case Level::bad:
      return ShownLevel::bad;
    case Level::unknown:
      break;
  }
  return ShownLevel::unknown;
}

ShownVerdict shown_verdict(const StandingVerdict& verdict) {
  ShownVerdict shown;
  shown.port = verdict.verdict.port;
  shown.level = shown_level(verdict.verdict.level);
  shown.what = verdict.verdict.what;
  shown.reason = verdict.verdict.reason;
  shown.since_ms = verdict.since_ms;
  if (verdict.verdict.limit != 0) {
    shown.value = verdict.verdict.value;
    shown.limit = verdict.verdict.limit;
  }
  return shown;
}

std::vector<ShownMaintenance> shown_maintenance(const std::vector<MaintainedPort>& ports,
                                                std::int64_t time_ms) {
  std::vector<ShownMaintenance> shown;
  for (const MaintainedPort& each : ports) {
    if (time_ms < each.until_ms) shown.push_back({each.node, each.port, each.until_ms, each.why});
  }
  return shown;
}

MaintenanceList::MaintenanceList(std::filesystem::path file)
    : file_(std::move(file)), ports_(read_maintenance(file_)) {
  if (!file_.empty()) written_ = time_of(file_);
}

std::optional<std::vector<MaintainedPort>> MaintenanceList::look() {
  if (file_.empty()) return std::nullopt;
  const auto now = time_of(file_);
  if (now == written_) return std::nullopt;
  written_ = now;
  try {
    ports_ = read_maintenance(file_);
    problem_.clear();
    return ports_;
  } catch (const Error& error) {
    problem_ = std::string("ports in maintenance stay as they were: ") + error.what();
    return std::nullopt;
  }
}

}  // namespace pssp
