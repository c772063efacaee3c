# Finds OpenSM's headers and libraries, and their version: OpenSM loads a plugin only if it was built for exactly this version.
# PSSP_OPENSM_VERSION is empty in a build without the plugin.
set(PSSP_OPENSM_VERSION "")
if(PSSP_BUILD_PLUGIN)
  find_path(OPENSM_INCLUDE_DIR opensm/osm_event_plugin.h PATH_SUFFIXES infiniband)
  find_library(OPENSM_LIBRARY opensm)
  find_library(OSMCOMP_LIBRARY osmcomp)
  if(NOT OPENSM_INCLUDE_DIR OR NOT OPENSM_LIBRARY OR NOT OSMCOMP_LIBRARY)
    message(
      FATAL_ERROR
        "The OpenSM plugin needs OpenSM's headers and libraries (opensm/osm_event_plugin.h, libopensm, libosmcomp), which "
        "were not found. On Debian: apt install libopensm-dev. To build the rest without the plugin: -DPSSP_BUILD_PLUGIN=OFF")
  endif()
  file(STRINGS ${OPENSM_INCLUDE_DIR}/opensm/osm_version.h said REGEX "define OSM_VERSION")
  string(REGEX MATCH "\"OpenSM ([^\"]+)\"" said "${said}")
  set(PSSP_OPENSM_VERSION "${CMAKE_MATCH_1}")
endif()
