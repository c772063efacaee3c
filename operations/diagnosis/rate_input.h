#pragma once

// Rates that other programs have measured, in the formats that these programs write.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "operations/diagnosis/measured_nodes.h"
#include "operations/diagnosis/slow_objects.h"

namespace pssp {

struct RateInputOptions {
  bool skip_unknown = false;  ///< names of no node are counted, no error
  bool both_ways = false;     ///< a rate of a line is that of both directions at once
};

/// Collects measurements of any number of files. Kinds are recognised by content:
/// - lines `round source destination rate`: an end port by its label or `lid:N`, or nodes of
///   several rails, which are then measured together; '#' begins a comment;
/// - mpiGraph: both tables; a cell's round is its shift, and where both tables have a rate of a
///   flow, the smaller one counts;
/// - nccl-tests on two nodes: the bus bandwidth of the last size of each run;
/// - perftest (ib_write_bw): the average of the last size, between the LIDs that it names.
/// Rounds of one file are no rounds of another.
class RateInput {
 public:
  /// The nodes must outlive it.
  RateInput(const MeasuredNodes& nodes, RateInputOptions options)
      : nodes_(nodes), options_(options) {}

  /// `name` stands for the file in messages. Throws Error(unreadable_input), "name:line: ...".
  void add(std::string_view text, std::string_view name);

  const std::vector<RateMeasurement>& measurements() const noexcept { return measurements_; }
  /// "3 rates of 0 are left out", with the first place of each kind.
  std::vector<std::string> warnings() const;

 private:
  friend class RateFileReader;

  const MeasuredNodes& nodes_;
  RateInputOptions options_;
  std::vector<RateMeasurement> measurements_;
  std::uint32_t next_round_ = 0;
  std::uint64_t unknown_ = 0, zeros_ = 0;
  std::string first_unknown_, first_zero_;
};

}  // namespace pssp
