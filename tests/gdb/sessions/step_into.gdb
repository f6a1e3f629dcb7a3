# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Breakpoint 1...sum
#= weigh (value=0, i=0) at ...:{weigh}
break sum if $block == 0 && $warp == 0
continue
advance weigh
