# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= warp 0...waits at the barrier
break debugged.cpp:{partial} if $warp == 1 && $block == 0
continue
next
monitor waits
