# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""netlist.svg, the modules of gk110 and the links between them. Needs, beside
scripts/packages.txt, the Debian package graphviz."""
import tempfile

from drawing.program import expect_tools, output_of


def netlist(heddle, file):
    expect_tools(("dot",), "graphviz")
    with tempfile.NamedTemporaryFile(suffix=".dot") as graph:
        output_of(heddle, "describe", "netlist", "gk110", "-o", graph.name)
        output_of("dot", "-Tsvg", "-o", file, graph.name)
