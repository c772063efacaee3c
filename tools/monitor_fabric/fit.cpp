// The daemon decides, and this command asks it: an independent decision would use another time
// window, and lack the history. With a database, it reports the last decisions of the daemon that
// wrote it.
//
// A request has at most 4 KiB, so longer lists are divided.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json_text.h"
#include "base/untrusted_text.h"
#include "base/wall_clock.h"
#include "fabric/nodes/host_list.h"
#include "monitor/api/fit_view.h"
#include "monitor/service/stored_fit.h"
#include "tools/kit/plugin_answer.h"
#include "tools/kit/report.h"
#include "tools/monitor_fabric/command.h"
#include "tools/monitor_fabric/daemon.h"
#include "tools/monitor_fabric/http_get.h"

namespace pssp {
namespace {

using Json = nlohmann::json;
constexpr std::size_t longest_list = 3'800;  // of a target of 4 KiB, including escapes

struct FitCounts {
  std::size_t yes = 0, watch = 0, no = 0, unknown = 0;
};

FitCounts counts_of(const std::vector<FitAnswer>& answers) {
  const auto of = [&](Level level) {
    return static_cast<std::size_t>(std::ranges::count(answers, level, &FitAnswer::level));
  };
  return {of(Level::good), of(Level::watch), of(Level::bad), of(Level::unknown)};
}

FitAnswer answer_of(const Json& node) {
  FitAnswer answer;
  answer.name = untrusted_text(node.at("name").get<std::string>());
  const auto level = level_of_fit_word(node.at("fit").get<std::string>());
  if (!level) {
    throw Error(ErrorKind::unreadable_input,
                "the reply of the monitor has an unknown value of 'fit'; check that both programs "
                "have the same version");
  }
  answer.level = *level;
  if (node.at("drain").get<bool>()) answer.advice = DrainAdvice::drain;
  if (node.at("held_back").get<bool>()) answer.advice = DrainAdvice::held_back;
  if (!node.at("since").is_null()) answer.since_ms = node.at("since").get<std::int64_t>();
  for (const Json& each : node.at("reasons")) {
    answer.reasons.push_back(untrusted_text(each.get<std::string>()));
  }
  return answer;
}

/// Number of names from `first` on that fit into one request.
std::size_t names_of_a_request(const std::vector<std::string>& names, std::size_t first,
                               std::string& list) {
  for (std::size_t count = names.size() - first;; count = (count + 1) / 2) {
    list = percent_encoded(compress_host_list(std::span(names).subspan(first, count)));
    if (list.size() <= longest_list || count == 1) return count;
  }
}

class FitCommand final : public MonitorCommand {
 public:
  std::string name() const override { return "fit"; }
  std::string summary() const override {
    return "Lists which nodes are fit to run jobs, and why others are not";
  }

  void add_options(CommandLine& line) override {
    line.option("HOSTLIST", hosts_, "Nodes in Slurm's notation, e.g. n[1-3,7]; default: all");
    const Option server =
        line.option("--server", server_, "Address of the monitor: http://HOST:PORT or unix:PATH")
            .type_name("URL")
            .show_default();
    line.option("-d,--database", database_,
                "Read the latest verdicts from this database instead of the monitor")
        .reads()
        .excludes(server);
    line.option("--token-file", token_file_, "File with the access token of the monitor").reads();
    line.option("--server-timeout", timeout_s_, "Seconds to wait for the reply of the monitor")
        .range(0.1, 600)
        .type_name("S")
        .show_default();
    line.option("--node-names", rule_,
                "With --database: same as node_names in section [jobs] of the configuration")
        .type_name("REGEX");
    const Option json = line.flag("--json", json_, "Write JSON");
    line.flag(
            "--nagios", nagios_,
            "Print one line and exit with status 0, 1, 2 or 3 for fit, to watch, not fit, unknown")
        .excludes(json);
    line.output(output_);
  }

