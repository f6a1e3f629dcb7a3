# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= hit Hardware read watchpoint 2: -location partial[3]
#= Value = 15
break weigh if $block == 0 && $warp == 0
continue
delete 1
rwatch -location partial[3]
continue
