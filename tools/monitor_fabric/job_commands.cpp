// Jobs come from the daemon's database, or from a file: then a daemon without a scheduler suffices.
// Text summarizes in one line each what JSON contains in full.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/names_in_list.h"
#include "base/printable.h"
#include "base/untrusted_text.h"
#include "base/utc_time.h"
#include "base/wall_clock.h"
#include "monitor/configuration/configuration.h"
#include "monitor/jobs/job_file.h"
#include "monitor/jobs/node_names.h"
#include "monitor/jobs/slurm.h"
#include "monitor/service/job_json.h"
#include "tools/kit/report.h"
#include "tools/monitor_fabric/command.h"
#include "tools/monitor_fabric/history_arguments.h"
#include "tools/monitor_fabric/port_rows.h"
#include "tools/monitor_fabric/table.h"

namespace pssp {
namespace {

constexpr double percent_of_one = 100;

/// Common options of the three commands.
struct JobArguments {
  HistoryArguments time;  // the database, --since and --until
  std::string jobs_file, config, rule, shared;

  void add_options(CommandLine& line, bool database_required) {
    Option database =
        line.option("-d,--database", time.database, "Database written by serve or record").reads();
    if (database_required) database.required();
    line.option("--jobs", jobs_file, "Read jobs from FILE instead, one JSON object per line")
        .reads();
    line.option("--config", config, "Configuration file of the daemon: section [jobs]").reads();
    line.option("--node-names", rule,
                "Regular expression with one group that extracts the node name from the "
                "description of an adapter (default: the first word)")
        .type_name("REGEX");
    line.option("--shared-hosts", shared,
                "Nodes shared by several jobs, such as storage and login nodes")
        .type_name("NAME,...");
    line.option("--since", time.since, "Start of the period (2026-01-31T12:00:00Z, -6h, ...)")
        .type_name("TIME");
    line.option("--until", time.until, "End of the period").type_name("TIME");
    line.flag("--json", time.json, "Write JSON");
    line.output(time.output);
  }

  JobContext context() const {
    JobContext made;
    if (!config.empty()) made.take(read_monitor_configuration(config).jobs);
    made.database = time.database;
    if (!rule.empty()) made.node_names = rule;
    if (!shared.empty()) made.shared_hosts = names_in_list(shared);
    if (!jobs_file.empty()) made.jobs = reported(read_jobs(jobs_file));
    return made;
  }

  /// Lines that are not jobs are reported, and do not end the program.
  static std::shared_ptr<const JobList> reported(JobList list) {
    const Report report("monitor_fabric");
    for (const std::string& problem : list.problems) report.print_line(problem);
    if (list.bad_lines > list.problems.size()) {
      report.print_line(
          fmt::format("{} lines of the job list are invalid in total", list.bad_lines));
    }
    return std::make_shared<const JobList>(std::move(list));
  }
};

std::string optional_time(const std::optional<std::int64_t>& seconds) {
  constexpr std::int64_t ms_a_second = 1000;
  constexpr std::size_t without_milliseconds = 19;
  return seconds ? time_text(*seconds * ms_a_second).substr(0, without_milliseconds) : "-";
}

Cell percent_cell(double share) {
  if (share < 0) return {};
  return share * percent_of_one;
}

std::string range_text(double low, double high) {
  return fmt::format("{:.1f} - {:.1f}", low * percent_of_one, high * percent_of_one);
}

class JobsCommand final : public MonitorCommand {
 public:
  std::string name() const override { return "jobs"; }
  std::string summary() const override {
    return "Lists jobs and their nodes, from a database, a file or Slurm";
  }

  void add_options(CommandLine& line) override {
    arguments_.add_options(line, false);
    arguments_.time.add_csv_option(line);
    line.flag("--slurm", slurm_, "Query Slurm now, without a database");
  }

  int run(const CommandLine&) override {
    const JobContext context = made_context();
    std::vector<StoredJob> jobs = jobs_of(context, window(), true);
    if (context.jobs) match(context, jobs);
    if (!arguments_.time.csv.empty()) {
      write_file(arguments_.time.csv, table_csv(table_of(context, jobs)));
    }
    write_answer(
        arguments_.time.output, arguments_.time.json, [&] { return text(context, jobs); },
        [&] {
          JsonWriter json;
          json.begin_array();
          for (const StoredJob& job : jobs) write_listed_job(json, job, context.show_users);
          return json.end_array().take() + "\n";
        });
    return 0;
  }

