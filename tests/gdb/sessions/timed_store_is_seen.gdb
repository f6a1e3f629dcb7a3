# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# The store has issued, and memory does not have it yet: its thread sees it.
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 5
#= $2 = 1
#= $3 = 2
break debugged.cpp:{weighed} if $block == 0 && $warp == 0
continue
print weight
set $lane = 3
print/d weight == 5
set $lane = 1
print weight
