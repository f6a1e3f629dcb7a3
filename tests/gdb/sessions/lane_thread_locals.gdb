# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= warp 0 lane 31"...weigh (value=31, i=31)
break weigh if $block == 0 && $warp == 0
continue
monitor lanes warp
info threads
