# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Breakpoint 1, weigh (value=5, i=5)
#= $1 = 5
break weigh if $lane == 5 && $block == 0
continue
print $lane
