// Parses output of mpiGraph, nccl-tests and perftest. Titles and column heads specify the quantity,
// the unit and the direction; unspecified cases are rejected.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/printable.h"
#include "operations/diagnosis/rate_file_reader.h"

namespace pssp {

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

std::vector<std::string_view> RateFileReader::tokens_of_line() const {
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
    lines_.fail("the columns of this table differ from those of the previous table");
  }
  for (std::size_t row = 0; row < count; ++row) {
    if (!lines_.next()) {
      lines_.fail(
          fmt::format("the table that begins in line {} is cut off: it has {} rows, but {} columns",
                      begun_at, row, count));
    }
    const std::vector<std::string_view> cell = cells();
    if (cell.size() != count + 1) {
      lines_.fail(
          fmt::format("the row has {} values: expected {}, one for each column; check that the "
                      "table is not cut off",
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
  if (names.empty())
    lines_.fail("no table of mpiGraph ('Send' or 'Recv') found: keep the complete output");
  // "MB/sec" means 2^20 bytes per second here.
  const RateUnit unit = *parse_rate_unit("MiB/s");
  for (const auto& [flow, rate] : rates) {
    const auto& [from, to] = flow;
    // Ranks of one node measure its memory.
    const bool is_known = ends[from] && ends[to];
    if (!is_known || (ends[from]->rank == ends[to]->rank && ends[from]->node == ends[to]->node))
      continue;
    const std::size_t shift = (to + names.size() - from) % names.size();
    if (auto measurement = between(*ends[from], *ends[to], false)) {
      keep(std::move(*measurement), round_of(shift), rate, unit);
    }
  }
}

void RateFileReader::finish_nccl(NcclRun& run) {
  if (run.ranks == 0) return;
  if (!run.bandwidth) {
    fail_at(name_, run.begun_at, "this run has no result: the log is cut off, or the run failed");
  }
  if (run.hosts.size() != 2) {
    fail_at(
        name_, run.begun_at,
        fmt::format(
            "this run has {} node{}: expected runs of two nodes each, because the slowest part of "
            "a longer ring determines its rate (pssp plan-pairs --as nccl plans runs of two nodes)",
            run.hosts.size(), run.hosts.size() == 1 ? "" : "s"));
  }
  const std::optional<End> from = end_of(run.hosts[0]), to = end_of(run.hosts[1]);
  if (*run.bandwidth > 0 && from && to) {
    if (auto measurement = between(*from, *to, true)) {
      keep(std::move(*measurement), input_.next_round_++, *run.bandwidth, *parse_rate_unit("GB/s"));
    }
  }
  run = {};
}

void RateFileReader::take_nccl_head(const std::vector<std::string_view>& words, NcclRun& run) {
  const auto at = std::ranges::find(words, "busbw");
  // A single '#' is not a column.
  run.column = static_cast<std::size_t>(at - words.begin()) - (words[0] == "#" ? 1 : 0);
}

void RateFileReader::read_nccl() {
  NcclRun run;
  while (lines_.next()) {
    const std::vector<std::string_view> words = tokens_of_line();
    if (words.size() > 2 && words[0] == "#" && words[1] == "Rank") {
      // Ranks after a result belong to the next run.
      if (run.bandwidth) finish_nccl(run);
      if (run.ranks++ == 0) run.begun_at = lines_.number();
      const auto on = std::ranges::find(words, "on");
      if (on == words.end() || on + 1 == words.end())
        lines_.fail("expected '# Rank n ... on HOST'");
      std::string host(*(on + 1));
      if (std::ranges::find(run.hosts, host) == run.hosts.end())
        run.hosts.push_back(std::move(host));
    } else if (words.size() > 4 && words[1] == "Collective" && words[3] == "starting:") {
      refuse_nccl_test(words[4]);
    } else if (std::ranges::find(words, "busbw") != words.end() && words[0].starts_with('#')) {
      take_nccl_head(words, run);
    } else if (words.size() > 2 && words[0].starts_with('#') && words[1] == "(B)") {
      const bool is_in_gigabytes = std::ranges::find(words, "(GB/s)") != words.end();
      if (!is_in_gigabytes) lines_.fail("the bandwidths are not in GB/s");
    } else if (run.column != 0 && words.size() > run.column && is_digit(words[0].front()) &&
               run.ranks != 0) {
      std::string_view digits = words[0];
      const std::uint64_t size = take_number(digits).value_or(0);
      if (!run.bandwidth || size >= run.size) {
        run.size = size;
        run.bandwidth = rate_of(words[run.column]).value_or(0);
      }
    }
  }
  finish_nccl(run);
}

void RateFileReader::refuse_nccl_test(std::string_view test) const {
  // Operations whose bus bandwidth is what a node sends, and receives, over all its adapters.
  for (const std::string_view each : {"all_reduce", "all_gather", "reduce_scatter"}) {
    if (test.find(each) != std::string_view::npos) return;
  }
  lines_.fail(
      fmt::format("'{}': the bus bandwidth of this test is not the rate between two nodes: use "
                  "all_reduce_perf, all_gather_perf or reduce_scatter_perf",
                  excerpt(test)));
}

void RateFileReader::take_perftest_title(std::string_view title, PerftestRun& run) {
  const auto has = [title](std::string_view part) {
    return title.find(part) != std::string_view::npos;
  };
  if (has("Latency")) {
    lines_.fail(
        fmt::format("'{}' measures latencies, not rates: omit this log, and measure with "
                    "ib_write_bw, ib_read_bw or ib_send_bw",
                    excerpt(title)));
  }
  const bool is_read = title.starts_with("RDMA_Read");
  if (!has("BW") || !(is_read || title.starts_with("RDMA_Write") || title.starts_with("Send"))) {
    lines_.fail(fmt::format(
        "unsupported test '{}': expected the log of ib_write_bw, ib_read_bw or ib_send_bw",
        excerpt(title)));
  }
  run.has_title = true;
  run.is_both_directions = has("Bidirectional");
  if (is_read) run.is_backwards = !run.is_backwards;
}

std::uint64_t RateFileReader::perftest_lid(std::string_view line) const {
  const std::size_t place = line.find("LID ");
  std::string_view digits = place == std::string_view::npos ? "" : line.substr(place + 4);
  const auto lid = take_c_number(digits);
  if (!lid) {
    lines_.fail(
        "expected an address with a LID; for RoCE, which has no LIDs, write lines 'round source "
        "destination rate'");
  }
  return *lid;
}

void RateFileReader::take_perftest_head(std::string_view line, PerftestRun& run) {
  constexpr std::string_view average = "BW average[";
  const std::size_t place = line.find(average);
  if (place == std::string_view::npos) {
    lines_.fail(
        fmt::format("'{}' has no column 'BW average': expected the log of ib_write_bw, "
                    "ib_read_bw or ib_send_bw",
                    excerpt(line)));
  }
  // Each column ends with a blank, and "BW peak" contains one.
  run.column = 0;
  std::string_view before = line.substr(0, place);
  while (!(before = without_indent(before)).empty()) {
    if (take_word(before) != "BW") ++run.column;
  }
  const std::string_view behind = line.substr(place + average.size());
  const std::string_view name = behind.substr(0, behind.find(']'));
  // Its megabytes have 2^20 bytes, regardless of the name.
  const std::optional<RateUnit> unit = parse_rate_unit(name == "MB/sec" ? "MiB/sec" : name);
  if (!unit) lines_.fail(fmt::format("unknown unit '{}'", excerpt(name)));
  run.unit = *unit;
}

void RateFileReader::take_perftest_row(PerftestRun& run) {
  const std::vector<std::string_view> words = tokens_of_line();
  if (words.size() <= run.column) {
    lines_.fail("expected #bytes, #iterations, BW peak and BW average");
  }
  std::string_view digits = words[0];
  const std::uint64_t size = take_number(digits).value_or(0);
  if (run.rate && size < run.size) return;
  run.size = size;
  run.rate = rate_of(words[run.column]).value_or(0);
}

void RateFileReader::finish_perftest(PerftestRun& run) {
  if (!run.local) return;
  if (!run.rate || !run.remote) {
    fail_at(name_, run.begun_at, "this run has no result: the log is cut off, or the run failed");
  }
  if (!run.has_title && input_.untitled_++ == 0) {
    input_.first_untitled_ = fmt::format("{}:{}", name_, run.begun_at);
  }
  std::optional<End> from = end_of(fmt::format("lid:{}", *run.local));
  std::optional<End> to = end_of(fmt::format("lid:{}", *run.remote));
  if (run.is_backwards) std::swap(from, to);
  if (from && to && *run.rate > 0) {
    if (auto measurement = between(*from, *to, run.is_both_directions)) {
      const double directions = run.is_both_directions ? 2 : 1;
      keep(std::move(*measurement), input_.next_round_++, *run.rate / directions, run.unit);
    }
  }
  run = {};
}

void RateFileReader::read_perftest() {
  PerftestRun run;
  bool is_server = false;
  while (lines_.next()) {
    const std::string_view line = trimmed(lines_.line());
    if (line.find("Waiting for client to connect") != std::string_view::npos) {
      finish_perftest(run);
      is_server = true;
    } else if (line.ends_with(" Test")) {
      finish_perftest(run);
      run.is_backwards = std::exchange(is_server, false);
      take_perftest_title(line, run);
    } else if (line.starts_with("Dual-port") && line.find(": ON") < line.find("Device")) {
      lines_.fail("'Dual-port: ON': the rates are sums of two ports: measure each port separately");
    } else if (line.starts_with("local address:")) {
      // Several queue pairs have the same LID.
      if (run.rate) finish_perftest(run);
      if (!run.local) run.begun_at = lines_.number();
      run.local = perftest_lid(line);
    } else if (line.starts_with("remote address:")) {
      run.remote = perftest_lid(line);
    } else if (line.starts_with("Local results")) {
      // Parts of the sum in the preceding table.
      run.column = 0;
    } else if (line.starts_with("#bytes")) {
      if (!run.rate || run.column != 0) take_perftest_head(line, run);
    } else if (run.column != 0 && !line.empty() && is_digit(line.front())) {
      take_perftest_row(run);
    }
  }
  finish_perftest(run);
}

}  // namespace pssp
