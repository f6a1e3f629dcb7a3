# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors

add_executable(tm_bench tm_bench.cpp)
target_link_libraries(tm_bench PRIVATE heddle_transactional_memory benchmark::benchmark)
