#pragma once

// Reads one file of rates; only for RateInput.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text_lines.h"
#include "operations/diagnosis/rate_input.h"

namespace pssp {

class RateFileReader {
 public:
  RateFileReader(RateInput& input, std::string_view text, std::string_view name)
      : input_(input), text_(text), name_(name), lines_(text, name) {}

  void read_plain();
  void read_mpigraph();
  void read_nccl();
  void read_perftest();

 private:
  /// The object of a name: one end port, or a node with all its rails.
  struct End {
    std::optional<std::uint32_t> rank, node;
  };
  struct NcclRun {
    std::vector<std::string> hosts;  // in the order of their first ranks
    std::size_t ranks = 0, begun_at = 0;
    std::size_t column = 0;  // of the bus bandwidth
    std::uint64_t size = 0;  // size of its messages
    std::optional<double> bandwidth;
  };
  struct PerftestRun {
    bool has_title = false, is_both_directions = false;
    bool is_backwards = false;  // data flows from the remote to the local address
    std::optional<std::uint64_t> local, remote;
    std::size_t begun_at = 0;
    RateUnit unit;
    std::size_t column = 0;  // of the average bandwidth; 0: no table
    std::uint64_t size = 0;
    std::optional<double> rate;
  };

  std::optional<End> end_of(std::string_view text);
  /// None if the rate is 0, which is counted.
  std::optional<double> rate_of(std::string_view text);
  std::optional<RateMeasurement> between(const End& from, const End& to, bool both_ways);
  void keep(RateMeasurement measurement, std::uint32_t round, double rate, const RateUnit& unit);
  /// Converts all rates to one unit; returns the factor for rates in `unit`.
  double common_unit(const RateUnit& unit);
  std::uint32_t round_of(std::uint64_t number);
  /// Throws for the output of programs without rates of pairs.
  void refuse_program() const;
  [[noreturn]] void refuse_line() const;
  std::string_view rate_text_of(std::string_view words, std::string_view comment) const;

  std::vector<std::string_view> cells() const;
  std::vector<std::string_view> tokens_of_line() const;
  void take_table(std::vector<std::string>& names,
                  std::map<std::pair<std::size_t, std::size_t>, double>& rates, bool is_received);
  static void take_nccl_head(const std::vector<std::string_view>& words, NcclRun& run);
  void refuse_nccl_test(std::string_view test) const;
  void finish_nccl(NcclRun& run);
  void take_perftest_title(std::string_view title, PerftestRun& run);
  std::uint64_t perftest_lid(std::string_view line) const;
  void take_perftest_head(std::string_view line, PerftestRun& run);
  void take_perftest_row(PerftestRun& run);
  void finish_perftest(PerftestRun& run);

  RateInput& input_;
  std::string_view text_;
  std::string name_;
  TextLines lines_;
  std::map<std::uint64_t, std::uint32_t> rounds_;
};

}  // namespace pssp
