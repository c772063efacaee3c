#pragma once

// Jobs and users of links out of the database, for the web interface.

#include <memory>
#include <string>
#include <vector>

#include "monitor/api/job_answers.h"
#include "tools/monitor_fabric/job_json.h"

namespace pssp {

/// The window that was asked for last is kept with its attribution: a page asks several questions
/// of one.
class StoredJobs final : public JobAnswers {
 public:
  explicit StoredJobs(JobContext context) : context_(std::move(context)) {}

  void jobs(JsonWriter& json, const LiveView& view, const Target& target) override;
  void job(JsonWriter& json, const LiveView& view, const Target& target,
           const std::string& id) override;
  void job_links(JsonWriter& json, const LiveView& view, const Target& target,
                 const std::string& id) override;
  void users(JsonWriter& json, const LiveView& view, const Target& target, PortKey port) override;

 private:
  StoredJob known_job(const std::string& id) const;
  const AttributedWindow& window_of(const TimeWindow& window);
  struct ListedJob;
  void add_use(std::vector<ListedJob>& jobs, std::int64_t now);

  JobContext context_;
  std::unique_ptr<AttributedWindow> last_;
};

}  // namespace pssp
