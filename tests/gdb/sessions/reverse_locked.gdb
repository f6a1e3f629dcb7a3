# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 1
#= $2 = 1
#= out u32[4]: 6783 20267 33942 48063
break weigh if i == 70
continue
delete
set scheduler-locking on
set $from = $pc
set $count = $n
stepi
stepi
stepi
print/d $n == $count + 3
reverse-stepi
reverse-stepi
reverse-stepi
print/d $pc == $from && $n == $count
set scheduler-locking off
continue
