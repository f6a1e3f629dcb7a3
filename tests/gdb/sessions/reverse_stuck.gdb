# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# Where no warp which may run can go on, the others run from there on in a repeated run, too.
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= waits at the barrier: the warps that may run wait for others
#= $1 = 1
#functional= $2 = 1
#= out u32[4]: 6783 20267 33942 48063
break debugged.cpp:{partial} if $block == 1
continue
delete
set scheduler-locking on
continue
print $block
set scheduler-locking off
break weigh if $block == 3 && $warp == 0
continue
delete
stepi
set $then = $cycle
stepi
reverse-stepi
print/d $cycle == $then
continue
