#include "monitor/service/acknowledgement_book.h"

#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/untrusted_text.h"
#include "monitor/api/request.h"
#include "monitor/store/acknowledgements.h"

namespace pssp {

AcknowledgementBook::AcknowledgementBook(std::string database) : database_(std::move(database)) {
  auto list = std::make_shared<std::map<std::string, Acknowledgement>>();
  if (!database_.empty() && std::filesystem::exists(database_)) {
    for (Acknowledgement& each : read_acknowledgements(database_)) {
      (*list)[each.incident] = std::move(each);
    }
  }
  list_ = std::move(list);
}

AcknowledgementList AcknowledgementBook::list() const {
  const std::scoped_lock lock(state_);
  return list_;
}

void AcknowledgementBook::acknowledge(const Acknowledgement& entry) {
  const std::scoped_lock changing(change_);
  try {
    keep_acknowledgement(database_, entry);
  } catch (const Error& error) {
    throw ApiError{503, untrusted_text(error.what()), "try again in a few seconds"};
  }
  auto list = std::make_shared<std::map<std::string, Acknowledgement>>(*this->list());
  // The database also removes expired acknowledgements.
  std::erase_if(*list, [&](const auto& each) { return each.second.until_ms < entry.since_ms; });
  (*list)[entry.incident] = entry;
  const std::scoped_lock lock(state_);
  list_ = std::move(list);
}

}  // namespace pssp
