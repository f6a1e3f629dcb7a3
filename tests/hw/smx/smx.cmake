# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
heddle_test(smx_parts_test
  SOURCES front_end_test.cpp pipeline_test.cpp
  LINK heddle_divergence heddle_fetch heddle_pipeline heddle_systemc_test)

heddle_test(smx_test
  SOURCES smx_coherence_test.cpp smx_fault_test.cpp smx_testbench_test.cpp smx_timing_test.cpp
  LINK heddle_smx_bench heddle_systemc_test)
add_dependencies(smx_test smx_tb heddle_kernel_smx_tb heddle_kernel_iss_fault
                 heddle_kernel_iss_control)
