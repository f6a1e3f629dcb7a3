# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# A change at the point to which one goes back is made again in the runs after it, too.
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 500
#= $2 = 500
#= out u32[4]: 7763 20267 33942 48063
break sum if $block == 0 && $warp == 0
continue
set var ((unsigned*)0x40000100)[10] = 500
delete
stepi
reverse-stepi
print ((unsigned*)0x40000100)[10]
stepi
stepi
reverse-stepi
print ((unsigned*)0x40000100)[10]
continue
