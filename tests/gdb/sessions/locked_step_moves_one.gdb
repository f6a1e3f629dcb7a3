# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# gdb believes that threads that may not run do not change, so its registers are flushed. On the
# timed machine the instructions that issue in the cycle of the first stop do so.
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 4
#= $2 = 1
#= $3 = 1
#functional= $4 = 1
#timed= $4 = 0
#= out u32[4]: 6783 20267 33942 48063
set $entry = $pc
set scheduler-locking on
thread 3
stepi
stepi
stepi
stepi
maintenance flush register-cache
print $n
thread 2
print/d $n <= 1
thread 4
print/d $n <= 1
thread 1
print/d $pc == $entry
set scheduler-locking off
continue
