# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= waits at the barrier: the warps that may run wait for others
#= $1 = 0
#= out u32[4]: 6783 20267 33942 48063
break debugged.cpp:{partial} if $block == 0
continue
delete
set scheduler-locking on
continue
print $block
