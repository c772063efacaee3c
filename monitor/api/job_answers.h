#pragma once

// Answers about jobs, which the program makes of libraries that the interface does not know.

#include <string>

#include "monitor/api/json_writer.h"
#include "monitor/api/live_state.h"
#include "monitor/api/query.h"
#include "monitor/counters/port_key.h"

namespace pssp {

/// Functions add members to an open object, and throw ApiError. They may take seconds. Calls come
/// from one thread at a time.
class JobAnswers {
 public:
  JobAnswers() = default;
  JobAnswers(const JobAnswers&) = delete;
  JobAnswers& operator=(const JobAnswers&) = delete;
  virtual ~JobAnswers() = default;

  virtual void jobs(JsonWriter& json, const LiveView& view, const Target& target) = 0;
  virtual void job(JsonWriter& json, const LiveView& view, const Target& target,
                   const std::string& id) = 0;
  virtual void job_links(JsonWriter& json, const LiveView& view, const Target& target,
                         const std::string& id) = 0;
  virtual void users(JsonWriter& json, const LiveView& view, const Target& target,
                     PortKey port) = 0;
};

}  // namespace pssp
