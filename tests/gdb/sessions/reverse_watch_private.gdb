# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= New value = 1
#= New value = 2
#= Old value = 2
#= New value = 1
break weigh if i == 70
continue
delete 1
watch -location weight
continue
continue
reverse-continue
