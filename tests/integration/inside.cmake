# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
heddle_kernel(planted SOURCES kernels/planted_kernel.cpp)
heddle_test(inside_test
  SOURCES compare_test.cpp inside_test.cpp outputs_test.cpp planted_lines_test.cpp records_test.cpp timeline_test.cpp
          waveform_view_test.cpp
  LINK heddle_process_for_tests nlohmann_json::nlohmann_json Boost::iostreams
  APART planted_lines_test.cpp timeline_test.cpp)
add_dependencies(inside_test heddle heddle_kernel_device_launch heddle_kernel_iss_control heddle_kernel_iss_memory heddle_kernel_planted)
