# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Hardware watchpoint 2: -location partial[3]
#= Old value = 0
#= New value = 15
#= exited normally
break weigh if $block == 0 && $warp == 0
continue
delete 1
watch -location partial[3]
continue
continue
