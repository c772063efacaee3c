#include "tools/eval_lft/lid_options.h"

#include <algorithm>
#include <string_view>

#include "base/error.h"
#include "base/printable.h"
#include "base/text_lines.h"
#include "evaluator/scoring/fabric_summary.h"
#include "fabric/lid_counts.h"
#include "tools/eval_lft/common.h"

namespace pssp {
namespace {

constexpr unsigned most_lids = 128;  // LMC has three bits

}  // namespace

void LidOptions::add_options(QuestionLine& line) {
  const Position place{
      {Question::score, Question::compare, Question::pattern, Question::compare_patterns},
      "is for bandwidth, structured traffic and patterns"};
  line.option(place, report_group, "--lids", lids_,
              "LIDs of each host that a flow is striped over: base, all, or their number")
      .type_name("LIDS")
      .show_default();
  line.option(place, report_group, "--striping", striping_,
              "Bandwidth of a striped flow: slowest (of equal parts) or free (mean over its paths)")
      .one_of({"slowest", "free"})
      .show_default();
}

void LidOptions::take(const QuestionLine& line) {
  is_chosen_ = line.given("--lids") || line.given("--striping");
  if (lids_ == "base") return;
  if (lids_ == "all") {
    most_ = most_lids;
    return;
  }
  std::string_view text = lids_;
  const auto number = take_number(text, 10);
  if (!number || !text.empty() || *number < 1 || *number > most_lids) {
    throw Error(ErrorKind::usage,
                "--lids '" + excerpt(lids_) + "': expected base, all or a number from 1 to 128");
  }
  most_ = static_cast<unsigned>(*number);
}

LidUse LidOptions::on(const Fabric& fabric) const {
  return {.lids = std::min(most_, most_lids_of_a_host(fabric)),
          .striping = striping_ == "free" ? Striping::free : Striping::slowest};
}

Digest LidOptions::digest() const {
  Digest digest;
  digest.add(most_);
  digest.add_text(striping_);
  return digest;
}

}  // namespace pssp
