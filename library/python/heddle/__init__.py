# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Heddle, a cycle-level model of a GPU, from Python.

    import heddle

    with heddle.Machine("gk110", smx={"scheduler": "gto"}) as m:
        m.load("vector_add.cpp")
        a = m.array([1.0, 2.0, 3.0])
        b = m.array([4.0, 5.0, 6.0])
        total = m.zeros(3)
        m.launch("vector_add", grid=1, block=32, args=[3, a, b, total])
        print(total.read(), m.statistics["gpu.cycles"])

Machine     a GPU with its program, buffers, launches, statistics and parameters
Buffer      memory of the device; made by Machine.array() and Machine.zeros()
Event       work that can be waited for; made by Machine.record()
Launched    a launch and its times; made by Machine.launch()
Retired     what an instruction did; given by Machine.retired()
Lockstep    a machine whose kernels run on a core that is not Heddle's, and are compared
Local       argument for a __local pointer of OpenCL
Error       what goes wrong: UsageError, KernelFault, NoProgress, WrongResult, Interrupted

NumPy is used where it is installed, and is not needed. The page about this package is docs/python.md.
"""
from ._errors import (Error, Interrupted, KernelFault, LibraryError, NoProgress, UsageError,
                      WrongResult)
from ._library import VERSION as __version__
from ._lockstep import Difference, Launch, Lockstep
from ._machine import Event, Launched, Machine, Times
from ._memory import Buffer, Local
from ._program import Kernel, KernelParameter
from ._retired import Retired
from ._tables import Parameter, Parameters, Statistic, Statistics

__all__ = ["Buffer", "Difference", "Error", "Event", "Interrupted", "Kernel", "KernelFault", "KernelParameter",
           "Launch", "Launched", "LibraryError", "Local", "Lockstep", "Machine", "NoProgress", "Parameter", "Parameters",
           "Retired", "Statistic", "Statistics", "Times", "UsageError", "WrongResult"]
