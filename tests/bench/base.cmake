# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
add_executable(base_bench base_bench.cpp)
target_link_libraries(base_bench PRIVATE heddle_base benchmark::benchmark benchmark::benchmark_main)
