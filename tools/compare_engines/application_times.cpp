// All tables of one topology are simulated in one run, so that their reference, the crossbar, is
// simulated once. Applications that cannot be simulated at all are detected before routing, by
// simulating them on that crossbar alone.

#include "tools/compare_engines/application_times.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file_io.h"
#include "base/printable.h"
#include "tools/compare_engines/recommendation.h"

namespace pssp {
namespace {

namespace fs = std::filesystem;

bool is_simulated(const EngineResult& result) { return result.score && result.score->usable; }

struct Answer {
  int status;
  std::string report, said;  ///< said: first line on stderr
};

/// File names follow "--", so that none is taken as an option.
Answer run_simulation(std::vector<std::string> arguments, const std::vector<std::string>& files,
                      const fs::path& folder, const Surroundings& surroundings,
                      const SignalQueue& signals) {
  Command command;
  command.program = surroundings.built("bin/simulate_application");
  command.arguments = std::move(arguments);
  command.arguments.emplace_back("--json");
  command.arguments.emplace_back("--");
  command.arguments.insert(command.arguments.end(), files.begin(), files.end());
  command.environment = surroundings.environment;
  command.output = folder / "application.json";
  command.errors = folder / "application.err";
  const Ending ending = run_to_end(command, signals).value();
  const std::string said = read_file(command.errors);
  const std::size_t error = said.find("error: ");
  Answer answer{ending.status, read_file(command.output),
                said.substr(error == std::string::npos ? 0 : error)};
  answer.said = answer.said.substr(0, answer.said.find('\n'));
  fs::remove(command.output);
  fs::remove(command.errors);
  return answer;
}

void read_times(const std::string& application, const std::string& report,
                std::span<EngineResult* const> replayed) {
  const nlohmann::json json = nlohmann::json::parse(report);
  for (std::size_t i = 0; i < replayed.size(); ++i) {
    const nlohmann::json& run = json.at("runs").at(i);
    replayed[i]->applications.push_back(
        {printable(application), run.at("time_ns").get<double>(), run.value("ratio", 1.0)});
  }
}

}  // namespace

std::vector<std::string> ApplicationTrials::arguments(const std::string& application) const {
  std::error_code ignored;
  if (fs::is_regular_file(application, ignored)) return {"--goal", application};
  std::vector<std::string> result{"--application", application};
  if (options_.ranks != 0) result.insert(result.end(), {"--ranks", std::to_string(options_.ranks)});
  return result;
}

void ApplicationTrials::require_playable(const fs::path& topology, const fs::path& folder) const {
  for (const std::string& application : options_.applications) {
    std::vector<std::string> configured = arguments(application);
    configured.insert(configured.end(), {"--network", "crossbar"});
    const Answer answer =
        run_simulation(std::move(configured), {topology.string()}, folder, surroundings_, signals_);
    if (answer.status == 0) continue;
    throw Error(ErrorKind::usage,
                fmt::format("--application {} cannot be simulated on this fabric: {}",
                            excerpt(application), answer.said));
  }
}

std::string ApplicationTrials::replay(std::span<EngineResult> results, const fs::path& topology,
                                      const fs::path& folder) const {
  std::vector<EngineResult*> replayed;
  for (EngineResult& each : results) {
    if (is_simulated(each)) replayed.push_back(&each);
  }
  if (replayed.empty()) return {};
  for (const std::string& application : options_.applications) {
    std::vector<std::string> configured = arguments(application);
    const auto tables = [](const EngineResult& of) { return of.directory + "/routing.lft"; };
    for (const EngineResult* each : std::span(replayed).subspan(1)) {
      configured.insert(configured.end(), {"--compare", tables(*each)});
    }
    const Answer answer =
        run_simulation(std::move(configured), {tables(*replayed.front()), topology.string()},
                       folder, surroundings_, signals_);
    if (answer.status != 0) {
      return fmt::format("{} was not simulated: pssp simulate-app ended with status {}: {}",
                         application, answer.status, answer.said);
    }
    read_times(application, answer.report, replayed);
  }
  return {};
}

std::string application_advice(std::span<const EngineResult> results, const std::string& engine,
                               unsigned lanes) {
  constexpr double least_gain = 0.01;
  constexpr double percent = 100;
  const auto chosen = std::ranges::find_if(
      results, [&](const EngineResult& each) { return each.engine == engine; });
  if (chosen == results.end()) return {};
  std::string text;
  for (std::size_t i = 0; i < chosen->applications.size(); ++i) {
    const double own = chosen->applications[i].time_ns;
    const EngineResult* fastest = nullptr;
    for (const EngineResult& each : results) {
      if (each.lmc != chosen->lmc || i >= each.applications.size() || !is_safe(each, lanes)) {
        continue;
      }
      if (fastest == nullptr || each.applications[i].time_ns < fastest->applications[i].time_ns) {
        fastest = &each;
      }
    }
    if (fastest == nullptr) continue;
    const double gain = 1 - fastest->applications[i].time_ns / own;
    if (!(gain >= least_gain)) continue;
    text += fmt::format("{}{} takes {:.0f} % less time with {}.", text.empty() ? "" : " ",
                        chosen->applications[i].application, gain * percent, fastest->engine);
  }
  return text;
}

}  // namespace pssp
