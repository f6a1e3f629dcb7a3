# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors

# One simulation a process, so that this benchmark brings its own measuring loop.
add_executable(pins_bench pins_bench.cpp)
target_link_libraries(pins_bench PRIVATE heddle_pin_blocks heddle_dram)
add_test(NAME pins_bench.quick COMMAND pins_bench 1000)
set_tests_properties(pins_bench.quick PROPERTIES TIMEOUT 60)
