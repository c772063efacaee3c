#include "evaluator/report/csv_report.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string>

#include "evaluator/metrics/run_quantities.h"

namespace pssp {
namespace {

class LineWriter {
 public:
  explicit LineWriter(const ContentSink& sink) : sink_(sink) {}

  template <class... Fields>
  void line(const Fields&... fields) {
    bool first = true;
    const auto add = [&](const auto& field) {
      if (!first) text_ += ',';
      first = false;
      add_field(field);
    };
    (add(fields), ...);
    text_ += '\n';
    if (text_.size() >= block) flush();
  }

  void flush() {
    sink_(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t block = std::size_t{1} << 16;

  template <class Field>
  void add_field(const Field& field) {
    fmt::format_to(std::back_inserter(text_), "{}", field);
  }
  void add_field(double value) {
    if (std::isfinite(value)) fmt::format_to(std::back_inserter(text_), "{}", value);
  }

  const ContentSink& sink_;
  std::string text_;
};

}  // namespace

void write_csv(std::span<const RunResult> runs, std::uint64_t first_run, const ContentSink& sink) {
  LineWriter writer(sink);
  writer.line("run", "flows", "unrouted", "levels", "bandwidth", "sum_max_cong", "dep_max_delay",
              "optimistic_bandwidth", "pessimistic_bandwidth");
  for (const RunResult& run : runs) {
    writer.line(first_run++, run.flows, run.unrouted, run.levels, RunQuantity::bandwidth.of(run),
                run.max_congestion_sum, run.delay, RunQuantity::optimistic_bandwidth.of(run),
                RunQuantity::pessimistic_bandwidth.of(run));
  }
  writer.flush();
}

void write_csv(std::span<const double> bisection_bandwidths, const ContentSink& sink) {
  LineWriter writer(sink);
  writer.line("bisection", "bandwidth");
  for (std::size_t i = 0; i < bisection_bandwidths.size(); ++i) {
    writer.line(i, bisection_bandwidths[i]);
  }
  writer.flush();
}

}  // namespace pssp
