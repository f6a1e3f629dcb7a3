# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256
#= * 1 ...Thread 1 "SMX 0 block (0,0,0) warp 0" (runs)
#= 2 ...Thread 2 "SMX 0 block (0,0,0) warp 1" (runs)
#= 3 ...Thread 3 "SMX 1 block (1,0,0) warp 0" (runs)
info threads
