# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Breakpoint 2, weigh (value=1, i=1) at ...:{other}
#= mask ...0xb6db6db6
#= live ...0xffffffff
#= depth ...0x4
#= hit Breakpoint 1, weigh (value=0, i=0) at ...:{five}
#= mask ...0x49249249
break debugged.cpp:{five} if $block == 0 && $warp == 0
break debugged.cpp:{other} if $block == 0 && $warp == 0
continue
info registers mask live depth
delete 2
continue
info registers mask
