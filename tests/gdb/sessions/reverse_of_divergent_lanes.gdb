# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 0x49249249
#= $2 = 0xffffffff
#= $3 = 0x49249249
break debugged.cpp:{five} if $block == 0 && $warp == 0
continue
delete
print/x $mask
break weigh if $block == 0 && $warp == 0
reverse-continue
print/x $mask
delete
break debugged.cpp:{five} if $block == 0 && $warp == 0
continue
print/x $mask
