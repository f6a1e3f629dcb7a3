# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors

add_executable(protocol_bench protocol_bench.cpp)
target_link_libraries(protocol_bench PRIVATE heddle_protocol benchmark::benchmark)
