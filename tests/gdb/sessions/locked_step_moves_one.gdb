# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# On the timed machine the instruction before which warp 1 stands issues in this cycle.
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 1
#= $2 = 1
#functional= $3 = 0
#timed= $3 = 1
#= out u32[4]: 6783 20267 33942 48063
set scheduler-locking on
thread 2
set $before = $n
thread 3
stepi
stepi
print/d $n == 2
thread 2
print/d $n == $before
thread 1
print $n
set scheduler-locking off
continue
