# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 1
#= $2 = 1
set scheduler-locking on
thread 2
set $before = $n
thread 3
stepi
stepi
print/d $n == 2
thread 2
print/d $n == $before
