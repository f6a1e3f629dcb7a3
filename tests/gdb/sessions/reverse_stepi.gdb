# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 1
#= $2 = 1
#= $3 = 1
break weigh if i == 70
continue
delete
set $from = $pc
set $count = $n
stepi
print/d $n == $count + 1
reverse-stepi
print/d $pc == $from
print/d $n == $count
