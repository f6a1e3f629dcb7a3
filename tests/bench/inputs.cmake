# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
add_executable(inputs_bench inputs_bench.cpp)
target_link_libraries(inputs_bench PRIVATE heddle_inputs benchmark::benchmark)
