# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= $1 = 0x49249249
#= $2 = 0xffffffff
#= $3 = 0xffffffff
#= $4 = 1
#= $5 = 1
break debugged.cpp:{five} if $block == 0 && $warp == 0
continue
print/x $stack_mask[0]
print/x $stack_mask[$depth-2]
print/x $stack_mask[$depth-1]
print/d $stack_pc[0] == $pc
print/d $stack_join[0] == $stack_pc[1]
