#pragma once

// Keeps jobs: what the scheduler says of each, and which adapters its nodes are.

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <string>
#include <unordered_map>

#include "monitor/jobs/job_report.h"
#include "monitor/jobs/node_names.h"
#include "monitor/store/port_register.h"

namespace pssp {

class JobWriter {
 public:
  /// Reads which jobs are listed. `ports` must outlive it. Throws Error(usage) as NodeNameRule.
  /// With `hide_users` no name of a user is stored, and those that the file has go.
  JobWriter(SQLite::Database& database, const PortRegister& ports,
            const std::string& node_name_rule, bool hide_users);

  /// Enters what differs from what the file has. Jobs that are no longer listed are kept with the
  /// time at which they last were; so are those of another source. A report with a problem changes
  /// nothing but the state of its source. Inside the caller's transaction; when that fails the
  /// writer is to be made again. O(jobs), and the names of those that are new.
  void enter(const JobReport& report, const std::shared_ptr<const FabricMap>& map,
             std::int64_t age_ms);

 private:
  struct Known {
    std::int64_t key = 0;
    std::uint64_t digest = 0;  // of what is in the file; 0: not known
    bool has_unmatched = false;
    std::uint64_t round = 0;  // of the last report that had it
  };

  void load();
  void begin_source(const std::string& source);
  void enter_state(const JobReport& report);
  void enter_job(const Job& job, const JobReport& report, std::int64_t age_ms);
  std::int64_t row_for(const Job& job, const JobReport& report, std::int64_t age_ms);
  bool enter_nodes(const Job& job, std::int64_t key);
  void let_go(std::int64_t time_ms);

  SQLite::Database& database_;
  const PortRegister& ports_;
  bool hide_users_;
  NodeNameRule rule_;
  std::shared_ptr<const FabricMap> map_;
  NodeNames names_;
  std::string source_;
  std::unordered_map<std::string, Known> listed_;  // by id, of source_
  std::int64_t last_listed_ms_ = 0;
  std::uint64_t round_ = 0;
  bool map_is_new_ = false;
};

}  // namespace pssp
