# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
heddle_test(smx_parts_test
  SOURCES front_end_test.cpp pipeline_test.cpp
  LINK heddle_divergence heddle_fetch heddle_pipeline heddle_systemc_test)
