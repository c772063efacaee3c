// A shell reads a line as NAME FIT ADVICE and the rest, so a name must be one word. Names in a host
// list are one word; blanks in names from the fabric are replaced.

#include "monitor/api/fit_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_set>
#include <utility>

#include "base/untrusted_text.h"
#include "fabric/nodes/host_list.h"

namespace pssp {
namespace {

FitAnswer answer_of(std::string name, const NodeFit* found, const std::string& stale) {
  FitAnswer answer;
  answer.name = std::move(name);
  if (!stale.empty()) {
    answer.reasons.push_back(stale);
  } else if (found == nullptr) {
    answer.reasons.emplace_back("no node of the fabric has this name");
  } else {
    answer.level = found->level;
    answer.advice = found->level == Level::bad ? found->advice : DrainAdvice::none;
    answer.since_ms = found->since_ms;
    for (const FitReason& each : found->reasons) answer.reasons.push_back(each.text);
  }
  return answer;
}

std::string one_word(std::string text) {
  std::ranges::replace(text, ' ', '_');
  return text;
}

}  // namespace

std::vector<std::string> fit_names(const std::string& host_list) {
  std::vector<std::string> names;
  std::unordered_set<std::string> known;
  for (std::string& name : expand_host_list(host_list, most_fit_names)) {
    if (known.insert(name).second) names.push_back(std::move(name));
  }
  return names;
}

std::vector<FitAnswer> answers_of(const FitList& list, const std::vector<std::string>& names,
                                  const std::string& stale) {
  std::vector<FitAnswer> answers;
  answers.reserve(names.empty() ? list.nodes().size() : names.size());
  for (const std::string& name : names) {
    answers.push_back(answer_of(untrusted_text(name), list.find(name), stale));
  }
  if (!names.empty()) return answers;
  for (const NodeFit& each : list.nodes()) {
    answers.push_back(answer_of(untrusted_text(each.name), &each, stale));
  }
  return answers;
}

std::string fit_text(std::span<const FitAnswer> answers) {
  std::string text;
  for (const FitAnswer& each : answers) {
    if (each.level == Level::good) continue;
    text += fmt::format("{} {} {} {}\n", one_word(each.name), fit_word(each.level),
                        name_of(each.advice), fmt::join(each.reasons, "; "));
  }
  return text;
}

void write_fit_of(JsonWriter& json, const FitList* list, Guid adapter) {
  const NodeFit* const fit = list == nullptr ? nullptr : list->of_adapter(adapter);
  json.key("fit");
  fit == nullptr ? json.null() : json.value(fit_word(fit->level));
  json.key("fit_reasons").begin_array();
  if (fit != nullptr) {
    for (const FitReason& each : fit->reasons) json.value(each.text);
  }
  json.end_array();
}

void write_fit(JsonWriter& json, std::span<const FitAnswer> answers) {
  std::array<std::uint64_t, 4> counts{};
  json.key("nodes").begin_array();
  for (const FitAnswer& each : answers) {
    ++counts[static_cast<std::size_t>(each.level)];
    json.begin_object().member("name", each.name).member("fit", fit_word(each.level));
    json.key("since");
    each.since_ms == 0 ? json.null() : json.value(each.since_ms);
    json.member("drain", each.advice == DrainAdvice::drain);
    json.member("held_back", each.advice == DrainAdvice::held_back);
    json.key("reasons").begin_array();
    for (const std::string& reason : each.reasons) json.value(reason);
    json.end_array().end_object();
  }
  json.end_array().key("fits").begin_object();
  for (const Level level : {Level::good, Level::watch, Level::bad, Level::unknown}) {
    json.member(fit_word(level), counts[static_cast<std::size_t>(level)]);
  }
  json.end_object();
}

}  // namespace pssp
