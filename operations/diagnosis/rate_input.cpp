// One reader a format, and what they share: who is meant by a name, which rates are rates, and that
// rounds of different files are different rounds.

#include "operations/diagnosis/rate_input.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/error.h"
#include "base/shown.h"
#include "base/text_lines.h"

namespace pssp {

class RateFileReader {
 public:
  RateFileReader(RateInput& input, std::string_view text, std::string_view name)
      : input_(input), name_(name), lines_(text, name) {}

  void read_plain();
  void read_mpigraph();
  void read_nccl();
  void read_perftest();

 private:
  /// What a name stands for: one end port, or a node with all its rails.
  struct End {
    std::optional<std::uint32_t> rank, node;
  };
  struct NcclRun {
    std::vector<std::string> hosts;  // in the order of their first ranks
    std::size_t ranks = 0, begun_at = 0;
    std::optional<double> bandwidth;
  };

  std::optional<End> end_of(std::string_view text);
  /// Nothing where the rate is 0, which is counted.
  std::optional<double> rate_of(std::string_view text);
  std::optional<RateMeasurement> between(const End& from, const End& to, bool both_ways);
  void keep(RateMeasurement measurement, std::uint32_t round, double rate);
  std::uint32_t round_of(std::uint64_t number);

  std::vector<std::string_view> cells() const;
  std::vector<std::string_view> words_of_line() const;
  void take_table(std::vector<std::string>& names,
                  std::map<std::pair<std::size_t, std::size_t>, double>& rates, bool is_received);
  void finish_nccl(NcclRun& run);

  RateInput& input_;
  std::string name_;
  TextLines lines_;
  std::map<std::uint64_t, std::uint32_t> rounds_;
};

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
      input_.first_unknown_ = fmt::format("'{}' at {}:{}", shown(text), name_, lines_.number());
    }
    return std::nullopt;
  }
  lines_.fail(fmt::format(
      "'{}' is no node or adapter of this fabric{}; --skip-unknown passes over such rates",
      shown(text), rails.nearest_in_words(text)));
}

std::optional<double> RateFileReader::rate_of(std::string_view text) {
  const std::optional<double> rate = decimal_fraction(text);
  if (!rate) {
    lines_.fail(fmt::format("'{}' is no rate: expected a decimal number that is not negative",
                            shown(text)));
  }
  if (*rate > 0) return rate;
  if (input_.zeros_++ == 0) input_.first_zero_ = fmt::format("{}:{}", name_, lines_.number());
  return std::nullopt;
}

