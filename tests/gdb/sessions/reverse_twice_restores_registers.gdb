# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 1
#= $2 = 1
#= $3 = 1
#= $4 = 1
break weigh if i == 70
continue
delete
set $r0 = $a0
set $r1 = $a1
set $r2 = $sp
set $r3 = $pc
stepi
stepi
reverse-stepi
reverse-stepi
print/d $a0 == $r0
print/d $a1 == $r1
print/d $sp == $r2
print/d $pc == $r3
