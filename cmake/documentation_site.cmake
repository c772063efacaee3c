# Builds the documentation as a web site with Debian's mkdocs and mkdocs-material. Neither the build nor the pages load anything
# from the network. The site is installed in html/ of the documentation folder, with the licence of the scripts and styles that
# the pages contain.
pssp_expect_auto(PSSP_BUILD_SITE)
find_program(MKDOCS_EXECUTABLE mkdocs)
find_path(MKDOCS_MATERIAL_DIR mkdocs_theme.yml PATHS /usr/share/mkdocs/themes/material NO_DEFAULT_PATH)
pssp_resolve_auto(PSSP_BUILD_SITE "the documentation as a web site" MKDOCS_EXECUTABLE mkdocs MKDOCS_MATERIAL_DIR mkdocs-material)
if(NOT PSSP_BUILD_SITE)
  return()
endif()
if(NOT MKDOCS_EXECUTABLE OR NOT MKDOCS_MATERIAL_DIR)
  message(FATAL_ERROR "PSSP_BUILD_SITE needs mkdocs and mkdocs-material (Debian: apt install mkdocs mkdocs-material). To build the rest: -DPSSP_BUILD_SITE=OFF")
endif()

file(GLOB_RECURSE pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*)
add_custom_command(
  OUTPUT ${PROJECT_BINARY_DIR}/site/index.html
  COMMAND ${MKDOCS_EXECUTABLE} build --strict --quiet --config-file ${PROJECT_SOURCE_DIR}/mkdocs.yml --site-dir ${PROJECT_BINARY_DIR}/site
  DEPENDS ${PROJECT_SOURCE_DIR}/mkdocs.yml ${pages}
  COMMENT "Building the documentation as a web site"
  VERBATIM)
add_custom_target(documentation_site ALL DEPENDS ${PROJECT_BINARY_DIR}/site/index.html)
install(DIRECTORY ${PROJECT_BINARY_DIR}/site/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/html)
pssp_install_licence(mkdocs-material mkdocs-material)
