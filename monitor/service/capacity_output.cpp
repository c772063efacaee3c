#include "monitor/service/capacity_output.h"

#include <sys/stat.h>

#include <utility>

#include "base/error.h"
#include "base/file_io.h"

namespace pssp {
namespace {

std::optional<std::int64_t> written_ms(const std::string& file) {
  struct stat status {};
  if (file.empty() || stat(file.c_str(), &status) != 0) return std::nullopt;
  return std::int64_t{status.st_mtim.tv_sec} * 1000 + status.st_mtim.tv_nsec / 1'000'000;
}

}  // namespace

CapacityOutput::CapacityOutput(const VerdictSettings& settings)
    : file_(settings.capacity_file),
      pacer_(settings.capacity_every_s, written_ms(settings.capacity_file)) {}

void CapacityOutput::offer(const CapacityPlan& plan, std::int64_t time_ms) {
  std::optional<std::string> text = pacer_.offer(plan, time_ms);
  const std::scoped_lock lock(mutex_);
  if (text) text_ = std::move(text);
  problem_ = pacer_.problem();
}

std::string CapacityOutput::problem() const {
  const std::scoped_lock lock(mutex_);
  return problem_.empty() ? write_problem_ : problem_;
}

void CapacityOutput::write() {
  std::optional<std::string> text;
  {
    const std::scoped_lock lock(mutex_);
    text = std::exchange(text_, std::nullopt);
  }
  if (!text) return;
  std::string problem;
  try {
    write_file(file_, *text);
  } catch (const Error& error) {
    problem = error.what();
  }
  const std::scoped_lock lock(mutex_);
  // A newer text takes precedence over the one that could not be written.
  if (!problem.empty() && !text_) text_ = std::move(text);
  write_problem_ = std::move(problem);
}

}  // namespace pssp
