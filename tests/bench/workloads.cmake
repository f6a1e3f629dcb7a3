# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
add_executable(workloads_bench workloads_bench.cpp)
target_link_libraries(workloads_bench PRIVATE heddle_workloads heddle_iss benchmark::benchmark)
