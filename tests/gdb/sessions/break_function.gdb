# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Breakpoint 1, weigh (value=0, i=0) at ...debugged.cpp:{weigh}
#= #0 ...weigh (value=0, i=0) at
#= #1 ...in sum (in=0x40000100, out=0x40000500, n=256) at
break weigh if $block == 0 && $warp == 0
continue
backtrace 2
