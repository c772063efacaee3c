#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/json_text.h"
#include "base/text_table.h"
#include "monitor/store/retention_plan.h"
#include "tools/kit/report.h"
#include "tools/monitor_fabric/command.h"

namespace pssp {
namespace {

constexpr double gigabyte = 1024.0 * 1024 * 1024;

class PlanCommand final : public MonitorCommand {
 public:
  std::string name() const override { return "plan"; }
  std::string summary() const override {
    return "Estimates the size of the database, or the retention that fits a size";
  }

  void add_options(CommandLine& line) override {
    line.option("--ports", load_.ports, "Number of cabled ports of hosts and switches")
        .required()
        .range(1, 1e7)
        .type_name("N");
    line.option("--interval", load_.interval_s, "Seconds between sweeps")
        .range(1, 3600)
        .type_name("S")
        .show_default();
    line.option("--busy", busy_percent_, "Ports that carry traffic at the same time, in percent")
        .range(0, 100)
        .type_name("P")
        .show_default();
    line.option("--raw-hours", options_.raw_hours, "Hours for which single sweeps are kept")
        .range(1, 10'000)
        .show_default();
    line.option("--five-minutes-days", options_.five_minutes_days,
                "Days for which sums over five minutes are kept")
        .range(1, 10'000)
        .show_default();
    line.option("--hours-days", options_.hours_days, "Days for which hourly sums are kept")
        .range(1, 10'000)
        .show_default();
    line.option("--max-size", max_size_gb_,
                "Largest size of the database in GiB; retention is shortened until it fits")
        .range(0.01, 1e5)
        .type_name("GB");
    line.flag("--json", json_, "Write JSON");
    line.output(output_);
  }

  int run(const CommandLine&) override {
    load_.busy = busy_percent_ / 100;
    HistoryOptions options = options_;
    if (max_size_gb_) {
      options.max_bytes = static_cast<std::uint64_t>(*max_size_gb_ * gigabyte);
      options = fitting(load_, options);
    }
    const HistorySize size = history_size(load_, options);
    const bool fits = !max_size_gb_ || size.total() <= options.max_bytes;
    write_answer(
        output_, json_, [&] { return text(options, size, fits); },
        [&] { return json(options, size, fits); });
    return 0;
  }

 private:
  std::string text(const HistoryOptions& options, const HistorySize& size, bool fits) const {
    const std::array<std::string, history_levels> kept{
        fmt::format("{} h", options.raw_hours), fmt::format("{} d", options.five_minutes_days),
        fmt::format("{} d", options.hours_days)};
    const auto gigabytes = [](std::uint64_t bytes) {
      return fmt::format("{:.2f}", static_cast<double>(bytes) / gigabyte);
    };
    std::vector<TableRow> rows{{"level", "kept", "rows", "GB"}};
    for (std::size_t level = 0; level < history_levels; ++level) {
      rows.push_back({std::string(name_of(static_cast<HistoryLevel>(level))), kept[level],
                      fmt::to_string(size.rows[level]), gigabytes(size.bytes[level])});
    }
    rows.push_back({"all", "", "", gigabytes(size.total())});
    std::string text = text_table(rows);
    if (!fits) text += "even the shortest history exceeds --max-size\n";
    const double most = max_size_gb_
                            ? *max_size_gb_
                            : std::ceil(static_cast<double>(size.total()) / gigabyte * 1.1);
    text += fmt::format(
        "\n[store]\nmax_size_gb = {:.0f}\nraw_hours = {}\nfive_minutes_days = {}\nhours_days = "
        "{}\n",
        std::max(1.0, most), options.raw_hours, options.five_minutes_days, options.hours_days);
    return text;
  }

  std::string json(const HistoryOptions& options, const HistorySize& size, bool fits) const {
    nlohmann::ordered_json json;
    json["ports"] = load_.ports;
    json["interval_s"] = load_.interval_s;
    json["raw_hours"] = options.raw_hours;
    json["five_minutes_days"] = options.five_minutes_days;
    json["hours_days"] = options.hours_days;
    for (std::size_t level = 0; level < history_levels; ++level) {
      json["levels"].push_back({{"level", name_of(static_cast<HistoryLevel>(level))},
                                {"rows", size.rows[level]},
                                {"bytes", size.bytes[level]}});
    }
    json["bytes"] = size.total();
    json["fits"] = fits;
    return dump_json(json);
  }

  HistoryLoad load_;
  HistoryOptions options_;
  double busy_percent_ = 67;
  std::optional<double> max_size_gb_;
  bool json_ = false;
  std::string output_ = "-";
};

}  // namespace

MonitorCommandPointer make_plan_command() { return std::make_unique<PlanCommand>(); }

}  // namespace pssp
