#pragma once

// JSON written straight into a string. A list of 10,000 ports has 600,000 values; a tree of them
// would take twenty times the memory and the time of its text.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pssp {

/// Calls are nested as the text is; nothing checks that. Text must be valid UTF-8
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
  /// Seven digits; null where the number is none.
  JsonWriter& value(double number);
  JsonWriter& value(bool truth);
  JsonWriter& null();
  /// As "0x" and 16 digits.
  JsonWriter& guid(std::uint64_t guid);
  /// Text that is JSON already.
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
