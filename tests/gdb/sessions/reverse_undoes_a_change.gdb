# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 500
#= $2 = 10
#= out u32[4]: 6783 20267 33942 48063
break sum if $block == 0 && $warp == 0
continue
delete
stepi
stepi
set var ((unsigned*)0x40000100)[10] = 500
print ((unsigned*)0x40000100)[10]
reverse-stepi
print ((unsigned*)0x40000100)[10]
continue