 private:
  JobContext made_context() const {
    JobContext context = arguments_.context();
    if (slurm_) context.jobs = JobArguments::reported(read_slurm_queue());
    if (!context.jobs && arguments_.time.database.empty()) {
      throw Error(ErrorKind::usage, "no source of jobs: use --database, --jobs or --slurm");
    }
    return context;
  }

  /// Without --since and --until: jobs that are listed, or ended in the last day.
  TimeWindow window() const {
    const std::int64_t now = wall_clock_ms();
    TimeWindow wanted;
    wanted.since_ms = now - day_ms;
    if (!arguments_.jobs_file.empty() || slurm_) {
      wanted.since_ms = std::numeric_limits<std::int64_t>::min();
    }
    if (!arguments_.time.since.empty()) wanted.since_ms = parse_time(arguments_.time.since, now);
    if (!arguments_.time.until.empty()) wanted.until_ms = parse_time(arguments_.time.until, now);
    if (wanted.since_ms >= wanted.until_ms) {
      throw Error(ErrorKind::usage, "--since is not before --until");
    }
    return wanted;
  }

  /// Names are matched if there is a fabric; otherwise none is called unmatched.
  void match(const JobContext& context, std::vector<StoredJob>& jobs) const {
    std::shared_ptr<const FabricMap> map;
    if (!arguments_.time.database.empty()) {
      map =
          HistoryReader(arguments_.time.database).map_at(std::numeric_limits<std::int64_t>::max());
    }
    const NodeNames names(map ? *map : FabricMap{}, NodeNameRule(context.node_names));
    for (StoredJob& job : jobs) {
      job.adapters.clear();
      for (const std::string& name : job.job.nodes) {
        if (map && names.find(name).empty()) job.adapters.push_back({name, 0});
      }
    }
  }

  static Table table_of(const JobContext& context, const std::vector<StoredJob>& jobs) {
    Table table;
    table.columns = {{"id", 0},    {"name", 0}, {"user", 0},  {"state", 0},
                     {"start", 0}, {"end", 0},  {"nodes", 0}, {"unmatched", 0}};
    for (const StoredJob& job : jobs) {
      const auto unmatched = std::count_if(job.adapters.begin(), job.adapters.end(),
                                           [](const JobAdapter& each) { return each.guid == 0; });
      table.rows.push_back(
          {job.job.id, job.job.name, context.show_users ? job.job.user : std::string("-"),
           job.job.state, optional_time(job.job.start_s), optional_time(job.job.end_s),
           static_cast<std::int64_t>(job.job.nodes.size()), static_cast<std::int64_t>(unmatched)});
    }
    return table;
  }

  static std::string text(const JobContext& context, const std::vector<StoredJob>& jobs) {
    std::string all = table_text(table_of(context, jobs));
    if (context.jobs) return all;
    const auto source = StateReader(context.database).job_source();
    if (source && source->stale_since_ms != 0) {
      all += fmt::format("stale: {} has not responded since {}: {}\n", source->source,
                         time_text(source->stale_since_ms), untrusted_text(source->problem));
    }
    return all;
  }

  JobArguments arguments_;
  bool slurm_ = false;
};

/// The description of a window, in one or more lines.
std::string window_text(const AttributedWindow& window) {
  const TrafficWindow& traffic = *window.traffic;
  std::string text =
      fmt::format("{} {} up to {}, {:.0f} s, {} jobs\n", traffic.observed.sweeps,
                  traffic.level == HistoryLevel::raw ? "sweeps" : "periods",
                  time_text(traffic.time_ms.back()), traffic.total_seconds(), traffic.jobs.size());
  for (const std::string& remark : traffic.remarks) text += untrusted_text(remark) + "\n";
  if (traffic.job_source && traffic.job_source->stale_since_ms != 0) {
    text += fmt::format("jobs are stale since {}\n", time_text(traffic.job_source->stale_since_ms));
  }
  return text;
}

std::string cable_text(const FabricMap& map, std::uint32_t port) {
  const std::uint32_t peer = map.ports[port].peer;
  return port_name(map, map.ports[port]) +
         (peer == MapPort::no_peer ? std::string() : " -> " + port_name(map, map.ports[peer]));
}

class WhoCommand final : public MonitorCommand {
 public:
  std::string name() const override { return "who"; }
  std::string summary() const override {
    return "Lists the jobs that use a link, with their share of its traffic, from a database";
  }

  void add_options(CommandLine& line) override {
    line.option("LINK", link_,
                "Sending port of the link: 'NAME port NUMBER', by description or GUID")
        .required();
    arguments_.add_options(line, true);
  }

