#pragma once

// Published figures of a scenario, as a table of comma-separated values with a head line:
//
//   quantity,row,column,marking,from,to,value,unit,least,most,source
//
// quantity   share (of a host's link that a flow got), share_sum (of all flows but victims),
//            throughput (GByte/s), gain (of congestion control, as a share of what there is
//            without), gain_place (of that gain among those published of similar scenarios, 1 for
//            the largest; these are the row, with blanks between), of_best (throughput as a share
//            of the best cell), grid (of all cells together)
// row        the flow or `all`; of a grid the value of its first parameter
// column     off, on; of a grid the value of its second parameter
// marking    unmarked-between, every-nth, or any: where the figure holds
// from, to   the part of the run that it was measured in; empty: all of it
// value      as published
// least, most  what --check takes; empty: no bound
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
