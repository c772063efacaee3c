// Prints data of Slurm for test_slurm.sh. `show_slurm jobs [MS]` prints the jobs, one JSON object
// per line, with a timeout of MS milliseconds. `show_slurm hosts` reads host lists, one per line,
// and prints the names of each list on a line.

#include <chrono>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>

#include "fabric/nodes/host_list.h"
#include "monitor/jobs/slurm.h"

namespace {

void show_jobs(long time_out_ms) {
  pssp::SlurmOptions options;
  options.time_out = std::chrono::milliseconds(time_out_ms);
  const pssp::JobList list = pssp::read_slurm_queue(options);
  for (const pssp::Job& job : list.jobs) {
    nlohmann::ordered_json json;
    json["id"] = job.id;
    json["state"] = job.state;
    json["user"] = job.user;
    json["start"] = job.start_s.value_or(0);
    json["name"] = job.name;
    json["nodes"] = job.nodes;
    std::cout << json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << '\n';
  }
  for (const std::string& problem : list.problems) std::cerr << problem << '\n';
}

void show_hosts() {
  for (std::string line; std::getline(std::cin, line);) {
    for (const std::string& name : pssp::expand_host_list(line)) std::cout << name << ' ';
    std::cout << '\n';
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    if (argc >= 2 && std::string(argv[1]) == "jobs") {
      show_jobs(argc > 2 ? std::stol(argv[2]) : 10'000);
    } else {
      show_hosts();
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
  }
}
