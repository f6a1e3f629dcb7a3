# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 0
#= $2 = 5
#= value = 5
#= i = 5
#= value = 9
#= i = 9
#= $3 = 9
break weigh if $block == 0 && $warp == 0
continue
print i
set $lane = 5
print i
info args
set $lane = 9
info args
print $thread_x
