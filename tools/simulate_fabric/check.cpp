// In a scenario, the variant without congestion control is `off`, the first with it `on`, and cells
// of the grid have their values. Figures without a run are skipped: a check of `--cc off` alone
// ignores `on`.

#include "tools/simulate_fabric/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "simulator/values.h"

namespace pssp {
namespace {

constexpr double bytes_of_giga = 1e9;

/// Bytes of a static flow in a part of the run, as a share of its sender's link. Uses only samples
/// within that part.
double share_in(const Simulation& simulation, const Variant& variant, std::size_t seed,
                std::size_t variant_number, std::size_t flow, SimulatedTime from,
                SimulatedTime to) {
  const SimulatedRun& run = simulation.runs[variant_number][seed];
  const Traffic& traffic = simulation.traffic[seed].traffic;
  const SimulatedTables& tables = simulation.tables_of(variant);
  const PortDirectory ports(tables.fabric, simulation.model);
  const auto& samples = run.outcome.flow_bytes_by_sample[flow];
  double bytes = 0;
  double seconds = 0;
  for (std::size_t i = 0; i < run.outcome.bytes_by_sample.size(); ++i) {
    const SimulatedTime start = static_cast<SimulatedTime>(i) * traffic.sample;
    if (start < from || start + traffic.sample > std::min(to, run.outcome.simulated)) continue;
    bytes += i < samples.size() ? static_cast<double>(samples[i]) : 0;
    seconds += static_cast<double>(traffic.sample) / double{picoseconds_per_second};
  }
  if (seconds == 0) return std::nan("");
  const std::uint32_t source = traffic.flows[flow].hosts.source;
  return bytes / seconds / ports.rate(ports.from_host(source));
}

class ReferenceCheck {
 public:
  explicit ReferenceCheck(const Simulation& simulation) : simulation_(simulation) {
    for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
      throughputs_.push_back(throughput_of(v));
    }
  }

  std::optional<double> found(const ReferenceFigure& figure) const {
    if (figure.quantity == "grid") return grid_figure(figure.row);
    const auto variant = variant_of(figure);
    if (!variant) return std::nullopt;
    if (figure.quantity == "throughput") return throughputs_[*variant] / bytes_of_giga;
    if (figure.quantity == "gain") return gain_of(*variant);
    if (figure.quantity == "gain_place") return place_of_gain(figure);
    if (figure.quantity == "of_best") {
      return throughputs_[*variant] / *std::ranges::max_element(throughputs_);
    }
    return share(figure, *variant);
  }

 private:
  std::optional<double> gain_of(std::size_t variant) const {
    const auto without = named("off");
    if (!without) return std::nullopt;
    return throughputs_[variant] / throughputs_[*without] - 1;
  }

  /// From 1 on, the largest first. The row contains the published gains of the others.
  std::optional<double> place_of_gain(const ReferenceFigure& figure) const {
    const auto variant = variant_of(figure);
    const auto gain = variant ? gain_of(*variant) : std::nullopt;
    if (!gain) return std::nullopt;
    double place = 1;
    std::istringstream others(figure.row);
    for (double other = 0; others >> other;) place += other > *gain ? 1 : 0;
    return place;
  }

  double throughput_of(std::size_t variant) const {
    std::vector<double> values;
    for (const SimulatedRun& run : simulation_.runs[variant]) {
      if (run.began) values.push_back(run.summary.throughput.mean);
    }
    return mean_of(values).mean;
  }

  std::optional<std::size_t> named(const std::string& column) const {
    for (std::size_t v = 0; v < simulation_.variants.size(); ++v) {
      const Variant& variant = simulation_.variants[v];
      if (variant.cell.empty() && (variant.set == "off") == (column == "off")) return v;
    }
    return std::nullopt;
  }

  std::optional<std::size_t> variant_of(const ReferenceFigure& figure) const {
    if (figure.column == "off" || figure.column == "on") return named(figure.column);
    for (std::size_t v = 0; v < simulation_.variants.size(); ++v) {
      const std::vector<std::string>& cell = simulation_.variants[v].cell;
      if (cell.size() == 2 && cell[0] == figure.row && cell[1] == figure.column) return v;
    }
    return std::nullopt;
  }

  std::optional<double> share(const ReferenceFigure& figure, std::size_t variant) const {
    std::vector<double> values;
    for (std::size_t seed = 0; seed < simulation_.seeds.size(); ++seed) {
      if (!simulation_.runs[variant][seed].began) continue;
      const Traffic& traffic = simulation_.traffic[seed].traffic;
      double sum = 0;
      for (std::size_t f = 0; f < traffic.flows.size(); ++f) {
        const bool counts = figure.quantity == "share_sum" ? !traffic.flows[f].victim
                                                           : sender(traffic.flows[f]) == figure.row;
        if (!counts) continue;
        sum += share_in(simulation_, simulation_.variants[variant], seed, variant, f,
                        figure.from.value_or(traffic.warmup), figure.to.value_or(traffic.duration));
      }
      if (!std::isnan(sum)) values.push_back(sum);
    }
    if (values.empty()) return std::nullopt;
    return mean_of(values).mean;
  }

  const std::string& sender(const StaticFlow& flow) const {
    const Fabric& fabric = simulation_.input.tables.front().fabric;
    return fabric.end_port(fabric.endpoints()[flow.hosts.source]).name;
  }

