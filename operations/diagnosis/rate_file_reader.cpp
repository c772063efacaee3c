// Shared by the readers of all formats: resolves names, checks rates and units, separates rounds of
// different files, and parses lines of rates.

#include "operations/diagnosis/rate_file_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/printable.h"

namespace pssp {

std::optional<RateFileReader::End> RateFileReader::end_of(std::string_view text) {
  const NodeRails& rails = input_.nodes_.rails();
  std::string_view digits = text;
  if (take(digits, "lid:")) {
    const auto lid = take_number(digits);
    const auto rank = lid && digits.empty() && *lid <= last_unicast_lid
                          ? input_.nodes_.rank_of_lid(static_cast<Lid>(*lid))
                          : std::nullopt;
    if (rank) return End{rank, {}};
  } else if (const auto port = rails.find_port(text)) {
    return End{input_.nodes_.rank_of(*port), {}};
  } else if (const auto node = rails.find(text)) {
    return End{{}, node};
  }
  if (input_.options_.skip_unknown) {
    if (input_.unknown_++ == 0) {
      input_.first_unknown_ = fmt::format("'{}' at {}:{}", excerpt(text), name_, lines_.number());
    }
    return std::nullopt;
  }
  lines_.fail(fmt::format(
      "'{}' is not a node or adapter of this fabric{}; --skip-unknown ignores such rates",
      excerpt(text), rails.nearest_text(text)));
}

std::optional<double> RateFileReader::rate_of(std::string_view text) {
  constexpr double least = 1e-18, most = 1e18;
  const std::optional<double> rate = decimal_fraction(text);
  if (!rate || *rate > most || (*rate > 0 && *rate < least)) {
    lines_.fail(fmt::format("invalid rate '{}': expected a decimal number that is not negative",
                            excerpt(text)));
  }
  if (*rate > 0) return rate;
  if (input_.zeros_++ == 0) input_.first_zero_ = fmt::format("{}:{}", name_, lines_.number());
  return std::nullopt;
}

std::optional<RateMeasurement> RateFileReader::between(const End& from, const End& to,
                                                       bool both_ways) {
  if (from.rank.has_value() != to.rank.has_value()) {
    lines_.fail(
        "one end is an adapter and the other a node with several adapters: name two adapters or "
        "two nodes");
  }
  RateMeasurement measurement;
  if (from.rank) {
    if (*from.rank == *to.rank) lines_.fail("source and destination are the same");
    measurement.flows.push_back({*from.rank, *to.rank});
    if (both_ways) measurement.flows.push_back({*to.rank, *from.rank});
    return measurement;
  }
  if (*from.node == *to.node) lines_.fail("source and destination are the same");
  const std::vector<std::uint32_t> pair{*from.node, *to.node};
  const std::vector<MeasuredUnit> units = input_.nodes_.units(pair, true);
  const RoundShape shape = both_ways ? RoundShape::both_ways : RoundShape::one_direction;
  measurement.flows = flows_of(units, {0, 1}, shape);
  if (measurement.flows.empty()) lines_.fail("the two nodes have no rail in common");
  measurement.width = static_cast<double>(measurement.flows.size()) / (both_ways ? 2 : 1);
  return measurement;
}

double RateFileReader::common_unit(const RateUnit& unit) {
  RateUnit& common = input_.unit_;
  if (input_.measurements_.empty()) common = unit;
  if (unit == common) return 1;
  if (!unit.is_known() || !common.is_known()) {
    lines_.fail(
        fmt::format("some lines have rates in {}, and others have no unit: add a line such as '# "
                    "unit Gbit/s' to their files, or use --unit",
                    unit.is_known() ? unit.name : common.name));
  }
  const RateUnit before = std::exchange(common, gigabits_per_second());
  for (RateMeasurement& each : input_.measurements_) each.rate *= before.gigabits;
  return unit.gigabits;
}

void RateFileReader::keep(RateMeasurement measurement, std::uint32_t round, double rate,
                          const RateUnit& unit) {
  measurement.round = round;
  measurement.rate = rate * common_unit(unit);
  input_.measurements_.push_back(std::move(measurement));
}

std::uint32_t RateFileReader::round_of(std::uint64_t number) {
  const auto [place, is_new] = rounds_.try_emplace(number, input_.next_round_);
  if (is_new) ++input_.next_round_;
  return place->second;
}

void RateFileReader::refuse_program() const {
  struct Sign {
    std::string_view program, detail, meaning;  // a line contains both texts
  };
  constexpr std::string_view without_nodes =
      "the output names no nodes: write lines 'round source destination rate'";
  constexpr std::string_view without_addresses =
      "the output contains no addresses ('local address: LID'): keep the complete output";
  constexpr std::array<Sign, 11> signs{
      {{"OSU MPI", "Latency", "latencies are not rates: measure the bandwidth of pairs"},
       {"OSU MPI", "Multi",
        "this test adds up the rates of all pairs: measure each pair separately"},
       {"OSU MPI", "Bi-Directional",
        "the output names no nodes: write lines 'round source destination rate' with half of the "
        "rate, which is the sum of both directions"},
       {"OSU MPI", "", without_nodes},
       {"Latency Test", "",
        "latencies are not rates: measure with ib_write_bw, ib_read_bw or ib_send_bw"},
       {"BW Test", "", without_addresses},
       {"BW average[", "", without_addresses},
       {"busbw", "",
        "the output names no nodes ('# Rank 0 ... on HOST'): keep the complete output"},
       {"iperf", "", without_nodes},
       {"[ ID] Interval", "", without_nodes},
       {"lusterKit", "",
        "results of ClusterKit cannot be read: write lines 'round source destination rate' for its "
        "pairs"}}};
  TextLines lines(text_, name_);
  while (lines.next()) {
    const auto sign = std::ranges::find_if(signs, [&](const Sign& each) {
      return lines.line().find(each.program) != std::string_view::npos &&
             lines.line().find(each.detail) != std::string_view::npos;
    });
    if (sign == signs.end()) continue;
    lines.fail(fmt::format("'{}': {}", excerpt(trimmed(lines.line())), sign->meaning));
  }
}

void RateFileReader::refuse_line() const {
  refuse_program();
  lines_.fail(
      fmt::format("'{}': expected a line 'round source destination rate', or the output "
                  "of mpiGraph, nccl-tests or ib_write_bw",
                  excerpt(lines_.line())));
}

/// The text after `# lid 3 -> 7`, which plan_pairs writes after a pair: empty for other comments.
std::string_view behind_lids(std::string_view comment) {
  for (const std::string_view word : {"#", "lid", "", "->", ""}) {
    comment = without_indent(comment);
    if (word.empty() ? !take_number(comment) : !take(comment, word)) return {};
  }
  return trimmed(comment.substr(0, comment.find('#')));
}

/// The rate of a pair: `words` follow its names, and `comment` follows them. Users may append a
/// rate to the line of a plan, which is after the comment.
std::string_view RateFileReader::rate_text_of(std::string_view words,
                                              std::string_view comment) const {
  const std::string_view added = behind_lids(comment);
  std::string_view rest = added;
  const bool is_added = decimal_fraction(take_word(rest)).has_value();
  if (words.empty() && added.empty()) {
    refuse_program();
    lines_.fail(fmt::format(
        "'{}' has no rate: append the rate to the line, or remove the line if nothing was measured",
        excerpt(trimmed(lines_.line()))));
  }
  if (!words.empty() && is_added) {
    lines_.fail(fmt::format("two rates, {} and {}: expected one rate, before or after the comment",
                            excerpt(words), excerpt(added)));
  }
  const std::string_view text = words.empty() ? added : words;
  rest = text;
  take_word(rest);
  if (!trimmed(rest).empty() || (words.empty() && !is_added)) {
    refuse_program();
    lines_.fail(
        fmt::format("'{}' is not one rate: expected a decimal number; state the unit in an earlier "
                    "line, '# unit Gbit/s'",
                    excerpt(text)));
  }
  return text;
}

void RateFileReader::read_plain() {
  RateUnit unit = input_.options_.unit;
  while (lines_.next()) {
    std::string_view comment = trimmed(lines_.line());
    if (take(comment, "#") && take(comment = without_indent(comment), "unit ")) {
      const std::optional<RateUnit> stated = parse_rate_unit(trimmed(comment));
      if (!stated) {
        lines_.fail(
            fmt::format("unknown unit '{}': expected a unit such as Gbit/s, GB/s, MB/s or MiB/s",
                        excerpt(trimmed(comment))));
      }
      unit = *stated;
      continue;
    }
    const std::size_t end = std::min(lines_.line().find('#'), lines_.line().size());
    std::string_view line = trimmed(lines_.line().substr(0, end));
    if (line.empty()) continue;
    std::string_view round_text = take_word(line);
    const std::string_view from = take_word(line = without_indent(line));
    const std::string_view to = take_word(line = without_indent(line));
    const auto round = take_number(round_text);
    if (!round || !round_text.empty() || to.empty()) refuse_line();
    const std::optional<double> rate =
        rate_of(rate_text_of(trimmed(line), lines_.line().substr(end)));
    const std::optional<End> source = end_of(from), destination = end_of(to);
    if (!rate || !source || !destination) continue;
    if (auto measurement = between(*source, *destination, input_.options_.both_ways)) {
      keep(std::move(*measurement), round_of(*round), *rate, unit);
    }
  }
}

}  // namespace pssp
