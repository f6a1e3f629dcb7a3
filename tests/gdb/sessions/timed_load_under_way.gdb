# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= => ...lw	a1,
#= a1 ...<unavailable>
#= i = 0
break weigh if $block == 0 && $warp == 0
continue
x/i $pc
stepi
info registers a1
info args
