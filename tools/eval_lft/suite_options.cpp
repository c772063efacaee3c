#include "tools/eval_lft/suite_options.h"

#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/printable.h"
#include "evaluator/hosts/node_ordering_file.h"

namespace pssp {
namespace {

constexpr std::string_view file_prefix = "file:";

}  // namespace

void SuiteOptions::add_options(QuestionLine& line) {
  const Position place{{Question::score, Question::compare},
                       "is for the report on tables or their comparison"};
  line.flag(place, report_group, "--structured-suite", is_asked_,
            "Report structured traffic pattern by pattern: shifts, recursive doubling, stencils, "
            "jobs");
  line.flag(place, report_group, "--no-structured-suite", is_unwanted_,
            "Omit the line on structured traffic");
  line.option(place, report_group, "--host-order", host_order_,
              "Order of hosts in structured traffic: name, guid, leaf, or file:PATH with one host "
              "per line")
      .type_name("ORDER")
      .mentions()
      .show_default();
  line.flag(place, report_group, "--all-phases", all_phases_,
            "Simulate all phases of structured traffic; above 2048 hosts the default is every "
            "seventh");
}

void SuiteOptions::take(const QuestionLine& line) {
  if (is_asked_ && is_unwanted_) {
    throw Error(ErrorKind::usage,
                "--structured-suite and --no-structured-suite exclude each other");
  }
  for (const char* option : {"--host-order", "--all-phases"}) {
    if (!is_asked_ && line.given(option)) {
      throw Error(ErrorKind::usage, std::string(option) + " needs --structured-suite");
    }
  }
  const bool is_file = host_order_.starts_with(file_prefix) && host_order_ != file_prefix;
  if (!is_file && host_order_ != "name" && host_order_ != "guid" && host_order_ != "leaf") {
    throw Error(ErrorKind::usage, "--host-order '" + excerpt(host_order_) +
                                      "': expected name, guid, leaf or file:PATH");
  }
}

OrderedHosts SuiteOptions::order(const Fabric& fabric) const {
  if (host_order_ == "name") return order_hosts(fabric, HostOrderRule::name);
  if (host_order_ == "guid") return order_hosts(fabric, HostOrderRule::guid);
  if (host_order_ == "leaf") return order_hosts(fabric, HostOrderRule::leaf);
  return order_hosts(fabric, read_host_order(host_order_.substr(file_prefix.size()), fabric));
}

std::optional<StructuredTraffic> SuiteOptions::measure(const EvalInput& input, OrderedHosts hosts,
                                                       const Evaluation& evaluation) const {
  if (is_unwanted_) return std::nullopt;
  return structured_traffic(
      input.fabric, input.tables, std::move(hosts), host_order_,
      {.only_if_cheap = !is_asked_, .all_phases = all_phases_, .lids = evaluation.options.lids},
      evaluation.bandwidth.mean, evaluation.bandwidths.size());
}

Digest SuiteOptions::digest() const {
  Digest digest;
  digest.add(is_asked_ ? 1 : 0);
  digest.add(all_phases_ ? 1 : 0);
  digest.add_text(host_order_);
  return digest;
}

}  // namespace pssp
