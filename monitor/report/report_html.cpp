#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/duration_text.h"
#include "base/untrusted_text.h"
#include "base/utc_time.h"
#include "monitor/report/fabric_report.h"

namespace pssp {
namespace {

constexpr std::size_t most_rows = 50;

constexpr std::string_view style = R"css(
:root { color-scheme: light dark; --line: #bbb; --bad: #b3261e; --quiet: #555; }
@media (prefers-color-scheme: dark) { :root { --line: #555; --bad: #ff8a80; --quiet: #bbb; } }
body { font: 15px/1.45 system-ui, sans-serif; max-width: 68rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.quiet { color: var(--quiet); } .bad { color: var(--bad); font-weight: 600; }
dl { display: flex; flex-wrap: wrap; gap: .6rem 2.2rem; } dt { color: var(--quiet); }
dd { margin: 0; font-size: 1.35rem; font-variant-numeric: tabular-nums; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th:first-child, td:first-child { min-width: 12rem; } .number + :not(.number) { padding-left: 1rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
)css";

std::string html(std::string_view text) {
  std::string escaped;
  for (const char c : untrusted_text(text)) {
    if (c == '<') {
      escaped += "&lt;";
    } else if (c == '&') {
      escaped += "&amp;";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

/// The operators' name for the subject of a verdict.
std::string kind_text(std::string_view what) {
  if (what == link_state) return "link down";
  if (what == "readings") return "not responding";
  std::string text(what);
  std::ranges::replace(text, '_', ' ');
  return text;
}

std::string kind_list(const std::vector<std::string>& kinds) {
  std::string all;
  for (const std::string& each : kinds) all += (all.empty() ? "" : ", ") + kind_text(each);
  return all;
}

struct ReportColumn {
  std::string_view name;
  bool is_number = false;
};

/// A heading, an explanation and a table, or the text `none` if the table has no rows.
class ReportSection {
 public:
  ReportSection(std::string_view title, std::string_view meaning, std::vector<ReportColumn> columns)
      : columns_(std::move(columns)) {
    text_ = fmt::format("<h2>{}</h2>\n<p class=\"quiet\">{}</p>\n", title, meaning);
    for (const ReportColumn& each : columns_) {
      head_ += fmt::format("<th scope=\"col\"{}>{}</th>", css_class(each), each.name);
    }
  }

  /// `cells` contains one HTML fragment per column.
  void add(const std::vector<std::string>& cells) {
    ++rows_;
    if (rows_ > most_rows) return;
    body_ += "<tr>";
    for (std::size_t i = 0; i < cells.size(); ++i) {
      body_ += fmt::format("<td{}>{}</td>", css_class(columns_[i]), cells[i]);
    }
    body_ += "</tr>\n";
  }

  std::string take(std::string_view none) const {
    if (rows_ == 0) return text_ + fmt::format("<p>{}</p>\n", none);
    const std::string rest =
        rows_ > most_rows ? fmt::format("<p>{} more are not shown.</p>\n", rows_ - most_rows) : "";
    return text_ + R"(<div class="scroll" tabindex="0"><table><thead><tr>)" + head_ +
           "</tr></thead><tbody>\n" + body_ + "</tbody></table></div>\n" + rest;
  }

 private:
  static std::string_view css_class(const ReportColumn& column) {
    return column.is_number ? " class=\"number\"" : "";
  }

  std::vector<ReportColumn> columns_;
  std::string text_, head_, body_;
  std::size_t rows_ = 0;
};

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string figure(std::string_view name, const std::string& value) {
  return fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", name, value);
}

std::string head(const FabricReport& report) {
  const auto bad = std::ranges::count(report.faulty, Level::bad, &CableFaults::level);
  return fmt::format("<h1>Fabric report</h1>\n<p class=\"quiet\">{} to {}, monitored for {}</p>\n",
                     utc_text(report.window.since_ms), utc_text(report.window.until_ms),
                     duration_text(report.monitored_h * 3600)) +
         "<dl>\n" + figure("availability of links", percent(report.availability)) +
         figure("links", std::to_string(report.cables)) +
         figure("links with interruptions", std::to_string(report.interrupted.size())) +
         figure("cables with bad verdicts", std::to_string(bad)) +
         figure("congested jobs", std::to_string(report.congested.size())) +
         figure("changes of routing", std::to_string(report.reroutes.size())) + "</dl>\n";
}

std::string availability_section(const FabricReport& report) {
  ReportSection section("Availability of links",
                        "Share of the monitored time in which the counters of at least one end "
                        "could be read. Links that were active all the time are not listed.",
                        {{"link"}, {"availability", true}, {"not active", true}});
  for (const CableAvailability& each : report.interrupted) {
    section.add({html(each.cable), percent(each.available),
                 duration_text((1 - each.available) * report.monitored_h * 3600)});
  }
  return section.take("All links were active all the time.");
}

std::string fault_section(const FabricReport& report) {
  ReportSection section(
      "Worst cables",
      "Cables with faults, bad verdicts first, then by the time with a fault. "
      "Replace cables in this order.",
      {{"cable"}, {"verdict"}, {"kinds"}, {"faults", true}, {"hours", true}, {"last finding"}});
  for (const CableFaults& each : report.faulty) {
    const std::string level(name_of(each.level));
    section.add({html(each.cable),
                 each.level == Level::bad ? "<span class=\"bad\">" + level + "</span>" : level,
                 html(kind_list(each.kinds)), std::to_string(each.faults),
                 fmt::format("{:.1f}", each.hours), html(each.last)});
  }
  return section.take("No cable had a fault.");
}

std::string congestion_section(const FabricReport& report) {
  ReportSection section("Congestion by job",
                        "Jobs whose hosts waited for credits for more than the limit of the "
                        "monitor, and the time that they waited, added up over the hosts.",
                        {{"job"}, {"name"}, {"user"}, {"hosts", true}, {"host hours", true}});
  for (const JobCongestion& each : report.congested) {
    section.add({html(each.id), html(each.name), html(each.user), std::to_string(each.hosts),
                 fmt::format("{:.1f}", each.host_hours)});
  }
  return section.take("No job waited, or the monitor does not know the jobs.");
}

std::string reroute_section(const FabricReport& report) {
  ReportSection section("Changes of routing",
                        "Changes of forwarding tables and their effect on pairs of hosts.",
                        {{"time (UTC)"},
                         {"switches", true},
                         {"entries", true},
                         {"moved pairs", true},
                         {"lost pairs", true},
                         {"longest without a route", true},
                         {"jobs affected", true}});
  for (const RerouteRecord& each : report.reroutes) {
    section.add({utc_text(each.begin_ms), std::to_string(each.switches),
                 std::to_string(each.entries), std::to_string(each.moved),
                 std::to_string(each.lost),
                 fmt::format("{:.1f} s", static_cast<double>(each.no_route_ms) / 1000),
                 std::to_string(each.jobs.size())});
  }
  return section.take("The forwarding tables did not change.");
}

}  // namespace

std::string report_html(const FabricReport& report) {
  return "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<title>Fabric report</title>\n<style>" +
         std::string(style) + "</style>\n</head>\n<body>\n<main>\n" + head(report) +
         availability_section(report) + fault_section(report) + congestion_section(report) +
         reroute_section(report) + "</main>\n</body>\n</html>\n";
}

}  // namespace pssp
