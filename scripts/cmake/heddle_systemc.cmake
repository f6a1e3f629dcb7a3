# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# SystemC as the target HeddleSystemC::systemc, with its version in HEDDLE_SYSTEMC_FOUND. A SystemC
# that was built with CMake is found as other packages are (CMAKE_PREFIX_PATH); without one,
# pkg-config names that of the system. A library of another C++ standard is an error here, not when
# the first program is linked.
find_package(SystemCLanguage CONFIG QUIET)
if(SystemCLanguage_FOUND)
  set(HEDDLE_SYSTEMC_FOUND "${SystemCLanguage_VERSION}")
  set(heddle_systemc_library SystemC::systemc)
else()
  find_package(PkgConfig REQUIRED)
  pkg_check_modules(SYSTEMC REQUIRED IMPORTED_TARGET systemc)
  set(HEDDLE_SYSTEMC_FOUND "${SYSTEMC_VERSION}")
  set(heddle_systemc_library PkgConfig::SYSTEMC)
endif()
if(NOT TARGET HeddleSystemC::systemc)
  add_library(HeddleSystemC::systemc INTERFACE IMPORTED)
  set_target_properties(HeddleSystemC::systemc PROPERTIES
                        INTERFACE_LINK_LIBRARIES ${heddle_systemc_library})
endif()

include(CheckCXXSourceCompiles)
set(CMAKE_REQUIRED_LIBRARIES HeddleSystemC::systemc)
set(CMAKE_REQUIRED_FLAGS -std=c++17)
check_cxx_source_compiles("#include <systemc>\nint sc_main(int, char**) { return 0; }"
                          HEDDLE_LINKS_SYSTEMC_${HEDDLE_SYSTEMC_FOUND})
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_FLAGS)
if(NOT HEDDLE_LINKS_SYSTEMC_${HEDDLE_SYSTEMC_FOUND})
  message(FATAL_ERROR "No C++17 program can be linked with SystemC ${HEDDLE_SYSTEMC_FOUND}, which \
CMake finds: build that SystemC with CMAKE_CXX_STANDARD=17")
endif()
