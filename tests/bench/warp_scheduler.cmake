# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors

add_executable(warp_scheduler_bench warp_scheduler_bench.cpp)
target_link_libraries(warp_scheduler_bench PRIVATE heddle_warp_scheduler benchmark::benchmark)