  int run(const CommandLine&) override {
    const JobContext context = arguments_.context();
    const TimeWindow wanted = asked_window();
    const std::uint32_t port = wanted_port(wanted);
    const AttributedWindow window(context, wanted);
    const MapPort& named = map_->ports[port];
    const auto there = window.traffic->map->find_port(map_->node_of(named).guid, named.number);
    const auto place = there ? window.traffic->place_of(*there) : std::nullopt;
    if (!place) {
      throw Error(ErrorKind::usage,
                  fmt::format("LINK '{}': no cable to a switch or a host", excerpt(link_)));
    }
    const ChannelShares users = users_of(*window.traffic, window.attribution, *place);
    write_answer(
        arguments_.time.output, arguments_.time.json,
        [&] { return text(context, window, *there, users); },
        [&] {
          JsonWriter json;
          json.begin_object();
          write_users(json, context, window, *there, users);
          return json.end_object().take() + "\n";
        });
    return 0;
  }

 private:
  TimeWindow asked_window() const {
    return arguments_.time.window(HistoryReader(arguments_.time.database), users_window_ms);
  }

  std::uint32_t wanted_port(const TimeWindow& wanted) {
    const HistoryReader reader(arguments_.time.database);
    map_ = reader.map_at(wanted.until_ms - 1);
    if (!map_) throw Error(ErrorKind::unreadable_input, "the database has no sweeps yet");
    const PortFilter filter(link_, *map_, "LINK");
    if (!filter.node() || !filter.port()) {
      throw Error(ErrorKind::usage,
                  fmt::format("LINK '{}': the port is missing; expected 'NAME port NUMBER'",
                              excerpt(link_)));
    }
    const auto port = map_->find_port(*filter.node(), *filter.port());
    if (!port) {
      throw Error(ErrorKind::usage, fmt::format("LINK '{}': no such port", excerpt(link_)));
    }
    return *port;
  }

  static std::string text(const JobContext& context, const AttributedWindow& window,
                          std::uint32_t port, const ChannelShares& users) {
    const double used = utilisation_of(*window.traffic, port, users.bytes);
    constexpr double giga = 1e9;
    std::string all = fmt::format(
        "{}: {:.3f} GB{}\n{}\n", cable_text(*window.traffic->map, port), users.bytes / giga,
        used < 0 ? std::string() : fmt::format(", {:.1f} % of its capacity", used * percent_of_one),
        window_text(window));
    Table table;
    table.columns = {{"job", 0},      {"name", 0},      {"user", 0},     {"share_%", 1},
                     {"interval", 0}, {"certainly", 0}, {"evidence", 0}, {"remark", 0}};
    for (const JobShare& share : users.jobs) {
      const bool known = share.job < window.traffic->jobs.size();
      const Job none;
      const Job& job = known ? window.traffic->jobs[share.job].stored.job : none;
      table.rows.push_back(
          {user_name(window, share.job), job.name, context.show_users ? job.user : std::string("-"),
           percent_cell(share.share), range_text(share.low, share.high),
           range_text(share.least, share.most), std::string(name_of(share.evidence)),
           std::string(reason_of(share.wide))});
    }
    all += table_text(table);
    all += fmt::format("not explained: {:.1f} %\n", users.unexplained * percent_of_one);
    return all;
  }

  JobArguments arguments_;
  std::string link_;
  std::shared_ptr<const FabricMap> map_;
};

class JobCommand final : public MonitorCommand {
 public:
  std::string name() const override { return "job"; }
  std::string summary() const override {
    return "Lists the links of a job, its share of each, and the other jobs on them";
  }

  void add_options(CommandLine& line) override {
    line.option("ID", id_, "Job id of the scheduler").required();
    arguments_.add_options(line, true);
    line.option("--top", top_, "Number of links to examine")
        .show_default()
        .range(1, 1e4)
        .type_name("N");
  }

  int run(const CommandLine&) override {
    const JobContext context = arguments_.context();
    const std::optional<StoredJob> job = find_job(context, id_);
    if (!job) {
      throw Error(
          ErrorKind::usage,
          fmt::format("ID '{}': no such job; list them with: pssp monitor jobs", excerpt(id_)));
    }
    const AttributedWindow window(context, wanted_window(*job));
    const auto index = window.find(*job);
    if (!index) {
      throw Error(ErrorKind::unreadable_input,
                  fmt::format("job '{}' did not run in this period, or none of its {} nodes is in "
                              "the fabric; choose another period with --since and --until",
                              excerpt(id_), job->job.nodes.size()));
    }
    const JobLinks links = links_of_job(*window.traffic, window.attribution, *index, top_);
    write_answer(
        arguments_.time.output, arguments_.time.json,
        [&] { return text(context, window, *index, links); },
        [&] {
          JsonWriter json;
          json.begin_object();
          write_job_links(json, context, window, *index, links);
          return json.end_object().take() + "\n";
        });
    return 0;
  }

