// Jobs that name their nodes are placed first, so that a job with any hosts never takes nodes named
// by another.

#include "tools/play_traffic/job_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "base/random.h"
#include "base/text_lines.h"
#include "evaluator/patterns/registry.h"
#include "fabric/nodes/host_list.h"
#include "tools/play_traffic/host_names.h"

namespace pssp {
namespace {

using PlanJson = nlohmann::json;

constexpr std::uint64_t placing_purpose = 17;
constexpr std::size_t storage_host_count = 8;

std::string text_at(const PlanJson& line, const char* key, const std::string& otherwise) {
  const auto found = line.find(key);
  if (found == line.end()) return otherwise;
  if (found->is_number_integer()) return found->dump();
  if (found->is_string()) return found->get<std::string>();
  throw Error(ErrorKind::unreadable_input, fmt::format("'{}' is not a string", key));
}

double number_at(const PlanJson& line, const char* key, double otherwise, double most) {
  const auto found = line.find(key);
  if (found == line.end()) return otherwise;
  if (found->is_number() && found->get<double>() >= 0 && found->get<double>() <= most) {
    return found->get<double>();
  }
  throw Error(ErrorKind::unreadable_input,
              fmt::format("'{}' is not a number from 0 to {}", key, most));
}

Activity activity_named(const std::string& name) {
  for (const Activity each : {Activity::constant, Activity::phases, Activity::drifting}) {
    if (name == name_of(each)) return each;
  }
  throw Error(
      ErrorKind::unreadable_input,
      fmt::format("'activity' is '{}': expected constant, phases or drifting", excerpt(name)));
}

class JobPlanReader {
 public:
  JobPlanReader(const Fabric& fabric, std::uint32_t spare, std::uint64_t seed)
      : fabric_(fabric), names_(hosts_by_name(fabric)), taken_{spare} {
    result_.plan.seed = seed;
  }

  void take(std::string_view text) {
    const PlanJson line = PlanJson::parse(text.begin(), text.end(), nullptr, false);
    if (!line.is_object())
      throw Error(ErrorKind::unreadable_input, "the line is not a JSON object");
    JobLabel label;
    label.id = text_at(line, "id", std::to_string(1001 + result_.labels.size()));
    SimulatedJob job;
    job.pattern = text_at(line, "pattern", "all_to_all");
    label.name = text_at(line, "name", job.pattern);
    label.user = text_at(line, "user", "");
    job.activity = activity_named(text_at(line, "activity", "phases"));
    job.rate = number_at(line, "rate", job.rate, 1);
    job.storage_share = number_at(line, "storage_share", 0, .9);
    take_hosts(line, job);
    result_.plan.jobs.push_back(std::move(job));
    result_.labels.push_back(std::move(label));
  }

  JobPlan finish() {
    RandomGenerator random = random_stream(result_.plan.seed, placing_purpose, 0);
    std::vector<std::uint32_t> free;
    for (const EndPortId host : fabric_.endpoints()) {
      if (!taken_.contains(host.value())) free.push_back(host.value());
    }
    shuffle(free, random);
    for (const auto& [job, count] : wanted_) {
      if (count > free.size()) {
        throw Error(ErrorKind::mismatch,
                    fmt::format("job '{}' needs {} hosts, but only {} are left",
                                excerpt(result_.labels[job].id), count, free.size()));
      }
      std::vector<std::uint32_t>& hosts = result_.plan.jobs[job].hosts;
      hosts.assign(free.end() - static_cast<std::ptrdiff_t>(count), free.end());
      free.resize(free.size() - count);
    }
    const bool stores = std::ranges::any_of(
        result_.plan.jobs, [](const SimulatedJob& job) { return job.storage_share > 0; });
    if (stores) {
      free.resize(std::min(free.size(), storage_host_count));
      result_.plan.storage_hosts = std::move(free);
    }
    return std::move(result_);
  }

