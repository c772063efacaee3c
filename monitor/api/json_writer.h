#pragma once

// Writes JSON directly into a string. A list of 10,000 ports has 600,000 values; a tree of them
// would need twenty times the memory and time.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pssp {

/// Calls must be nested like the JSON text; this is not checked. Text must be valid UTF-8
/// (base/untrusted_text.h).
class JsonWriter {
 public:
  JsonWriter& begin_object() { return open('{'); }
  JsonWriter& end_object() { return close('}'); }
  JsonWriter& begin_array() { return open('['); }
  JsonWriter& end_array() { return close(']'); }
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(const std::string& text) { return value(std::string_view(text)); }
  JsonWriter& value(std::uint64_t number);
  JsonWriter& value(std::int64_t number);
  JsonWriter& value(unsigned number) { return value(std::uint64_t{number}); }
  JsonWriter& value(int number) { return value(std::int64_t{number}); }
  /// Seven digits; null for NaN and infinity.
  JsonWriter& value(double number);
  JsonWriter& value(bool truth);
  JsonWriter& null();
  /// Written as "0x" and 16 digits.
  JsonWriter& guid(std::uint64_t guid);
  /// Writes text that is already JSON.
  JsonWriter& raw(std::string_view json);

  template <class Value>
  JsonWriter& member(std::string_view name, const Value& what) {
    return key(name).value(what);
  }

  std::size_t size() const noexcept { return text_.size(); }
  std::string take() { return std::move(text_); }

 private:
  JsonWriter& open(char bracket);
  JsonWriter& close(char bracket);
  void separate();

  std::string text_;
  bool comma_ = false;
};

}  // namespace pssp
