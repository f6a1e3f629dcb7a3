# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
add_executable(isa_bench isa_bench.cpp)
target_link_libraries(isa_bench PRIVATE heddle_isa benchmark::benchmark)
