# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# gdb believes that threads that may not run do not change, so its registers are flushed. On the
# timed machine the instruction before which thread 1 stands issues in this cycle.
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 2
#= $2 = 0
#= $3 = 0
#functional= $4 = 0
#timed= $4 = 1
#= out u32[4]: 6783 20267 33942 48063
set scheduler-locking on
thread 3
stepi
stepi
maintenance flush register-cache
print $n
thread 2
print $n
thread 4
print $n
thread 1
print $n
set scheduler-locking off
continue
