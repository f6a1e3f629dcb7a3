# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# heddle_library(NAME SOURCES ... LINK ... [HOT]): a static library heddle_NAME. HOT: simulated
# cycles spend their time there; its objects then hold what HEDDLE_LTO needs, beside ordinary code.
function(heddle_library name)
  cmake_parse_arguments(arg "HOT" "" "SOURCES;LINK" ${ARGN})
  add_library(heddle_${name} STATIC ${arg_SOURCES})
  target_link_libraries(heddle_${name} PUBLIC heddle_options ${arg_LINK})
  if(HEDDLE_LTO AND arg_HOT)
    target_compile_options(heddle_${name} PRIVATE -flto=auto -ffat-lto-objects)
  endif()
endfunction()

# heddle_test(NAME SOURCES ... LINK ... [TIMEOUT seconds]): a GoogleTest program; every test is a
# process of its own, because a SystemC simulation context can't be used twice.
function(heddle_test name)
  cmake_parse_arguments(arg "" "TIMEOUT" "SOURCES;LINK" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE heddle_options ${arg_LINK} GTest::gmock_main)
  target_compile_definitions(${name} PRIVATE HEDDLE_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
                                             HEDDLE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${arg_TIMEOUT})
endfunction()
