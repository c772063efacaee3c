#pragma once

// Published figures of a scenario, as a table of comma-separated values with a head line:
//
//   quantity,row,column,marking,from,to,value,unit,least,most,source
//
// quantity   share (of a flow, relative to the host's link), share_sum (of all flows except
//            victims), throughput (GByte/s), gain (of congestion control, relative to the
//            throughput without it), gain_place (rank of that gain among the published gains of
//            similar scenarios, 1 for the largest; the row lists these, separated by blanks),
//            of_best (throughput relative to the best cell), grid (all cells together)
// row        the flow or `all`; for a grid, the value of its first parameter
// column     off, on; for a grid, the value of its second parameter
// marking    unmarked-between, every-nth, or any: the model to which the figure applies
// from, to   the measured part of the run; empty: all of it
// value      as published
// least, most  the range that --check accepts; empty: no bound
// source     table or figure

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/simulated_time.h"

namespace pssp {

struct ReferenceFigure {
  std::string quantity, row, column, marking;
  std::optional<SimulatedTime> from, to;
  double value = 0;
  std::string unit;
  std::optional<double> least, most;
  std::string source;

  bool is_within(double found) const {
    return (!least || found >= *least) && (!most || found <= *most);
  }
};

/// `name` stands for the file in messages. Throws Error(unreadable_input) with name:line.
std::vector<ReferenceFigure> parse_reference(std::string_view text, std::string_view name);

}  // namespace pssp
