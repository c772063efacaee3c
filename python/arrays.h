#pragma once

// Converts arrays of the libraries to numpy arrays; views do not copy the data.

#include <pybind11/numpy.h>

#include <span>
#include <utility>
#include <vector>

namespace pssp {

/// A read-only view that keeps `owner` alive. It stays read-only, because numpy refuses
/// setflags(write=True) for memory that the array does not own.
template <class Value>
pybind11::array_t<Value> read_only_view(const Value* data, std::vector<pybind11::ssize_t> shape,
                                        pybind11::handle owner) {
  pybind11::array_t<Value> view(std::move(shape), data, owner);
  view.attr("setflags")(pybind11::arg("write") = false);
  return view;
}

template <class Value>
pybind11::array_t<Value> read_only_view(std::span<const Value> values, pybind11::handle owner) {
  return read_only_view(values.data(), {static_cast<pybind11::ssize_t>(values.size())}, owner);
}

/// An array with a copy of the values.
template <class Value>
pybind11::array_t<Value> to_array(const std::vector<Value>& values) {
  return pybind11::array_t<Value>(static_cast<pybind11::ssize_t>(values.size()), values.data());
}

}  // namespace pssp
