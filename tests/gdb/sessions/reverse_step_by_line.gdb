# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Breakpoint 1, weigh ...:{weighed}
#= } else {
#= hit Breakpoint 2, weigh ...:{weigh}
break debugged.cpp:{weighed} if $block == 0 && $warp == 0
continue
delete 1
reverse-step
break weigh if $block == 0 && $warp == 0
reverse-continue
