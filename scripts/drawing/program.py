# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Runs the programs whose results are drawn."""
import shutil
import subprocess
import sys


def output_of(*command):
    """Standard output of a program; ends this one with a message if it fails."""
    words = [str(word) for word in command]
    try:
        run = subprocess.run(words, capture_output=True, text=True, check=True)
    except FileNotFoundError:
        sys.exit(f"scripts/picture: {words[0]} is missing: scripts/setup release all builds it")
    except subprocess.CalledProcessError as error:
        sys.exit(f"scripts/picture: {' '.join(words)} failed:\n{error.stdout}{error.stderr}")
    return run.stdout


def expect_tools(tools, packages):
    for tool in tools:
        if shutil.which(tool) is None:
            sys.exit(f"scripts/picture: {tool} is missing: apt-get install {packages}")
