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

VerdictLevel displayed_level(Level level) {
  switch (level) {
    case Level::good:
      return VerdictLevel::good;
    case Level::watch:
      return VerdictLevel::watch;
    case Level::bad:
      return VerdictLevel::bad;
    case Level::unknown:
      break;
  }
  return VerdictLevel::unknown;
}

VerdictView displayed_verdict(const StandingVerdict& verdict) {
  VerdictView displayed;
  displayed.port = verdict.verdict.port;
  displayed.level = displayed_level(verdict.verdict.level);
  displayed.what = verdict.verdict.what;
  displayed.reason = verdict.verdict.reason;
  displayed.since_ms = verdict.since_ms;
  if (verdict.verdict.limit != 0) {
    displayed.value = verdict.verdict.value;
    displayed.limit = verdict.verdict.limit;
  }
  return displayed;
}

std::vector<MaintenanceView> displayed_maintenance(const std::vector<MaintainedPort>& ports,
                                                   std::int64_t time_ms) {
  std::vector<MaintenanceView> displayed;
  for (const MaintainedPort& each : ports) {
    if (time_ms < each.until_ms)
      displayed.push_back({each.node, each.port, each.until_ms, each.why});
  }
  return displayed;
}

MaintenanceList::MaintenanceList(std::filesystem::path file)
    : file_(std::move(file)), ports_(read_maintenance(file_)) {
  if (!file_.empty()) written_ = time_of(file_);
}

std::optional<std::vector<MaintainedPort>> MaintenanceList::update() {
  if (file_.empty()) return std::nullopt;
  const auto now = time_of(file_);
  if (now == written_) return std::nullopt;
  written_ = now;
  try {
    ports_ = read_maintenance(file_);
    problem_.clear();
    return ports_;
  } catch (const Error& error) {
    problem_ =
        std::string("the last valid list of ports in maintenance stays in use: ") + error.what();
    return std::nullopt;
  }
}

}  // namespace pssp
