# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# Language, warnings, optimisation and instrumentation that every target shares.
set(CMAKE_CXX_STANDARD 17) # Debian's libsystemc is a C++17 build
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)

option(HEDDLE_BUILD_TESTS "Build testbenches, tests and benchmarks" ON)
option(HEDDLE_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
option(HEDDLE_SANITIZE_THREADS "Thread sanitizer" OFF)
option(HEDDLE_FUZZ "libFuzzer drives the fuzz targets, with both sanitizers (clang)" OFF)
option(HEDDLE_COVERAGE "Line and branch coverage" OFF)
option(HEDDLE_UNITY "Compile several sources of a library at once: cheaper cold builds" OFF)
option(HEDDLE_LTO "Optimise the heddle command across its hot libraries when it is linked" OFF)
set(HEDDLE_MARCH "x86-64-v3" CACHE STRING
    "Processor that the lane loops are compiled for (x86-64 for the oldest)")

find_program(HEDDLE_CCACHE ccache)
if(HEDDLE_CCACHE)
  # The first two let it take precompiled headers, the others those that CMake has just written.
  set(sloppiness pch_defines,time_macros,include_file_mtime,include_file_ctime)
  set(CMAKE_CXX_COMPILER_LAUNCHER env "CCACHE_SLOPPINESS=${sloppiness}" "${HEDDLE_CCACHE}")
endif()

add_library(heddle_options INTERFACE)
target_include_directories(heddle_options INTERFACE
  "$<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>" "$<INSTALL_INTERFACE:${HEDDLE_INSTALL_HEADERS}>")
target_compile_features(heddle_options INTERFACE cxx_std_17)
target_compile_options(heddle_options INTERFACE
  "$<BUILD_INTERFACE:-Wall;-Wextra;-Wpedantic;-Werror>"
  # ccache sees precompiled headers by it
  "$<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>>"
  # KiB at which gcc begins to collect garbage: a twelfth of its time, for a third more memory.
  "$<BUILD_INTERFACE:$<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=524288>>"
  # The IEEE results of the lane loops must not depend on contraction.
  -ffp-contract=off -fno-math-errno -fno-trapping-math)
# libheddle.so is made of the objects of everything else. No symbol is meant to be interposed:
# calls within it stay direct.
target_compile_options(heddle_options INTERFACE
  $<BUILD_INTERFACE:-fPIC> $<BUILD_INTERFACE:-fno-semantic-interposition>)
heddle_install_library(heddle_options)
if(HEDDLE_MARCH)
  target_compile_options(heddle_options INTERFACE "-march=${HEDDLE_MARCH}")
endif()
if(HEDDLE_SANITIZE)
  target_compile_options(heddle_options INTERFACE -fsanitize=address,undefined
    -fno-sanitize-recover=all -fno-omit-frame-pointer
    # gcc's analysis sees ghosts in instrumented standard headers (std::regex).
    -Wno-maybe-uninitialized)
  target_link_options(heddle_options INTERFACE -fsanitize=address,undefined)
endif()
if(HEDDLE_SANITIZE_THREADS)
  target_compile_options(heddle_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(heddle_options INTERFACE -fsanitize=thread)
endif()
# hw/base/crew.h: each access to an inbox knows its thread.
target_compile_definitions(heddle_options INTERFACE
  $<$<OR:$<CONFIG:Debug>,$<BOOL:${HEDDLE_SANITIZE_THREADS}>>:HEDDLE_CHECK_LANES>)
if(HEDDLE_FUZZ)
  target_compile_options(heddle_options INTERFACE -fsanitize=fuzzer-no-link,address,undefined
    -fno-sanitize-recover=all -fno-omit-frame-pointer
    -w) # the other builds judge warnings
  target_link_options(heddle_options INTERFACE -fsanitize=address,undefined)
endif()
if(HEDDLE_COVERAGE)
  target_compile_options(heddle_options INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(heddle_options INTERFACE --coverage)
endif()
if(HEDDLE_LTO)
  # Of the programs only those that ask for it: the others link the ordinary code, in less time.
  target_link_options(heddle_options INTERFACE
    $<IF:$<BOOL:$<TARGET_PROPERTY:HEDDLE_LTO>>,-flto=auto,-fno-lto>)
endif()
