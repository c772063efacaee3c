#include "tools/play_traffic/truth.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "tools/play_traffic/host_names.h"

namespace pssp {
namespace {

using TruthJson = nlohmann::ordered_json;

class TruthWriter {
 public:
  TruthWriter(const JobPlan& jobs, const Fabric& fabric, const TrafficPlayer& player,
              const SimulatedCounters& counters)
      : jobs_(jobs), player_(player), counters_(counters) {
    for (const auto& [name, hosts] : hosts_by_name(fabric)) {
      for (const std::uint32_t host : hosts) names_[host] = name;
    }
    for (const SimulatedError& error : counters.errors()) {
      errors_[error.port][error.counter] =
          static_cast<std::uint64_t>(std::min(error.counted, static_cast<double>(error.most)));
    }
  }

  TruthJson jobs() const {
    TruthJson list = TruthJson::array();
    const SimulatedLinks& links = player_.links();
    for (std::size_t j = 0; j < jobs_.labels.size(); ++j) {
      const SimulatedJob& job = jobs_.plan.jobs[j];
      TruthJson nodes = TruthJson::array();
      double sent = 0;
      for (const std::uint32_t host : job.hosts) {
        nodes.push_back(names_.at(host));
        sent += player_.truth()[j * links.count() + links.out_of(host)];
      }
      list.push_back({{"id", jobs_.labels[j].id},
                      {"name", jobs_.labels[j].name},
                      {"pattern", job.pattern},
                      {"activity", name_of(job.activity)},
                      {"rate", job.rate},
                      {"storage_share", job.storage_share},
                      {"nodes", std::move(nodes)},
                      {"bytes", whole(sent)}});
    }
    return list;
  }

  TruthJson ports() const {
    TruthJson list = TruthJson::array();
    for (std::size_t p = 0; p < counters_.ports().size(); ++p) {
      const SimulatedPort& port = counters_.ports()[p];
      const auto errors = errors_.find(p);
      const bool idle = counters_.bytes(port.out) == 0 && counters_.bytes(port.in) == 0;
      if (idle && errors == errors_.end()) continue;
      TruthJson entry{{"guid", fmt::format("0x{:016x}", port.guid)},
                      {"port", port.number},
                      {"name", port.description},
                      {"transmit_bytes", whole(counters_.bytes(port.out))},
                      {"receive_bytes", whole(counters_.bytes(port.in))},
                      {"PortXmitData", counters_.words(port.out)},
                      {"PortRcvData", counters_.words(port.in)},
                      {"PortXmitPkts", counters_.packets(port.out)},
                      {"PortRcvPkts", counters_.packets(port.in)},
                      {"PortXmitWait", counters_.waited(port.out)}};
      if (errors != errors_.end()) entry.update(errors->second);
      entry["jobs"] = shares(port.out);
      list.push_back(std::move(entry));
    }
    return list;
  }

 private:
  static std::uint64_t whole(double bytes) { return static_cast<std::uint64_t>(bytes); }

  TruthJson shares(std::size_t link) const {
    TruthJson shares = TruthJson::object();
    for (std::size_t j = 0; j < jobs_.labels.size(); ++j) {
      const double bytes = player_.truth()[j * player_.links().count() + link];
      if (bytes > 0) shares[jobs_.labels[j].id] = whole(bytes);
    }
    return shares;
  }

  const JobPlan& jobs_;
  const TrafficPlayer& player_;
  const SimulatedCounters& counters_;
  std::map<std::uint32_t, std::string> names_;
  std::map<std::size_t, TruthJson> errors_;
};

}  // namespace

std::string truth_json(const SimulatedTruth& truth, const JobPlan& jobs, const Fabric& fabric,
                       const TrafficPlayer& player, const SimulatedCounters& counters) {
  const TruthWriter writer(jobs, fabric, player, counters);
  const TruthJson all{{"version", 1},           {"topology", truth.topology},
                      {"engine", truth.engine}, {"seconds", truth.seconds},
                      {"seed", jobs.plan.seed}, {"jobs", writer.jobs()},
                      {"ports", writer.ports()}};
  return all.dump(1) + "\n";
}

}  // namespace pssp
