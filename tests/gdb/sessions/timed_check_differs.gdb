# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
# A register that is changed behind the check's back stands for a mistake of the machine.
#! --kernel sum --grid 4 --block 64 --arg in:u32[256]=iota --arg out:u32[4] --arg 256 --check
#= heddle: ...
#= received signal SIGABRT
#= weigh (
break weigh if i == 70
continue
delete
stepi
set $a0 = 99
continue
backtrace 1
