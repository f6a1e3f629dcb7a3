# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 77
#= out u32[4]: 6783 20267 33942 48063
break weigh if $block == 0 && $warp == 0
continue
set var partial[7] = 77
print partial[7]
delete
continue
