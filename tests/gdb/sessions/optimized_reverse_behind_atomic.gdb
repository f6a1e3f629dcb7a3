# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# The step over the atomic has held the warp until memory had done it, and does so in a repeated run.
#! --kernel maximum --grid 2 --block 32 --arg out:u32[64] --arg 5
#= New value = 5
#= $1 = 1
watch *(unsigned*)0x40000100
continue
delete
break *($pc+4) if $block == 0
continue
set $then = $cycle
stepi
reverse-stepi
print/d $cycle == $then
