# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= in sum (
#= Value returned is $1 = 0
#= $2 = 62
break weigh if $block == 0 && $warp == 0
continue
delete
finish
set $lane = 31
print $a0
