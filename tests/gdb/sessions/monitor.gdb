# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= monitor cycle
#= monitor waits
#= there is no 'monitor nonsense'
#timed= gpu.cycles ... cycle
#= no statistic has a name like 'nonsense.*'
#= SMX 0 block (0,0,0) warp 0: runs
#=   lanes 0xffffffff run at
monitor help
monitor nonsense
monitor stats gpu.cycles
monitor stats nonsense.*
monitor where
