# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Breakpoint 1, weigh (value=0, i=0) at ...:{five}
#= mask ...0x49249249
#= live ...0xffffffff
#= depth ...0x4
#= hit Breakpoint 2, weigh ...at ...:{other}
#= mask ...0xb6db6db6
break {five} if $block == 0
break {other} if $block == 0
continue
info registers mask live depth
delete 1
continue
info registers mask
