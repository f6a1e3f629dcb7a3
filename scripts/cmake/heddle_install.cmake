# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# `cmake --install`: the command with its files, and the package that find_package(Heddle) finds.
# Each library heddle_NAME of hw, models and command is the target Heddle::NAME there, with its headers.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(HEDDLE_INSTALL_LIBRARIES "${CMAKE_INSTALL_LIBDIR}/heddle")
set(HEDDLE_INSTALL_HEADERS "${CMAKE_INSTALL_INCLUDEDIR}/heddle")
set(HEDDLE_INSTALL_PACKAGE "${CMAKE_INSTALL_LIBDIR}/cmake/Heddle")
# The command finds a SystemC that is in no folder of the system.
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)
set(HEDDLE_INSTALL_DATA "${CMAKE_INSTALL_DATADIR}/heddle")

# heddle_install_library(TARGET)
function(heddle_install_library target)
  string(REGEX REPLACE "^heddle_" "" name ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  install(TARGETS ${target} EXPORT HeddleTargets ARCHIVE DESTINATION "${HEDDLE_INSTALL_LIBRARIES}")
endfunction()

# heddle_install_package(): all but the libraries, at the end of the top-level file.
function(heddle_install_package)
  install(TARGETS heddle RUNTIME)
  # As data_folders looks for them.
  install(TARGETS heddle_pass LIBRARY DESTINATION libexec/heddle)
  foreach(part opencl_builtins.bc cuda_builtins.bc print.o soft_math.o)
    install(FILES "${CMAKE_BINARY_DIR}/compiler/${part}" DESTINATION libexec/heddle)
  endforeach()
  install(DIRECTORY hw models runtime command DESTINATION "${HEDDLE_INSTALL_HEADERS}"
          FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "program/include" EXCLUDE
          PATTERN "cuda/include" EXCLUDE)
  install(DIRECTORY configs DESTINATION "${HEDDLE_INSTALL_DATA}" FILES_MATCHING PATTERN "*.toml")
  install(DIRECTORY models/program/include models/program/device
          DESTINATION "${HEDDLE_INSTALL_DATA}/program")
  install(PROGRAMS scripts/report DESTINATION "${HEDDLE_INSTALL_DATA}/scripts")
  install(DIRECTORY scripts/reporting DESTINATION "${HEDDLE_INSTALL_DATA}/scripts"
          PATTERN "__pycache__" EXCLUDE)
  install(EXPORT HeddleTargets NAMESPACE Heddle:: DESTINATION "${HEDDLE_INSTALL_PACKAGE}")
  configure_package_config_file(
    scripts/cmake/HeddleConfig.cmake.in HeddleConfig.cmake
    INSTALL_DESTINATION "${HEDDLE_INSTALL_PACKAGE}" PATH_VARS HEDDLE_INSTALL_DATA CMAKE_INSTALL_BINDIR)
  write_basic_package_version_file(HeddleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
  install(FILES "${CMAKE_CURRENT_BINARY_DIR}/HeddleConfig.cmake"
                "${CMAKE_CURRENT_BINARY_DIR}/HeddleConfigVersion.cmake"
                scripts/cmake/heddle_systemc.cmake scripts/cmake/installed_data_folders.cpp.in
          DESTINATION "${HEDDLE_INSTALL_PACKAGE}")
endfunction()
