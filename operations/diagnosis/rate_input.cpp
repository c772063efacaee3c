#include "operations/diagnosis/rate_input.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/printable.h"
#include "operations/diagnosis/rate_file_reader.h"

namespace pssp {

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
  } else {
    reader.read_plain();
  }
  if (measurements_.size() == before && unknown_ == 0 && zeros_ == 0) {
    throw Error(ErrorKind::unreadable_input, fmt::format("{}: no rate found", excerpt(name)));
  }
}

std::vector<std::string> RateInput::warnings() const {
  std::vector<std::string> texts;
  if (unknown_ != 0) {
    texts.push_back(
        fmt::format("{} names match no node of this fabric and are ignored, the first is {}",
                    unknown_, first_unknown_));
  }
  if (zeros_ != 0) {
    texts.push_back(
        fmt::format("{} rates of 0 are ignored (nothing was measured), the first is at {}", zeros_,
                    first_zero_));
  }
  if (untitled_ != 0) {
    texts.push_back(
        fmt::format("{} runs of perftest have no title ('RDMA_Write BW Test'), the first is at {}: "
                    "their rates are treated as rates of one direction",
                    untitled_, first_untitled_));
  }
  return texts;
}

}  // namespace pssp
