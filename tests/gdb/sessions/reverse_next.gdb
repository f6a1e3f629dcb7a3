# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= debugged.cpp:{weigh}
#= if (weight == 0)
#= unsigned weight = i % 3;
break weigh if $block == 0 && $warp == 0
continue
delete
next
reverse-next
