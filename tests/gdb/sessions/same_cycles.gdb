# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Breakpoint 1
#= hit Breakpoint 1
#timed= cycles ... 10661
#= warp instructions ... 6236
break weigh if $lane == 3 && $block == 2
continue
continue
continue
