# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= out u32[4]: 6881 20267 33942 48063
break debugged.cpp:{weighed} if i == 1
continue
set var weight = 100
delete
continue
