# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= New value = 15
#= Old value = 15
#= New value = 0
#= $1 = 0
break weigh if $block == 0 && $warp == 0
continue
delete 1
watch -location partial[3]
continue
reverse-continue
print partial[3]