  int run(const CommandLine&) override {
    if (!nagios_) return print_line(answers());
    try {
      return report_nagios(answers());
    } catch (const Error& error) {
      return report_nagios(PluginStatus::unknown, error.what());
    }
  }

 private:
  std::vector<FitAnswer> answers() const {
    const std::vector<std::string> names = fit_names(hosts_);
    if (database_.empty()) return ask(names);
    const StoredFit stored = stored_fit(database_, NodeNameRule(rule_), wall_clock_ms());
    return answers_of(stored.list, names, stored.stale);
  }

  std::vector<FitAnswer> ask(const std::vector<std::string>& names) const {
    const std::string token = token_file_.empty() ? std::string() : read_token(token_file_);
    std::vector<FitAnswer> all;
    if (names.empty()) take(get("/api/v1/fit", token), all);
    for (std::size_t first = 0; first < names.size();) {
      std::string list;
      const std::size_t count = names_of_a_request(names, first, list);
      take(get("/api/v1/fit?names=" + list, token), all);
      first += count;
    }
    return all;
  }

  Json get(const std::string& target, const std::string& token) const {
    const HttpReply reply = http_get(server_, target, token, timeout_s_);
    Json json = Json::parse(reply.body, nullptr, false);
    if (reply.status == 200 && json.is_object()) return json;
    std::string why = fmt::format("status {}", reply.status);
    if (json.is_object() && json.contains("error") && json["error"].is_object()) {
      why += ": " + untrusted_text(json["error"].value("message", std::string()));
    }
    throw Error(
        ErrorKind::unreadable_input,
        fmt::format("the monitor at {} refused the request: {}", untrusted_text(server_), why));
  }

  static void take(const Json& json, std::vector<FitAnswer>& all) {
    try {
      for (const Json& node : json.at("nodes")) all.push_back(answer_of(node));
    } catch (const Json::exception&) {
      throw Error(ErrorKind::unreadable_input,
                  "cannot parse the reply of the monitor; check that both programs have the same "
                  "version");
    }
  }

  int print_line(const std::vector<FitAnswer>& answers) const {
    write_answer(
        output_, json_, [&] { return fit_text(answers); },
        [&] {
          JsonWriter json;
          json.begin_object();
          write_fit(json, answers);
          return dump_json(nlohmann::ordered_json::parse(json.end_object().take()));
        });
    const FitCounts counts = counts_of(answers);
    return counts.no + counts.unknown == 0 ? 0 : static_cast<int>(ErrorKind::verification_failed);
  }

  int report_nagios(const std::vector<FitAnswer>& answers) const {
    const FitCounts counts = counts_of(answers);
    const PluginStatus status = counts.no != 0        ? PluginStatus::critical
                                : counts.unknown != 0 ? PluginStatus::unknown
                                : counts.watch != 0   ? PluginStatus::warning
                                                      : PluginStatus::ok;
    std::string text = fmt::format("{} fit, {} to watch, {} not fit, {} unknown", counts.yes,
                                   counts.watch, counts.no, counts.unknown);
    // Levels are ordered unknown < watch < no, but here unknown has precedence over watch.
    const Level worst = counts.no != 0        ? Level::bad
                        : counts.unknown != 0 ? Level::unknown
                                              : Level::watch;
    const auto first = std::ranges::find(answers, worst, &FitAnswer::level);
    if (first != answers.end()) {
      text += fmt::format("; {}: {}", first->name, fmt::join(first->reasons, "; "));
    }
    return report_nagios(status, std::move(text));
  }

  int report_nagios(PluginStatus status, std::string text) const {
    return answer_as_plugin(Report("monitor_fabric"), output_, status,
                            plugin_line("FIT", status, std::move(text)));
  }

  std::string hosts_, server_ = "http://127.0.0.1:9684", database_, token_file_, rule_;
  std::string output_ = "-";
  double timeout_s_ = 2;
  bool json_ = false, nagios_ = false;
};

}  // namespace

MonitorCommandPointer make_fit_command() { return std::make_unique<FitCommand>(); }

}  // namespace pssp