 private:
  void take_hosts(const PlanJson& line, SimulatedJob& job) {
    const auto count = line.find("hosts");
    if (count != line.end()) {
      if (!count->is_number_unsigned() || count->get<std::size_t>() < 2) {
        throw Error(ErrorKind::unreadable_input, "'hosts' is not a number of 2 or more");
      }
      wanted_.emplace_back(result_.plan.jobs.size(), count->get<std::size_t>());
      return;
    }
    const auto nodes = line.find("nodes");
    if (nodes == line.end() || !nodes->is_array()) {
      throw Error(ErrorKind::unreadable_input, "the job has neither 'nodes' nor 'hosts'");
    }
    for (const PlanJson& each : *nodes) {
      if (!each.is_string())
        throw Error(ErrorKind::unreadable_input, "a node name is not a string");
      for (const std::string& name : expand_host_list(each.get_ref<const std::string&>())) {
        take_host(name, job);
      }
    }
  }

  void take_host(std::string name, SimulatedJob& job) {
    std::ranges::transform(name, name.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const auto found = names_.find(name);
    if (found == names_.end()) {
      throw Error(ErrorKind::mismatch,
                  fmt::format("node '{}' is not in the fabric", excerpt(name)));
    }
    const std::uint32_t host = found->second.front();
    if (!taken_.insert(host).second) {
      throw Error(ErrorKind::mismatch,
                  fmt::format("node '{}' is in two jobs, or runs opensm", excerpt(name)));
    }
    job.hosts.push_back(host);
  }

  const Fabric& fabric_;
  std::map<std::string, std::vector<std::uint32_t>> names_;
  std::set<std::uint32_t> taken_;
  std::vector<std::pair<std::size_t, std::size_t>> wanted_;  // job, hosts
  JobPlan result_;
};

}  // namespace

std::string_view name_of(Activity activity) {
  if (activity == Activity::constant) return "constant";
  return activity == Activity::phases ? "phases" : "drifting";
}

JobPlan read_job_plan(std::string_view text, const std::string& file, const Fabric& fabric,
                      std::uint32_t spare, std::uint64_t seed) {
  JobPlanReader reader(fabric, spare, seed);
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.empty()) continue;
    try {
      reader.take(line);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}:{}: {}", file, number, error.what()));
    }
  }
  JobPlan plan = reader.finish();
  if (plan.plan.jobs.empty()) throw Error(ErrorKind::unreadable_input, file + ": no job");
  return plan;
}

JobPlan scattered_job_plan(const Fabric& fabric, const ScatterOptions& options,
                           std::uint32_t spare) {
  JobPlan result;
  result.plan = scatter_jobs(fabric, options);
  for (SimulatedJob& job : result.plan.jobs) std::erase(job.hosts, spare);
  std::erase(result.plan.storage_hosts, spare);
  std::erase_if(result.plan.jobs, [](const SimulatedJob& job) { return job.hosts.size() < 2; });
  for (std::size_t i = 0; i < result.plan.jobs.size(); ++i) {
    constexpr std::size_t users = 5;
    result.labels.push_back({std::to_string(1001 + i), result.plan.jobs[i].pattern,
                             fmt::format("user{}", 1 + i % users)});
  }
  return result;
}

std::string job_file_text(const JobPlan& jobs, const Fabric& fabric, std::int64_t start_s) {
  std::map<std::uint32_t, std::string> names;
  for (const auto& [name, hosts] : hosts_by_name(fabric)) {
    for (const std::uint32_t host : hosts) names[host] = name;
  }
  std::string text;
  for (std::size_t i = 0; i < jobs.labels.size(); ++i) {
    const JobLabel& label = jobs.labels[i];
    PlanJson line{
        {"id", label.id},   {"name", label.name}, {"user", label.user},        {"state", "RUNNING"},
        {"start", start_s}, {"end", nullptr},     {"nodes", PlanJson::array()}};
    for (const std::uint32_t host : jobs.plan.jobs[i].hosts) line["nodes"].push_back(names[host]);
    text += line.dump() + "\n";
  }
  return text;
}

}  // namespace pssp
