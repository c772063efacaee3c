#pragma once

// Stores jobs as the scheduler reports them, and the adapters of their nodes.

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
  /// Loads which jobs are listed. `ports` must outlive the writer. Throws Error(usage) as
  /// NodeNameRule does. With `hide_users` no user name is stored, and those in the file are erased.
  JobWriter(SQLite::Database& database, const PortRegister& ports, const std::string& node_names,
            bool hide_users);

  /// Writes what differs from the file. Jobs that are no longer listed, and jobs of another source,
  /// are kept with the time at which they were last listed. A report with a problem changes only
  /// the state of its source. Runs inside the caller's transaction; if that is rolled back, the
  /// writer must be created again. O(jobs), plus the node names of new jobs.
  void enter(const JobReport& report, const std::shared_ptr<const FabricMap>& map,
             std::int64_t age_ms);

 private:
  struct Known {
    std::int64_t key = 0;
    std::uint64_t digest = 0;  // digest of the job in the file; 0: unknown
    bool has_unmatched = false;
    std::uint64_t round = 0;  // number of the last report that listed the job
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
  std::unordered_map<std::string, Known> listed_;  // by id, for the source source_
  std::int64_t last_listed_ms_ = 0;
  std::uint64_t round_ = 0;
  bool map_is_new_ = false;
};

}  // namespace pssp
