#pragma once

// Converts text from files to Python strings, which are Unicode.

#include <pybind11/pybind11.h>

#include <span>
#include <string>
#include <string_view>

namespace pssp {

/// Invalid UTF-8 becomes U+FFFD, as in the JSON output of the tools.
inline pybind11::str to_python(std::string_view text) {
  PyObject* const made =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
  if (made == nullptr) throw pybind11::error_already_set();
  return pybind11::reinterpret_steal<pybind11::str>(made);
}

inline pybind11::tuple to_python(std::span<const std::string> texts) {
  pybind11::tuple made(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) made[i] = to_python(texts[i]);
  return made;
}

/// Converts the JSON report of a tool with json.loads().
inline pybind11::object from_json(std::string_view text) {
  return pybind11::module_::import("json").attr("loads")(to_python(text));
}

}  // namespace pssp
