# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# heddle_lay_out(TARGET): with HEDDLE_LAYOUT, the code of a linked program is laid out by what short
# runs execute (lay_out_code.py). Without llvm-bolt the program stays as it was linked.
option(HEDDLE_LAYOUT "Lay out the code of the heddle command by runs, with llvm-bolt" OFF)

function(heddle_lay_out target)
  if(NOT HEDDLE_LAYOUT)
    return()
  endif()
  # Debian's name in the path, llvm-bolt-19, would not find its library of instrumentation.
  find_program(HEDDLE_LLVM_BOLT llvm-bolt PATHS /usr/lib/llvm-19/bin)
  find_package(Python3 COMPONENTS Interpreter)
  if(NOT HEDDLE_LLVM_BOLT OR NOT Python3_FOUND)
    message(STATUS "No llvm-bolt (bolt-19) or python3: ${target} is 5 to 10 % slower")
    return()
  endif()
  set(script "${CMAKE_SOURCE_DIR}/scripts/cmake/lay_out_code.py")
  set(runs "${CMAKE_SOURCE_DIR}/scripts/cmake/layout_runs.txt")
  # llvm-bolt follows code by the relocations, and parts of functions by names: only within one
  # partition have functions of their own names of their own.
  target_link_options(${target} PRIVATE -Wl,--emit-relocs
    $<$<BOOL:${HEDDLE_LTO}>:-flto-partition=one>)
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS "${script}" "${runs}")
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND "${Python3_EXECUTABLE}" "${script}" "${HEDDLE_LLVM_BOLT}" "$<TARGET_FILE:${target}>" "${runs}"
    COMMENT "Laying out the code of ${target}"
    VERBATIM)
endfunction()
