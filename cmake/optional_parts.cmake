# A part whose option is AUTO is built if the libraries that it needs are installed. At its end, configuring prints the parts that
# are not built and the Debian packages that they need.

# pssp_left_out(WHAT NEEDS): adds a line to the list of parts that are not built.
function(pssp_left_out WHAT NEEDS)
  set_property(GLOBAL APPEND_STRING PROPERTY PSSP_LEFT_OUT "\n--   ${WHAT}: ${NEEDS}")
endfunction()

function(pssp_print_left_out)
  get_property(left_out GLOBAL PROPERTY PSSP_LEFT_OUT)
  if(left_out)
    message(STATUS "Not built:${left_out}")
  else()
    message(STATUS "No part is left out because of a missing library")
  endif()
endfunction()

# pssp_expect_auto(OPTION): fails unless OPTION is AUTO or a boolean of CMake.
function(pssp_expect_auto OPTION)
  set_property(CACHE ${OPTION} PROPERTY STRINGS AUTO ON OFF)
  if(NOT "${${OPTION}}" MATCHES "^(AUTO|ON|OFF|TRUE|FALSE|YES|NO|Y|N|1|0)$")
    message(FATAL_ERROR "${OPTION} is '${${OPTION}}': expected AUTO, ON or OFF")
  endif()
endfunction()

# pssp_resolve_auto(OPTION WHAT FOUND PACKAGE [FOUND PACKAGE]...): if OPTION is AUTO, sets it in the caller to ON if all variables
# FOUND are true, otherwise to OFF. PACKAGE is the Debian package with the files that FOUND stands for.
function(pssp_resolve_auto OPTION WHAT)
  if(NOT "${${OPTION}}" STREQUAL "AUTO")
    return()
  endif()
  set(missing "")
  while(ARGN)
    list(POP_FRONT ARGN found package)
    if(NOT ${found})
      string(APPEND missing " ${package}")
    endif()
  endwhile()
  if(missing)
    pssp_left_out("${WHAT}" "libraries are missing (Debian: apt install${missing})")
    set(${OPTION} OFF PARENT_SCOPE)
  else()
    set(${OPTION} ON PARENT_SCOPE)
  endif()
endfunction()

pssp_expect_auto(PSSP_READ_ARCHIVES)
if(PSSP_READ_ARCHIVES STREQUAL "AUTO")
  find_package(LibArchive QUIET)
  pssp_resolve_auto(PSSP_READ_ARCHIVES "archives (tar, gzip) as input of all programs" LibArchive_FOUND libarchive-dev)
endif()

pssp_expect_auto(PSSP_BUILD_MONITOR)
if(PSSP_BUILD_MONITOR STREQUAL "AUTO")
  find_path(ASIO_INCLUDE_DIR asio.hpp)
  find_package(restinio QUIET)
  find_package(SQLiteCpp QUIET)
  find_package(ZLIB QUIET)
  find_package(CURL QUIET)
  pssp_resolve_auto(
    PSSP_BUILD_MONITOR "monitor_fabric, and the option --database of compare_fabric and locate_slow" ASIO_INCLUDE_DIR libasio-dev
    restinio_FOUND librestinio-dev SQLiteCpp_FOUND libsqlitecpp-dev ZLIB_FOUND zlib1g-dev CURL_FOUND libcurl4-openssl-dev PSSP_BUILD_CC_TOOLS libibumad-dev)
endif()

pssp_expect_auto(PSSP_BUILD_MONITOR_PAGES)
pssp_expect_auto(PSSP_BUILD_PYTHON)
if(PSSP_BUILD_PYTHON STREQUAL "AUTO")
  # Searches in the same way as python/CMakeLists.txt.
  find_program(Python3_EXECUTABLE python3 PATHS /usr/bin NO_DEFAULT_PATH)
  find_package(Python3 QUIET COMPONENTS Interpreter Development.Module)
  find_package(pybind11 2.10 QUIET CONFIG)
  pssp_resolve_auto(PSSP_BUILD_PYTHON "pssp, the module for Python" Python3_FOUND python3-dev pybind11_FOUND pybind11-dev)
endif()
