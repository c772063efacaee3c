#pragma once

// Arrays of the libraries for numpy, without a copy.

#include <pybind11/numpy.h>

#include <span>
#include <utility>
#include <vector>

namespace pssp {

/// A view that keeps `owner` alive, and through which nothing can be written: not either after
/// setflags(write=True), which numpy refuses for memory that is not its own.
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

/// An array with a memory of its own.
template <class Value>
pybind11::array_t<Value> to_array(const std::vector<Value>& values) {
  return pybind11::array_t<Value>(static_cast<pybind11::ssize_t>(values.size()), values.data());
}

}  // namespace pssp
