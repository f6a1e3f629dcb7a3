# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 1000
#= out u32[4]: 7763 20267 33942 48063
break sum if $block == 0
continue
set var in[10] = 500
print in[10] * 2
delete
continue
