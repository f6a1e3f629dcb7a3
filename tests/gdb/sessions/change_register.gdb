# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 12
#= $2 = 0
break weigh if $block == 0 && $warp == 0
continue
set $lane = 3
set $a5 = 12
print $a5
set $lane = 4
print $a5