std::optional<RateMeasurement> RateFileReader::between(const End& from, const End& to,
                                                       bool both_ways) {
  if (from.rank.has_value() != to.rank.has_value()) {
    lines_.fail(
        "one side is an adapter and the other one a node with several: name the adapters "
        "of both, or both nodes");
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
  const RoundShape shape = both_ways ? RoundShape::both_ways : RoundShape::one_way;
  measurement.flows = flows_of(units, {0, 1}, shape);
  if (measurement.flows.empty()) lines_.fail("the two nodes have no rail in common");
  measurement.width = static_cast<double>(measurement.flows.size()) / (both_ways ? 2 : 1);
  return measurement;
}

void RateFileReader::keep(RateMeasurement measurement, std::uint32_t round, double rate) {
  measurement.round = round;
  measurement.rate = rate;
  input_.measurements_.push_back(std::move(measurement));
}

std::uint32_t RateFileReader::round_of(std::uint64_t number) {
  const auto [place, is_new] = rounds_.try_emplace(number, input_.next_round_);
  if (is_new) ++input_.next_round_;
  return place->second;
}

void RateFileReader::read_plain() {
  while (lines_.next()) {
    std::string_view line = trimmed(lines_.line().substr(0, lines_.line().find('#')));
    if (line.empty()) continue;
    std::string_view round_text = take_word(line);
    const std::string_view from = take_word(line = without_indent(line));
    const std::string_view to = take_word(line = without_indent(line));
    const std::string_view rate_text = take_word(line = without_indent(line));
    const auto round = take_number(round_text);
    if (!round || !round_text.empty() || rate_text.empty() || !trimmed(line).empty()) {
      lines_.fail(
          fmt::format("'{}': expected a line 'round source destination rate', or the "
                      "output of mpiGraph, nccl-tests or ib_write_bw",
                      shown(lines_.line())));
    }
    const std::optional<double> rate = rate_of(rate_text);
    const std::optional<End> source = end_of(from), destination = end_of(to);
    if (!rate || !source || !destination) continue;
    if (auto measurement = between(*source, *destination, input_.options_.both_ways)) {
      keep(std::move(*measurement), round_of(*round), *rate);
    }
  }
}

std::vector<std::string_view> RateFileReader::cells() const {
  std::vector<std::string_view> found;
  std::string_view rest = lines_.line();
  for (;;) {
    const std::size_t tab = rest.find('\t');
    const std::string_view cell = trimmed(rest.substr(0, tab));
    // Each row ends with a tab.
    if (tab == std::string_view::npos && cell.empty()) return found;
    found.push_back(cell);
    if (tab == std::string_view::npos) return found;
    rest.remove_prefix(tab + 1);
  }
}

std::vector<std::string_view> RateFileReader::words_of_line() const {
  std::vector<std::string_view> words;
  for (std::string_view rest = lines_.line(); !(rest = without_indent(rest)).empty();) {
    words.push_back(take_word(rest));
  }
  return words;
}

void RateFileReader::take_table(std::vector<std::string>& names,
                                std::map<std::pair<std::size_t, std::size_t>, double>& rates,
                                bool is_received) {
  const std::vector<std::string_view> header = cells();
  const std::size_t count = header.size() - 1;
  const std::size_t begun_at = lines_.number();
  if (names.empty()) names.assign(header.begin() + 1, header.end());
  if (names.size() != count || !std::equal(names.begin(), names.end(), header.begin() + 1)) {
    lines_.fail("the table has other columns than the one before");
  }
  for (std::size_t row = 0; row < count; ++row) {
    if (!lines_.next()) {
      lines_.fail(
          fmt::format("the table that begins in line {} has {} rows and {} columns: it is "
                      "cut off",
                      begun_at, row, count));
    }
    const std::vector<std::string_view> cell = cells();
    if (cell.size() != count + 1) {
      lines_.fail(
          fmt::format("the row has {} values: expected {}, as many as there are columns; is the "
                      "table cut off?",
                      cell.empty() ? 0 : cell.size() - 1, count));
    }
    for (std::size_t column = 0; column < count; ++column) {
      if (column == row) continue;
      const std::optional<double> rate = rate_of(cell[column + 1]);
      if (!rate) continue;
      const auto flow = is_received ? std::pair(column, row) : std::pair(row, column);
      const auto [place, is_new] = rates.try_emplace(flow, *rate);
      if (!is_new) place->second = std::min(place->second, *rate);
    }
  }
}

void RateFileReader::read_mpigraph() {
  std::vector<std::string> names;
  std::map<std::pair<std::size_t, std::size_t>, double> rates;
  std::vector<std::optional<End>> ends;
  while (lines_.next()) {
    const bool is_sent = lines_.line().starts_with("Send\t");
    if (!is_sent && !lines_.line().starts_with("Recv\t")) continue;
    if (ends.empty()) {
      for (const std::string_view cell : cells()) {
        // "name:rank"; the first cell is the name of the table.
        if (cell != "Send" && cell != "Recv")
          ends.push_back(end_of(cell.substr(0, cell.rfind(':'))));
      }
    }
    take_table(names, rates, !is_sent);
  }
  if (names.empty()) lines_.fail("there is no table of mpiGraph ('Send' or 'Recv'): it is cut off");
  for (const auto& [flow, rate] : rates) {
    const auto& [from, to] = flow;
    // Ranks of one node measure its memory.
    const bool is_known = ends[from] && ends[to];
    if (!is_known || (ends[from]->rank == ends[to]->rank && ends[from]->node == ends[to]->node))
      continue;
    const std::size_t shift = (to + names.size() - from) % names.size();
    if (auto measurement = between(*ends[from], *ends[to], false)) {
      keep(std::move(*measurement), round_of(shift), rate);
    }
  }
}

void RateFileReader::finish_nccl(NcclRun& run) {
  if (run.ranks == 0) return;
  if (!run.bandwidth) {
    fail_at(name_, run.begun_at, "this run has no result: the log is cut off, or the run failed");
  }
  if (run.hosts.size() != 2) {
    fail_at(name_, run.begun_at,
            fmt::format("this run is of {} node{}: expected runs of two nodes each, since the rate "
                        "of a ring of more is that of its slowest part, wherever that is "
                        "(plan_pairs --as nccl makes such runs)",
                        run.hosts.size(), run.hosts.size() == 1 ? "" : "s"));
  }
  const std::optional<End> from = end_of(run.hosts[0]), to = end_of(run.hosts[1]);
  if (*run.bandwidth > 0 && from && to) {
    if (auto measurement = between(*from, *to, true)) {
      keep(std::move(*measurement), input_.next_round_++, *run.bandwidth);
    }
  }
  run = {};
}

void RateFileReader::read_nccl() {
  NcclRun run;
  while (lines_.next()) {
    const std::vector<std::string_view> words = words_of_line();
    if (words.size() > 2 && words[0] == "#" && words[1] == "Rank") {
      // Ranks behind a result are those of the next run.
      if (run.bandwidth) finish_nccl(run);
      if (run.ranks++ == 0) run.begun_at = lines_.number();
      const auto on = std::ranges::find(words, "on");
      if (on == words.end() || on + 1 == words.end())
        lines_.fail("expected '# Rank n ... on HOST'");
      std::string host(*(on + 1));
      if (std::ranges::find(run.hosts, host) == run.hosts.end())
        run.hosts.push_back(std::move(host));
    } else if (words.size() >= 8 && is_digit(words[0].front()) && run.ranks != 0) {
      // size count type redop root time algbw busbw; larger sizes follow.
      run.bandwidth = rate_of(words[7]).value_or(0);
    }
  }
  finish_nccl(run);
}

void RateFileReader::read_perftest() {
  constexpr double gigabits_of_megabytes = 8 * 1.048576 / 1000;
  std::optional<std::uint64_t> local, remote;
  double rate = -1;  // none
  double unit = 1;
  bool is_table = false;
  std::size_t begun_at = 0;
  const auto finish = [&] {
    if (!local) return;
    if (rate < 0 || !remote) {
      fail_at(name_, begun_at, "this run has no result: the log is cut off, or the run failed");
    }
    const std::optional<End> from = end_of(fmt::format("lid:{}", *local));
    const std::optional<End> to = end_of(fmt::format("lid:{}", *remote));
    if (from && to && rate > 0) {
      if (auto measurement = between(*from, *to, false)) {
        keep(std::move(*measurement), input_.next_round_++, rate);
      }
    }
    local = remote = std::nullopt;
    rate = -1;
    is_table = false;
  };
  const auto take_lid = [&](std::string_view line) {
    const std::size_t place = line.find("LID ");
    std::string_view digits = place == std::string_view::npos ? "" : line.substr(place + 4);
    const auto lid = take_c_number(digits);
    if (!lid) {
      lines_.fail(
          "expected an address with a LID: RoCE has none, write lines 'round source "
          "destination rate'");
    }
    return *lid;
  };
  while (lines_.next()) {
    std::string_view line = trimmed(lines_.line());
    if (line.starts_with("local address:")) {
      // Several queue pairs have the same LID.
      if (rate >= 0) finish();
      if (!local) begun_at = lines_.number();
      local = take_lid(line);
    } else if (line.starts_with("remote address:")) {
      remote = take_lid(line);
    } else if (line.starts_with("#bytes")) {
      is_table = true;
      unit = line.find("[Gb/sec]") != std::string_view::npos ? 1 : gigabits_of_megabytes;
    } else if (is_table && !line.empty() && is_digit(line.front())) {
      const std::vector<std::string_view> words = words_of_line();
      if (words.size() < 4) lines_.fail("expected #bytes, #iterations, BW peak and BW average");
      rate = rate_of(words[3]).value_or(0) * unit;
    }
  }
  finish();
}

void RateInput::add(std::string_view text, std::string_view name) {
  RateFileReader reader(*this, text, name);
  const auto has = [text](std::string_view part) {
    return text.find(part) != std::string_view::npos;
  };
  const std::size_t before = measurements_.size();
  if (text.starts_with("START mpiGraph") || has("\nSTART mpiGraph") || text.starts_with("Send\t") ||
      has("\nSend\t") || has("\nRecv\t")) {
    reader.read_mpigraph();
  } else if (has("local address:")) {
    reader.read_perftest();
  } else if (has("# ") && has("busbw") && has(" Rank ")) {
    reader.read_nccl();
  } else if (has("lusterkit") || has("lusterKit")) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: results of ClusterKit are not read: write lines 'round source "
                            "destination rate' of its pairs",
                            shown(name)));
  } else {
    reader.read_plain();
  }
  if (measurements_.size() == before && unknown_ == 0 && zeros_ == 0) {
    throw Error(ErrorKind::unreadable_input,
                fmt::format("{}: there is no rate in it", shown(name)));
  }
}

std::vector<std::string> RateInput::warnings() const {
  std::vector<std::string> texts;
  if (unknown_ != 0) {
    texts.push_back(
        fmt::format("{} names of no node of this fabric are passed over, the first one {}",
                    unknown_, first_unknown_));
  }
  if (zeros_ != 0) {
    texts.push_back(
        fmt::format("{} rates of 0 are left out (nothing was measured), the first one at {}",
                    zeros_, first_zero_));
  }
  return texts;
}

}  // namespace pssp
