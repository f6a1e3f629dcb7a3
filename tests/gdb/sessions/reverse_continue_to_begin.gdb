# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Breakpoint 1, weigh
#= No more reverse-execution history.
#= $1 = 0
break weigh if $block == 0 && $warp == 0
continue
reverse-continue
print $n
