# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= [Switching to thread 3
#= $1 = 1
#= $2 = 1
#= $3 = 0
thread 3
print $smx
print $block
thread 2
print $block
