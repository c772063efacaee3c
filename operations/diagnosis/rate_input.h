#pragma once

// Reads measured rates in the formats of measuring programs.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "operations/diagnosis/measured_nodes.h"
#include "operations/diagnosis/rate_unit.h"
#include "operations/diagnosis/slow_objects.h"

namespace pssp {

struct RateInputOptions {
  bool skip_unknown = false;  ///< count names of unknown nodes instead of failing
  bool both_ways = false;     ///< the rate of a line is that of both directions at once
  RateUnit unit = {};         ///< of lines in files without a unit
};

/// Collects measurements from any number of files. Kinds are recognized by content:
/// - lines `round source destination rate`: an end port by its label or `lid:N`, or nodes with
///   several rails, which are then measured together; '#' begins a comment, and '# unit UNIT'
///   specifies the unit of the rates;
/// - mpiGraph: both tables; the round of a cell is its shift, and if both tables have a rate of a
///   flow, the smaller one counts;
/// - nccl-tests on two nodes: the bus bandwidth of the largest size of each run;
/// - perftest (ib_write_bw and other bandwidth tests): the average of the largest size, between the
///   LIDs in the output; half of it per direction if the test is bidirectional.
/// Output of other programs and tests is rejected with its title. Rounds of different files are
/// different.
class RateInput {
 public:
  /// The nodes must outlive it.
  RateInput(const MeasuredNodes& nodes, RateInputOptions options)
      : nodes_(nodes), options_(std::move(options)) {}

  /// `name` stands for the file in messages. Throws Error(unreadable_input), "name:line: ...".
  void add(std::string_view text, std::string_view name);

  const std::vector<RateMeasurement>& measurements() const noexcept { return measurements_; }
  /// Of all rates: that of the files, or Gbit/s if files have several.
  const RateUnit& unit() const noexcept { return unit_; }
  /// "3 rates of 0 are left out", with the first location of each kind.
  std::vector<std::string> warnings() const;

 private:
  friend class RateFileReader;

  const MeasuredNodes& nodes_;
  RateInputOptions options_;
  std::vector<RateMeasurement> measurements_;
  RateUnit unit_;
  std::uint32_t next_round_ = 0;
  std::uint64_t unknown_ = 0, zeros_ = 0, untitled_ = 0;
  std::string first_unknown_, first_zero_, first_untitled_;
};

}  // namespace pssp
