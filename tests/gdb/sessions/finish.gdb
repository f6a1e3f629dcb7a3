# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= Run till exit from #0  weigh (value=0, i=0)
#= Value returned is $1 = 0
#= $2 = 64
break weigh
continue
delete
finish
set $lane = 31
print $a0
