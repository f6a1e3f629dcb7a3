# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel writes --block 32 --arg out:u32[32] --arg 4
#= SMX 0 block (0,0,0) warp 0 lane 0: access at ...debugged.cpp:{write} in writes
#= SMX 0 block (0,0,0) warp 0 lane 1: access at ...debugged.cpp:{write} in writes
#= New value = 10
#= $1 = 1
watch written
continue
print $lane
