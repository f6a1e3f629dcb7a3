# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 1,4 --block 8,4,2 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 3
#= $2 = 2
#= $3 = 1
#= $4 = 1
#= $5 = 0
#= $6 = 1
thread 4
set $lane = 19
print $thread_x
print $thread_y
print $thread_z
print $block
print $block_x
print $block_y
