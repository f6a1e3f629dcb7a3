# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# heddle_library(NAME SOURCES ... LINK ... [HOT] [KIND kind] [APART source...]): a static library
# heddle_NAME. HOT: simulated cycles spend their time there; its objects then hold what HEDDLE_LTO
# needs, beside ordinary code. KIND: see heddle_kind, or `none` for no precompiled headers; if
# neither is given, the folder decides. APART: those of SOURCES that HEDDLE_UNITY compiles alone.
function(heddle_library name)
  cmake_parse_arguments(arg "HOT" "KIND" "SOURCES;LINK;APART" ${ARGN})
  add_library(heddle_${name} STATIC ${arg_SOURCES})
  target_link_libraries(heddle_${name} PUBLIC heddle_options ${arg_LINK})
  file(RELATIVE_PATH folder "${CMAKE_SOURCE_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
  if(folder MATCHES "^(hw/|models/|runtime/|command)")
    heddle_install_library(heddle_${name})
    heddle_unity(heddle_${name} 32 ${arg_APART})
  else()
    heddle_unity(heddle_${name} 8 ${arg_APART})
  endif()
  if(arg_HOT)
    set(arg_KIND hot)
  elseif(NOT arg_KIND AND folder MATCHES "^(hw/|command)")
    set(arg_KIND hw)
  elseif(NOT arg_KIND AND folder MATCHES "^tb")
    set(arg_KIND testbenches)
  endif()
  if(arg_KIND AND NOT arg_KIND STREQUAL none)
    heddle_kind(heddle_${name} ${arg_KIND})
  endif()
endfunction()

# heddle_unity(TARGET SIZE [source...]): HEDDLE_UNITY compiles SIZE sources of TARGET at once, apart
# from those named here: they have names in common with others.
function(heddle_unity target size)
  set_target_properties(${target} PROPERTIES UNITY_BUILD "${HEDDLE_UNITY}"
                                             UNITY_BUILD_BATCH_SIZE ${size})
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# heddle_test(NAME SOURCES ... LINK ... [TIMEOUT seconds] [PROCESSORS n] [KIND kind]
#             [APART source...]): a GoogleTest program; every test is a process of its own, because a
# SystemC simulation context can't be used twice. PROCESSORS: that a test keeps busy. KIND: where its
# own code takes much of a test's time, `testbenches` (-O1), or `none` (-O3) without SystemC. APART:
# as of heddle_library.
function(heddle_test name)
  cmake_parse_arguments(arg "" "TIMEOUT;PROCESSORS;KIND" "SOURCES;LINK;APART" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  add_executable(${name} ${arg_SOURCES})
  heddle_unity(${name} 8 ${arg_APART})
  target_link_libraries(${name} PRIVATE heddle_options heddle_paths ${arg_LINK} GTest::gmock_main)
  if(NOT arg_KIND AND heddle_systemc_test IN_LIST arg_LINK)
    set(arg_KIND timed_tests)
  elseif(NOT arg_KIND)
    set(arg_KIND tests)
  endif()
  if(NOT arg_KIND STREQUAL none)
    heddle_kind(${name} ${arg_KIND})
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${arg_TIMEOUT}
                                                                 PROCESSORS ${arg_PROCESSORS})
endfunction()
