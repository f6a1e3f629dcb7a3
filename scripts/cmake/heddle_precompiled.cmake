# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# Headers of others that most sources include, compiled once for each set of flags. Headers of the
# project are not among them: a change would compile everything again. The untimed models gain
# nothing by it, as the little that they include is read as fast as a precompiled header.
set(heddle_headers_standard <algorithm> <array> <cstdint> <cstring> <deque> <filesystem> <functional> <map>
    <memory> <optional> <string> <string_view> <unordered_map> <utility> <variant> <vector>)
set(heddle_headers_systemc <systemc> <tlm> <tlm_utils/multi_passthrough_initiator_socket.h>
    <tlm_utils/multi_passthrough_target_socket.h> <tlm_utils/simple_initiator_socket.h>)
set(heddle_headers_test <fstream> <iostream> <set> <sstream> <gmock/gmock.h>)
set(heddle_precompiled_hw ${heddle_headers_standard} ${heddle_headers_systemc})
set(heddle_precompiled_hot ${heddle_headers_standard} ${heddle_headers_systemc})
set(heddle_precompiled_tests ${heddle_headers_standard} ${heddle_headers_test})
set(heddle_precompiled_timed_tests ${heddle_headers_standard} ${heddle_headers_systemc} ${heddle_headers_test})
set(heddle_precompiled_testbenches ${heddle_precompiled_timed_tests})

# heddle_kind(TARGET KIND): how TARGET is compiled beside what all have, and which headers are
# precompiled for it. Kinds: hw; hot, where simulated cycles spend their time; tests; timed_tests,
# which link SystemC (its headers alone need the library); testbenches.
function(heddle_kind target kind)
  heddle_kind_options(${target} ${kind})
  set(holder heddle_precompiled_${kind})
  if(NOT TARGET ${holder})
    add_library(${holder} OBJECT "${CMAKE_SOURCE_DIR}/scripts/cmake/precompiled.cpp")
    # The headers of SystemC are those of the library that is linked.
    target_link_libraries(${holder} PRIVATE heddle_options)
    if(NOT kind STREQUAL "tests")
      target_link_libraries(${holder} PRIVATE HeddleSystemC::systemc)
    endif()
    heddle_kind_options(${holder} ${kind})
    target_precompile_headers(${holder} PRIVATE ${heddle_precompiled_${kind}})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${holder})
endfunction()

function(heddle_kind_options target kind)
  if(kind STREQUAL "hot" AND HEDDLE_LTO)
    # Objects for the linker's optimisation, beside ordinary code.
    target_compile_options(${target} PRIVATE -flto=auto -ffat-lto-objects)
  elseif(kind MATCHES "^(tests|timed_tests|testbenches)$")
    # They call the optimised libraries. What their own code would gain is less than the compiler
    # takes, but for testbenches: they have traffic and checks of a whole run.
    if(kind STREQUAL "testbenches")
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
    else()
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
    endif()
    target_compile_definitions(${target} PRIVATE GTEST_HAS_PTHREAD=1)
  endif()
endfunction()
