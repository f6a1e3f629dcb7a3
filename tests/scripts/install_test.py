# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""An installed Heddle, and a project of somebody else that is built against it."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD = pathlib.Path(os.environ["HEDDLE_BUILD"])
SOURCE = pathlib.Path(__file__).resolve().parents[2]
# Where the SystemC is that Heddle was built with, unless pkg-config names it.
SYSTEMC = re.findall("^SystemCLanguage_DIR:PATH=(/.*)$", (BUILD / "CMakeCache.txt").read_text(), re.M)
# A build on two cores takes half a minute; a program that hangs is no reason to wait for the test's end.
PATIENCE = 300


def called(*command, **settings):
    return subprocess.run([str(part) for part in command], capture_output=True, text=True,
                          timeout=PATIENCE, check=False, **settings)


class InstalledTest(unittest.TestCase):
    """Installs once, and moves what was installed: nothing may depend on the place."""

    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        first = cls.folder / "first"
        done = called("cmake", "--install", BUILD, "--prefix", first)
        assert done.returncode == 0, done.stderr
        cls.prefix = cls.folder / "prefix"
        first.rename(cls.prefix)
        cls.project = cls.folder / "project"
        shutil.copytree(SOURCE / "docs/examples/embedding", cls.project)
        shutil.copy(SOURCE / "docs/examples/vector_add.cpp", cls.project)

    def configured(self, folder, *settings, **environment):
        return called("cmake", "-S", self.project, "-B", self.folder / folder, "-G", "Ninja",
                      f"-DCMAKE_PREFIX_PATH={self.prefix}",
                      *(f"-DSystemCLanguage_DIR={where}" for where in SYSTEMC), *settings,
                      env={**os.environ, **environment})

    def test_no_file_names_the_source_tree(self):
        for file in (*self.prefix.glob("include/**/*"), *self.prefix.glob("lib/**/*.cmake")):
            if file.is_file():
                for folder in (SOURCE, BUILD):
                    self.assertNotIn(str(folder), file.read_text(), file)

    def test_the_command_writes_reports(self):
        page = self.folder / "page.html"
        done = called(self.prefix / "bin/heddle", "run", "saxpy", "--config", "tiny", "--report", page)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("saxpy on tiny", page.read_text("utf-8"))
        self.assertEqual(list(self.prefix.rglob("__pycache__")), [])

    def test_the_command_reads_its_own_files(self):
        command = self.prefix / "bin/heddle"
        (self.prefix / "share/heddle/configs/mine.toml").write_text('inherits = "tiny"\n')
        listed = called(command, "list", "configs")
        self.assertIn("mine", listed.stdout, listed.stderr)
        shutil.move(self.prefix / "share/heddle/kernels/saxpy.elf", self.folder)
        broken = called(command, "run", "saxpy", "--config", "mine")
        shutil.move(self.folder / "saxpy.elf", self.prefix / "share/heddle/kernels")
        self.assertIn(f"{self.prefix}/share/heddle/kernels/saxpy.elf", broken.stderr)
        run = called(command, "run", "saxpy", "--config", "mine")
        self.assertEqual(run.returncode, 0, run.stderr)
        compiled = called(command, "compile", self.project / "vector_add.cpp", "-o",
                          self.folder / "vector_add.elf")
        self.assertEqual(compiled.returncode, 0, compiled.stderr)

    def test_a_project_of_somebody_else(self):
        configured = self.configured("built")
        self.assertEqual(configured.returncode, 0, configured.stderr)
        built = called("cmake", "--build", self.folder / "built")
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        program = self.folder / "built/own_initiator"
        self.assertEqual(program.read_bytes().count(f"{SOURCE}/configs".encode()), 0)
        ran = called(program)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertEqual(ran.stdout.count("read of line"), 8)
        ran = called(self.folder / "built/own_memory", self.project / "vector_add.cpp",
                     cwd=self.folder)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        ran = called(self.folder / "built/axi_memory")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertIn("32 bursts of 256 beats", ran.stdout)

    def test_programs_in_c_and_python(self):
        """Those of the pages, with the folder of the prefix alone; also from a working folder elsewhere."""
        examples, kernel = SOURCE / "docs/examples/library", self.project / "vector_add.cpp"
        (self.prefix / "share/heddle/configs/of_library.toml").write_text('inherits = "tiny"\n')
        configuration = {"PKG_CONFIG_PATH": str(self.prefix / "lib/pkgconfig")}
        flags = called("pkg-config", "--cflags", "--libs", "heddle", env={**os.environ, **configuration})
        self.assertEqual(flags.returncode, 0, flags.stderr)
        program = self.folder / "vector_add_c"
        built = called("cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror",
                       examples / "vector_add.c", "-o", program, *flags.stdout.split(),
                       f"-Wl,-rpath,{self.prefix}/lib")
        self.assertEqual(built.returncode, 0, built.stderr)
        ran = called(program, kernel, cwd=self.folder)
        self.assertRegex(ran.stdout, r"^sum\[999\] = 1998 after \d+ cycles\n$", ran.stderr)
        refused = called(program, "nowhere.elf", cwd=self.folder)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("vector_add: heddle_load: ", refused.stderr)
        python = {**os.environ, "PYTHONPATH": str(self.prefix / "lib/python3/dist-packages")}
        python.pop("HEDDLE_LIBRARY", None)
        ran = called("/usr/bin/python3", "-B", examples / "vector_add.py", kernel, cwd=self.folder, env=python)
        self.assertRegex(ran.stdout, r"^sum\[999\] = 1998 after \d+ cycles\n$", ran.stderr)
        ran = called("/usr/bin/python3", "-B", "-c",
                     "import heddle; print(heddle.Machine('of_library').parameters.describe('gpu.smx_count').source)",
                     env=python)
        self.assertIn(f"{self.prefix}/share/heddle/configs/tiny.toml", ran.stdout, ran.stderr)
        helped = called("/usr/bin/python3", "-B", "-m", "pydoc", "heddle", env=python)
        self.assertIn("class Machine", helped.stdout, helped.stderr)
        records = called("c++", "-std=c++17", "-fsyntax-only", f"-I{self.prefix}/include/heddle", "-include",
                         "hw/top/retire_stream.h", "-x", "c++", "/dev/null")
        self.assertEqual(records.returncode, 0, records.stderr)
        header = called("c++", "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-include",
                        self.prefix / "include/heddle/heddle.h", "-x", "c++", "/dev/null")
        self.assertEqual(header.returncode, 0, header.stderr)

    def test_a_core_in_lock_step(self):
        """The examples of docs/lockstep.md in C, Python and SystemVerilog."""
        folder = self.folder / "lockstep"
        shutil.copytree(SOURCE / "docs/examples/lockstep", folder)
        python = {**os.environ, "PYTHONPATH": str(self.prefix / "lib/python3/dist-packages")}
        python.pop("HEDDLE_LIBRARY", None)
        kept = called("/usr/bin/python3", "-B", "record.py", cwd=folder, env=python)
        self.assertEqual(kept.returncode, 0, kept.stderr)
        compared = called("/usr/bin/python3", "-B", "compare.py", cwd=folder, env=python)
        self.assertRegex(compared.stdout, r"^equal: \d+ instructions\n$", compared.stderr)
        library = next(self.prefix.glob("lib/**/libheddle.so"))
        linked = [library, f"-Wl,-rpath,{library.parent}"]
        built = called("cc", "-std=c11", "-Wall", "-Wextra", "-Wpedantic", "-Werror", f"-I{self.prefix}/include",
                       "compare.c", "-o", "compare", *linked, cwd=folder)
        self.assertEqual(built.returncode, 0, built.stderr)
        records = (folder / "records.txt").read_text()
        compared = called("./compare", cwd=folder, input=records)
        self.assertEqual(compared.stdout, "equal: words[0] = 189\n", compared.stderr)
        compared = called("./compare", cwd=folder, input=records.replace("pc=10008", "pc=1000c", 1))
        self.assertIn("warp 0 of block 0, lane 0, n = 3: ", compared.stdout)
        self.assertIn("executes PC 0x0001000c; expected: 0x00010008", compared.stdout)
        if shutil.which("verilator") is None:
            return
        built = called("verilator", "--binary", "--timing", "-Wno-fatal", f"-I{self.prefix}/share/heddle/rtl",
                       "--top-module", "testbench", "-O0", "-LDFLAGS", " ".join(map(str, linked)), "testbench.sv",
                       "core.sv", cwd=folder)
        self.assertEqual(built.returncode, 0, built.stderr)
        ran = called("obj_dir/Vtestbench", cwd=folder)
        self.assertIn("equal: words[0] = 189", ran.stdout, ran.stderr)

    def test_a_host_program_with_the_options_of_run(self):
        source, build = SOURCE / "docs/examples/host_program", self.folder / "host_program"
        configured = called("cmake", "-S", source, "-B", build, "-G", "Ninja",
                            f"-DCMAKE_PREFIX_PATH={self.prefix}",
                            *(f"-DSystemCLanguage_DIR={where}" for where in SYSTEMC))
        self.assertEqual(configured.returncode, 0, configured.stderr)
        built = called("cmake", "--build", build)
        self.assertEqual(built.returncode, 0, built.stdout + built.stderr)
        program = build / "moving_average"
        statistics, page, wave = (self.folder / name for name in ("own.json", "own.html", "own.vcd"))
        ran = called(program, "--config", "tiny", "--set", "gpu.smx_count=2", "--option", "n=700",
                     "--option", "window=5", "--seed", "7", "--golden", "--check", "--stats",
                     statistics, "--report", page, "--vcd", wave, "--show", "launches")
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertRegex(ran.stdout, r"averages +correct +700 values, exact")
        self.assertRegex(ran.stdout, r"golden +equal +2800 bytes")
        self.assertIn("averages", ran.stdout.split("golden")[1])
        self.assertEqual(json.loads(statistics.read_text())["run"]["what"], "moving_average")
        self.assertIn("moving_average", page.read_text("utf-8"))
        self.assertIn("$enddefinitions", wave.read_text())
        shown = called(program, "--help")
        self.assertEqual(shown.returncode, 0)
        self.assertIn("window = 8", shown.stdout)
        for words, message in ((("--option", "windw=5"), "did you mean 'window'"),
                               (("--grid", "3"), "there is no option '--grid'"),
                               (("--golden=sums=x.npy",), "is a host program"),
                               (("--mode", "cdp"), "legal: --mode flat")):
            refused = called(program, "--config", "tiny", *words)
            self.assertEqual(refused.returncode, 2, refused.stderr)
            self.assertIn(message, refused.stderr)
            self.assertTrue(refused.stderr.startswith("moving_average: "), refused.stderr)

    def test_another_standard_is_refused(self):
        refused = self.configured("standard", "-DCMAKE_CXX_STANDARD=20")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("CMAKE_CXX_STANDARD = 20; legal: 17", " ".join(refused.stderr.split()))

    def configured_with_package(self, folder, version, definition="HEDDLE"):
        """With the SystemC that is there, in a package that says something else about it."""
        packages = self.folder / f"{folder}_packages"
        packages.mkdir()
        if not SYSTEMC:
            (packages / "systemc.pc").write_text(
                f"Name: systemc\nDescription: another\nVersion: {version}\nLibs: -lsystemc\n"
                f"Cflags: -D{definition}\n")
            return self.configured(folder, PKG_CONFIG_PATH=str(packages))
        (packages / "SystemCLanguageConfig.cmake").write_text(
            f'include("{SYSTEMC[0]}/SystemCLanguageConfig.cmake")\n'
            f"target_compile_definitions(SystemC::systemc INTERFACE {definition})\n")
        (packages / "SystemCLanguageConfigVersion.cmake").write_text(
            f"set(PACKAGE_VERSION {version})\n")
        return self.configured(folder, f"-DSystemCLanguage_DIR={packages}")

    def test_another_systemc_is_refused(self):
        refused = self.configured_with_package("systemc", "9.0.0")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("CMake finds SystemC 9.0.0", " ".join(refused.stderr.split()))

    def test_a_library_of_another_standard_is_refused(self):
        # What a C++14 program asks its library for, this one does not have.
        refused = self.configured_with_package("library", "2.3.4", "SC_CPLUSPLUS=201402L")
        self.assertNotEqual(refused.returncode, 0)
        self.assertIn("No C++17 program can be linked with SystemC 2.3.4",
                      " ".join(refused.stderr.split()))


if __name__ == "__main__":
    unittest.main()