 private:
  TimeWindow wanted_window(const StoredJob& job) const {
    const HistoryReader reader(arguments_.time.database);
    if (!arguments_.time.since.empty() || !arguments_.time.until.empty()) {
      return arguments_.time.window(reader, job_window_ms);
    }
    return window_of_job(job, reader.status().newest_ms, job_window_ms);
  }

  static std::string others_text(const AttributedWindow& window, const JobLink& link,
                                 std::uint32_t job) {
    constexpr std::size_t most = 3;
    std::string text;
    std::size_t displayed_users = 0;
    for (const JobShare& share : link.users.jobs) {
      if (share.job == job || displayed_users++ == most) continue;
      text += fmt::format("{}{} {:.0f} %", text.empty() ? "" : ", ", user_name(window, share.job),
                          share.share * percent_of_one);
      if (displayed_users == most) break;
    }
    return text;
  }

  static std::string head(const JobContext& context, const AttributedWindow& window,
                          std::uint32_t index, const JobLinks& links) {
    const WindowJob& job = window.traffic->jobs[index];
    constexpr double giga = 1e9;
    std::string text = fmt::format(
        "job {} {} of {}: {}, {} to {}\n{} nodes in the fabric, {} of its names match no node{}\n"
        "sent {:.3f} GB, received {:.3f} GB, over {} links at most\n{}",
        untrusted_text(job.stored.job.id), untrusted_text(job.stored.job.name),
        context.show_users ? untrusted_text(job.stored.job.user) : "-",
        untrusted_text(job.stored.job.state), optional_time(job.stored.job.start_s),
        optional_time(job.stored.job.end_s), job.nodes.size(), job.not_found.size(),
        job.not_found.empty() ? "" : ": " + names_text(job.not_found), links.sent / giga,
        links.received / giga, links.may_use, window_text(window));
    return text;
  }

  static std::string names_text(const std::vector<std::string>& names) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) {
      text += (i == 0 ? "" : ", ") + untrusted_text(names[i]);
    }
    return names.size() > most ? text + ", .." : text;
  }

  static std::string text(const JobContext& context, const AttributedWindow& window,
                          std::uint32_t index, const JobLinks& links) {
    std::string all = head(context, window, index, links);
    const auto slowest = std::max_element(links.links.begin(), links.links.end(),
                                          [](const JobLink& a, const JobLink& b) {
                                            return std::max(a.waiting_share, a.utilisation) <
                                                   std::max(b.waiting_share, b.utilisation);
                                          });
    if (slowest != links.links.end()) {
      all += fmt::format("slowest: {}{}{}\n", cable_text(*window.traffic->map, slowest->port),
                         slowest->hot ? ", saturated" : "",
                         slowest->held_up ? ", waiting for credits" : "");
    }
    for (const JobNeighbour& other : links.held_up_by) {
      all += fmt::format("competing job: {} on {} links, share up to {:.0f} %\n",
                         user_name(window, other.job), other.links,
                         other.largest_share * percent_of_one);
    }
    Table table;
    table.columns = {{"link", 0},     {"GB", 3},     {"share_%", 1}, {"certainly", 0},
                     {"evidence", 0}, {"used_%", 1}, {"wait_%", 1},  {"others", 0}};
    constexpr double giga = 1e9;
    for (const JobLink& link : links.links) {
      table.rows.push_back(
          {cable_text(*window.traffic->map, link.port), link.bytes() / giga,
           percent_cell(link.share.share), range_text(link.share.least, link.share.most),
           std::string(name_of(link.share.evidence)), percent_cell(link.utilisation),
           percent_cell(link.waiting_share), others_text(window, link, index)});
    }
    return all + "\n" + table_text(table);
  }

  JobArguments arguments_;
  std::string id_;
  unsigned top_ = most_job_links;
};

}  // namespace

MonitorCommandPointer make_jobs_command() { return std::make_unique<JobsCommand>(); }
MonitorCommandPointer make_who_command() { return std::make_unique<WhoCommand>(); }
MonitorCommandPointer make_job_command() { return std::make_unique<JobCommand>(); }

}  // namespace pssp
