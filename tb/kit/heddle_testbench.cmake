# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors

# heddle_testbench(NAME [SOURCES ...] LINK ... [SEEDS ...]): the program <build>/tb/NAME_tb from
# NAME_tb.cpp, and one test per seed.
function(heddle_testbench name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK;SEEDS" ${ARGN})
  if(NOT arg_SOURCES)
    set(arg_SOURCES ${name}_tb.cpp)
  endif()
  add_executable(${name}_tb ${arg_SOURCES})
  heddle_unity(${name}_tb 8)
  target_link_libraries(${name}_tb PRIVATE heddle_testbench_kit ${arg_LINK})
  heddle_kind(${name}_tb testbenches)
  set_target_properties(${name}_tb PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tb")
  foreach(seed IN LISTS arg_SEEDS)
    add_test(NAME ${name}_tb.seed_${seed} COMMAND ${name}_tb --seed ${seed})
    set_tests_properties(${name}_tb.seed_${seed} PROPERTIES TIMEOUT 60)
  endforeach()
endfunction()
