# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors

add_executable(lsu_bench lsu_bench.cpp)
target_link_libraries(lsu_bench PRIVATE heddle_lsu heddle_shared_memory benchmark::benchmark)