  /// Over all cells of the grid in the reference, compared with the published values.
  std::optional<double> grid_figure(const std::string& name) const {
    std::vector<double> published;
    std::vector<double> found_here;
    for (const ReferenceFigure& each : simulation_.input.reference) {
      if (each.quantity != "throughput" || each.column == "off" || each.column == "on") continue;
      const auto variant = variant_of(each);
      if (!variant) return std::nullopt;
      published.push_back(each.value);
      found_here.push_back(throughputs_[*variant] / bytes_of_giga);
    }
    if (published.size() < 2) return std::nullopt;
    if (name == "spearman") return rank_correlation(published, found_here);
    double sum = 0;
    double largest = 0;
    for (std::size_t i = 0; i < published.size(); ++i) {
      const double deviation = std::abs(found_here[i] / published[i] - 1);
      sum += deviation;
      largest = std::max(largest, deviation);
    }
    return name == "mean_deviation" ? sum / static_cast<double>(published.size()) : largest;
  }

  /// Ranks from 1 on; equal values share their mean rank.
  static std::vector<double> ranks_of(const std::vector<double>& values) {
    std::vector<double> ranks;
    for (const double value : values) {
      const auto below = std::ranges::count_if(values, [&](double other) { return other < value; });
      const auto equal = std::ranges::count(values, value);
      ranks.push_back(static_cast<double>(below) + static_cast<double>(equal + 1) / 2);
    }
    return ranks;
  }

  /// Spearman's correlation: Pearson's correlation of the ranks.
  static double rank_correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const std::vector<double> x = ranks_of(a);
    const std::vector<double> y = ranks_of(b);
    const double middle = static_cast<double>(a.size() + 1) / 2;
    double both = 0;
    double of_x = 0;
    double of_y = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      both += (x[i] - middle) * (y[i] - middle);
      of_x += (x[i] - middle) * (x[i] - middle);
      of_y += (y[i] - middle) * (y[i] - middle);
    }
    return of_x == 0 || of_y == 0 ? 0 : both / std::sqrt(of_x * of_y);
  }

  const Simulation& simulation_;
  std::vector<double> throughputs_;
};

void check_reference(const Simulation& simulation, std::vector<CheckedFigure>& checked) {
  const ReferenceCheck check(simulation);
  const std::string marking =
      simulation.model.marking == Marking::every_nth ? "every-nth" : "unmarked-between";
  for (const ReferenceFigure& each : simulation.input.reference) {
    if (each.marking != "any" && each.marking != marking) continue;
    const auto found = check.found(each);
    if (!found) continue;
    CheckedFigure figure;
    figure.is_rank = each.quantity == "gain_place";
    figure.what =
        figure.is_rank ? "rank of the gain" : fmt::format("{} {}", each.quantity, each.row);
    if (each.from && each.to) {
      figure.what += fmt::format(" ({} .. {})", time_text(*each.from), time_text(*each.to));
    }
    figure.run = each.column;
    figure.source = each.source;
    figure.unit = each.unit;
    figure.expected = each.value;
    figure.found = *found;
    figure.least = each.least;
    figure.most = each.most;
    figure.passes = each.is_within(*found);
    checked.push_back(std::move(figure));
  }
}

/// The first flow of a seed with the label or, without a label, from the host of that name. Random
/// sets have other flows with each seed; its existence was checked when the file was read with that
/// seed.
std::size_t flow_of(const Simulation& simulation, std::size_t seed, const std::string& label) {
  const std::vector<StaticFlow>& flows = simulation.traffic[seed].traffic.flows;
  const Fabric& fabric = simulation.input.tables.front().fabric;
  const auto found = std::ranges::find_if(flows, [&](const StaticFlow& flow) {
    return flow.label == label ||
           (flow.label.empty() &&
            fabric.end_port(fabric.endpoints()[flow.hosts.source]).name == label);
  });
  return static_cast<std::size_t>(found - flows.begin());
}

void check_expectations(const Simulation& simulation, std::vector<CheckedFigure>& checked) {
  for (const Expectation& each : simulation.traffic.front().expectations) {
    for (std::size_t v = 0; v < simulation.variants.size(); ++v) {
      std::vector<double> values;
      for (std::size_t seed = 0; seed < simulation.seeds.size(); ++seed) {
        const SimulatedRun& run = simulation.runs[v][seed];
        if (!run.began) continue;
        values.push_back(each.label.empty()
                             ? run.summary.throughput.mean / bytes_of_giga
                             : run.summary.flows[flow_of(simulation, seed, each.label)].share);
      }
      if (values.empty()) continue;
      CheckedFigure figure;
      figure.what = each.label.empty() ? "throughput all" : "share " + each.label;
      figure.run = simulation.variants[v].name;
      figure.source = fmt::format("{}:{}", simulation.input.traffic.front().name, each.line);
      figure.unit = each.label.empty() ? "GByte/s" : "host link";
      figure.expected = each.label.empty() ? each.value / bytes_of_giga : each.value;
      figure.found = mean_of(values).mean;
      figure.least = figure.expected * (1 - each.within);
      figure.most = figure.expected * (1 + each.within);
      figure.passes = figure.found >= *figure.least && figure.found <= *figure.most;
      checked.push_back(std::move(figure));
    }
  }
}

}  // namespace

std::string CheckedFigure::verdict() const {
  if (is_rank) return found == expected ? "order ok" : "order fails";
  if (!passes) return "OUT OF RANGE";
  // If only the sign was compared, nothing else is reported.
  return least == 0.0 && !most ? "sign ok" : "ok";
}

std::vector<CheckedFigure> check_simulation(const Simulation& simulation) {
  std::vector<CheckedFigure> checked;
  check_expectations(simulation, checked);
  check_reference(simulation, checked);
  return checked;
}

}  // namespace pssp
