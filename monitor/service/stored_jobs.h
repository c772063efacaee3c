#pragma once

// Jobs and users of links from the database, for the web interface.

#include <memory>
#include <string>
#include <vector>

#include "monitor/api/json_writer.h"
#include "monitor/api/live_state.h"
#include "monitor/api/query.h"
#include "monitor/api/search_view.h"
#include "monitor/counters/port_key.h"
#include "monitor/service/job_json.h"

namespace pssp {

/// Functions add members to an open object, and throw ApiError. They may take seconds. Calls must
/// come from one thread at a time. The last window is kept with its attribution, because a page
/// sends several requests for the same window.
class StoredJobs {
 public:
  explicit StoredJobs(JobContext context) : context_(std::move(context)) {}

  void jobs(JsonWriter& json, const LiveView& view, const Target& target);
  void job(JsonWriter& json, const LiveView& view, const Target& target, const std::string& id);
  void job_links(JsonWriter& json, const LiveView& view, const Target& target,
                 const std::string& id);
  /// Writes the jobs of the last day whose id or name matches, newest first, as objects in an open
  /// array.
  void write_found(JsonWriter& json, const LiveView& view, const SearchRequest& request);
  void users(JsonWriter& json, const LiveView& view, const Target& target, PortKey port);

 private:
  StoredJob known_job(const std::string& id) const;
  const AttributedWindow& window_of(const TimeWindow& window);
  struct ListedJob;
  static double weight_of(const ListedJob& job, std::string_view key);
  void add_use(std::vector<ListedJob>& jobs, std::int64_t now);

  JobContext context_;
  std::unique_ptr<AttributedWindow> last_;
};

}  // namespace pssp
