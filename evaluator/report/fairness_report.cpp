#include "evaluator/report/fairness_report.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string_view>
#include <vector>

#include "evaluator/report/spreadsheet_field.h"
#include "evaluator/report/text_writer.h"

namespace pssp {
namespace {

void write_measures(TextWriter& writer, std::string_view name, const Fairness& fairness) {
  if (std::isnan(fairness.least)) return;
  writer.row(name, fmt::format("{:.4f} .. {:.4f} per host, ratio {:.3f}", fairness.least,
                               fairness.most, fairness.ratio));
  if (std::isnan(fairness.jain)) return;
  writer.row("", fmt::format("Jain's index {:.5f}, coefficient of variation {:.4f} ({:.4f} of it "
                             "sampling noise)",
                             fairness.jain, fairness.variation, fairness.variation_by_chance));
}

std::string share_text(const HostShare& share) {
  if (share.flows == 0) return fmt::format("{:>16}", "-");
  if (share.flows == 1) return fmt::format("{:>16.4f}", share.mean);
  return fmt::format("{:>7.4f} +- {:.4f}", share.mean, share.standard_error);
}

void append_share(std::string& text, const HostShare& share) {
  const auto out = std::back_inserter(text);
  fmt::format_to(out, ",{}", share.flows);
  for (const double number : {share.mean, share.standard_error}) {
    text += ',';
    if (std::isfinite(number)) fmt::format_to(out, "{}", number);
  }
}

}  // namespace

std::string to_text(const Fabric& fabric, const HostFairness& fairness, std::size_t top) {
  TextWriter writer;
  if (fairness.bisections == 0) {
    writer.section("Fairness among hosts");
    writer.line("undefined: fewer than two hosts");
    return writer.take();
  }
  writer.section(
      fmt::format("Fairness among hosts (mean bandwidth of each over the first {} "
                  "bisections)",
                  fairness.bisections));
  write_measures(writer, "as senders", fairness.among_senders);
  write_measures(writer, "as receivers", fairness.among_receivers);
  const std::vector<std::uint32_t> worst = worst_hosts(fairness, top);
  if (worst.empty()) return writer.take();
  writer.section("Worst-off hosts (mean bandwidth and its standard error: sending, receiving)");
  for (const std::uint32_t rank : worst) {
    const EndPortId host = fabric.endpoints()[rank];
    const EndPort& port = fabric.end_port(host);
    writer.line(fmt::format("{}  {}  {} lid {} at {}[{}]", share_text(fairness.sending[rank]),
                            share_text(fairness.receiving[rank]), fabric.label(host), port.lid,
                            fabric.label(port.attached), port.switch_port));
  }
  return writer.take();
}

std::string to_csv(const Fabric& fabric, const HostFairness& fairness) {
  std::string text =
      "host,description,switch,switch_port,lid,flows_sent,mean_sent,stderr_sent,"
      "flows_received,mean_received,stderr_received\n";
  for (std::size_t rank = 0; rank < fairness.sending.size(); ++rank) {
    const EndPort& port = fabric.end_port(fabric.endpoints()[rank]);
    fmt::format_to(std::back_inserter(text), "{},{},{},{},{}", spreadsheet_field(port.name),
                   spreadsheet_field(port.description),
                   spreadsheet_field(fabric.switch_at(port.attached).name), port.switch_port,
                   port.lid);
    append_share(text, fairness.sending[rank]);
    append_share(text, fairness.receiving[rank]);
    text += '\n';
  }
  return text;
}

}  // namespace pssp
