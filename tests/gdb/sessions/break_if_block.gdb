# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= block (3,0,0) warp ...hit Breakpoint 1, weigh
#= $1 = 3
#= block (3,0,0) warp ...hit Breakpoint 1, weigh
#= exited normally
break weigh if $block == 3
continue
print $block_x
continue
continue
