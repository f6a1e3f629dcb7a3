# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Heddle's end of gdb's remote protocol, spoken to without gdb: debuggers that behave badly."""
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import time
import unittest

HEDDLE = os.environ["HEDDLE_COMMAND"]
ELF = os.environ["HEDDLE_DEBUGGED"]
SUM = ["--kernel", "sum", "--grid", "4", "--block", "64", "--arg", "in:u32[256]=iota",
       "--arg", "out:u32[4]", "--arg", "256"]
RESULT = "out u32[4]: 6783 20267 33942 48063"
SPIN = ["--kernel", "spin", "--block", "32", "--arg", "out:u32[2]"]


def framed(text):
    return f"${text}#{sum(text.encode('latin-1')) & 255:02x}".encode("latin-1")


class Line:
    """A debugger's line to a run that waits for one."""

    def __init__(self, arguments, functional=True):
        machine = ["--functional"] if functional else ["--config", "tiny"]
        self.run = subprocess.Popen([HEDDLE, "run", ELF, *arguments, *machine, "--gdb", "0"],
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.said = self.run.stderr.readline()
        self.port = int(re.search(r"localhost:(\d+)", self.said).group(1))
        self.socket = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        self.bytes = b""

    def send(self, data):
        self.socket.sendall(data)

    def receive(self):
        """The next packet's text."""
        while True:
            found = re.match(rb"[+-]*\$([^#]*)#..", self.bytes, re.DOTALL)
            if found:
                self.bytes = self.bytes[found.end():]
                return self.plain(found.group(1).decode("latin-1"))
            more = self.socket.recv(65536)
            if not more:
                raise EOFError
            self.bytes += more

    @staticmethod
    def plain(text):
        text = re.sub(r"(.)\*(.)", lambda f: f[1] * (ord(f[2]) - 28), text, flags=re.DOTALL)
        return re.sub(r"}(.)", lambda f: chr(ord(f[1]) ^ 32), text, flags=re.DOTALL)

    def ask(self, text):
        self.send(framed(text))
        return self.receive()

    def end(self):
        self.socket.close()
        output, errors = self.run.communicate(timeout=20)
        return self.run.returncode, output, errors


class Remote(unittest.TestCase):
    def setUp(self):
        self.lines = []

    def tearDown(self):
        for line in self.lines:
            line.socket.close()
            if line.run.poll() is None:
                line.run.kill()
            line.run.communicate()

    def line(self, *arguments, **options):
        line = Line(*arguments, **options)
        self.lines.append(line)
        return line

    def test_leaves_without_a_word(self):
        line = self.line(SUM)
        self.assertTrue(line.ask("?").startswith("T05thread:1;"))
        code, output, errors = line.end()
        self.assertEqual(code, 0)
        self.assertIn(RESULT, output)
        self.assertEqual(errors, "")

    def test_leaves_in_the_middle_of_a_packet(self):
        for functional in (True, False):
            line = self.line(SUM, functional=functional)
            line.ask("?")
            line.send(b"$m400000")
            code, output, errors = line.end()
            self.assertEqual(code, 0)
            self.assertIn(RESULT, output)
            self.assertIn("the debugger has left in the middle of a packet", errors)

    def test_leaves_while_the_machine_runs(self):
        line = self.line(SPIN + ["--set", "iss.watchdog=3000000"])
        line.ask("?")
        line.send(framed("vCont;c"))
        code, _, errors = line.end()
        self.assertEqual(code, 4)
        self.assertIn("no progress", errors)

    def test_second_debugger_is_refused(self):
        line = self.line(SUM)
        line.ask("?")
        with self.assertRaises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", line.port), timeout=5)
        self.assertEqual(line.ask("D"), "OK")
        self.assertEqual(line.end()[0], 0)

    def test_port_in_use(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            done = subprocess.run([HEDDLE, "run", ELF, *SUM, "--functional", "--gdb", str(port)],
                                  capture_output=True, text=True, timeout=20, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(f"--gdb {port}: Address already in use; legal: a free port", done.stderr)

    def test_port_is_no_number(self):
        for port in ("70000", "-1", "x"):
            done = subprocess.run([HEDDLE, "run", ELF, *SUM, "--gdb", port],
                                  capture_output=True, text=True, timeout=20, check=False)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn("--gdb", done.stderr)

    def test_gdb_is_not_installed(self):
        for machine in ("--functional", "--config=tiny"):
            done = subprocess.run([HEDDLE, "gdb", ELF, *SUM, machine], env={"PATH": "/nowhere"},
                                  capture_output=True, text=True, timeout=20, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("gdb-multiarch is not installed", done.stderr)

    @unittest.skipIf(shutil.which("gdb-multiarch") is None, "gdb-multiarch is not installed")
    def test_gdb_ends_without_connecting(self):
        run = subprocess.Popen([HEDDLE, "gdb", ELF, *SPIN, "--functional", "--gdb-arg=--version"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
        self.addCleanup(run.kill)
        self.assertEqual(run.stderr.readline(),
                         "heddle: no debugger has come; the run goes on without one\n")
        time.sleep(0.2)
        run.send_signal(signal.SIGINT)
        run.communicate(timeout=20)
        self.assertEqual(run.returncode, 130)

    def test_machine_without_warp_slots(self):
        done = subprocess.run([HEDDLE, "run", ELF, *SUM, "--gdb", "0", "--set",
                               "smx.formation=dwf"],
                              capture_output=True, text=True, timeout=20, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("a debugger needs warps with slots of their own; legal: smx.formation = pdom",
                      done.stderr)

    def test_kill(self):
        for packet in ("vKill;1", "k"):
            line = self.line(SUM)
            line.ask("?")
            line.send(framed(packet))
            code, output, errors = line.end()
            self.assertEqual(code, 130)
            self.assertIn("the debugger has killed the run", errors)
            self.assertNotIn(RESULT, output)

    def test_interrupt(self):
        for functional in (True, False):
            line = self.line(SPIN, functional=functional)
            line.ask("?")
            line.send(framed("vCont;c"))
            line.send(b"\x03")
            self.assertTrue(line.receive().startswith("T02thread:1;"))
            self.assertEqual(line.ask("M40000100,4:01000000"), "OK")
            line.send(framed("vCont;c"))
            self.assertEqual(line.receive(), "W00")
            code, output, _ = line.end()
            self.assertEqual(code, 0)
            self.assertIn("out u32[2]: 1 7", output)

    def test_interrupt_after_a_warp_was_held(self):
        """It was about to execute an instruction: an event that nothing settles."""
        line = self.line([word if word != "32" else "64" for word in SPIN])
        line.ask("?")
        line.send(framed("vCont;c:2"))
        time.sleep(0.2)
        line.send(b"\x03")
        self.assertTrue(line.receive().startswith("T02thread:"))
        self.assertEqual(line.ask("M40000100,4:01000000"), "OK")
        line.send(framed("vCont;c"))
        self.assertEqual(line.receive(), "W00")

    def test_interrupt_of_a_way_back(self):
        for functional in (True, False):
            line = self.line(SPIN, functional=functional)
            line.ask("?")
            line.send(framed("vCont;c"))
            time.sleep(1)
            line.send(b"\x03")
            self.assertTrue(line.receive().startswith("T02thread:1;"))
            line.send(framed("bc"))
            line.send(b"\x03")
            self.assertTrue(line.receive().startswith("T02thread:1;"))
            self.assertEqual(line.ask("M40000100,4:01000000"), "OK")
            line.send(framed("vCont;c"))
            self.assertEqual(line.receive(), "W00")
            self.assertIn("out u32[2]: 1 7", line.end()[1])

    def test_leaves_on_the_way_back(self):
        for functional in (True, False):
            line = self.line(SPIN, functional=functional)
            line.ask("?")
            line.send(framed("vCont;c"))
            time.sleep(1)
            line.send(b"\x03")
            line.receive()
            line.send(framed("bc"))
            time.sleep(0.2)
            line.send(b"$m400000")
            line.socket.close()
            self.assertIn("the debugger has left in the middle of a packet",
                          line.run.stderr.readline())

    def test_broken_checksum_is_asked_for_again(self):
        line = self.line(SUM)
        line.send(b"$?#00")
        self.assertEqual(line.socket.recv(1), b"-")
        self.assertTrue(line.ask("?").startswith("T05"))

    def test_bad_packets_are_refused(self):
        line = self.line(SUM)
        line.ask("?")
        for packet, answer in (("m", "E01"), ("mzz,4", "E01"), ("m40000100", "E01"),
                               ("m0,4", "E03"), ("M40000100,4:00", "E01"), ("M0,1:00", "E03"),
                               ("P20=00000000", "E04"), ("P21=ff000000", "E04"), ("P0", "E01"),
                               ("Hg77", "E02"), ("T77", "E02"), ("Z0,", "E01"), ("Z9,1,1", ""),
                               ("Z2,40000100,0", "E03"), ("Z0,10000,4;X5,22", "E01"),
                               ("vCont", "E01"), ("vCont;x", "E01"), ("vCont;s:77", "E02"),
                               ("qXfer:features:read:target.xml:fffff,10", "E01"),
                               ("qXfer:nothing:read::0,10", ""), ("vMustReplyEmpty", ""),
                               ("qRcmd,6", "E01"), ("G00", ""), ("p999", "")):
            self.assertEqual(line.ask(packet), answer, packet)
        self.assertEqual(line.ask("D"), "OK")
        self.assertIn(RESULT, line.end()[1])

    def test_too_long_a_packet(self):
        line = self.line(SUM)
        line.send(b"$" + b"0" * 200000 + b"#00")
        self.assertEqual(line.socket.recv(1), b"-")
        self.assertTrue(line.ask("?").startswith("T05"))

    def test_registers_by_lane(self):
        line = self.line(SUM)
        line.ask("?")
        self.assertEqual(line.ask("P21=05000000"), "OK")
        self.assertEqual(line.ask("p21"), "05000000")
        self.assertEqual(line.ask("Pa=78563412"), "OK")
        self.assertEqual(line.ask("pa"), "78563412")
        line.ask("P21=06000000")
        self.assertEqual(line.ask("pa"), "000000c0")
        self.assertEqual(line.ask("g")[:8], "00000000")

    def test_random_packets(self):
        """Whatever comes, the run ends well: none of these changes it."""
        source = random.Random(7)
        shapes = ["m{:x},{:x}", "Z0,{:x},{:x}", "z0,{:x},{:x}", "Hg{:x}", "T{:x}", "p{:x}",
                  "qXfer:threads:read::{:x},{:x}", "qXfer:features:read:target.xml:{:x},{:x}",
                  "qThreadExtraInfo,{:x}", "Z2,{:x},{:x}", "z2,{:x},{:x}", "vCont;r{:x}:{:x}",
                  "P{:x}={:x}", "qRcmd,{:x}", "M{:x},{:x}:", "X{:x},{:x}:"]
        line = self.line(SUM)
        line.ask("?")
        for _ in range(3000):
            if source.random() < 0.5:
                text = source.choice(shapes).format(source.randrange(1 << source.randrange(1, 34)),
                                                    source.randrange(1 << source.randrange(1, 34)))
                if re.match(r"P(1?[0-9a-f])=", text):
                    continue  # a register of the kernel
            else:
                text = "".join(chr(source.randrange(32, 127)) for _ in range(source.randrange(40)))
                text = re.sub(r"[$#}*]", "!", text)
                if text[:1] in "DkbvMXPG?" or not text:
                    continue
            line.ask(text)
        for watched in list(range(3)):
            line.ask(f"z{watched},0,0")
        line.send(framed("D"))
        self.assertIn(RESULT, line.end()[1])


if __name__ == "__main__":
    unittest.main()
