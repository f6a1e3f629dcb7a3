# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""scripts/mutants on a tree of one source file, with a test program that looks for a text in it."""
import os
import pathlib
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/mutants"
CODE = "int sum(int a, int b) {\n    return a + b;\n}\n"
TEST_PROGRAM = """#!/bin/sh
case "$*" in
*--gtest_list_tests*)
    echo sums.
    for name in adds exists; do
        case "$*" in *'=*' | *=sums.$name) echo "  $name" ;; esac
    done ;;
*=sums.adds*) grep -q 'a + b' code.cpp ;;
*) test -f code.cpp ;;
esac
"""
CMAKE = "#!/bin/sh\nmkdir -p build/quick && touch build/quick/build.ninja\n"
NINJA = """#!/bin/sh
grep -q 'does not compile' code.cpp && exit 1
mkdir -p "$2/tests/hw" && cp sums_test "$2/tests/hw/sums_test"
"""


def patch(new, header="The sum is wrong.\ntests: sums_test\n", old="    return a + b;"):
    return (f"{header}\n--- a/code.cpp\n+++ b/code.cpp\n@@ -1,3 +1,3 @@\n"
            f" int sum(int a, int b) {{\n-{old}\n+{new}\n }}\n")


class MutantsTest(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.tree = pathlib.Path(place.name, "tree")
        self.tools = pathlib.Path(place.name, "tools")
        (self.tree / "tests/mutants").mkdir(parents=True)
        self.tools.mkdir()
        for path, text in ((self.tree / "sums_test", TEST_PROGRAM), (self.tools / "cmake", CMAKE),
                           (self.tools / "ninja", NINJA)):
            path.write_text(text)
            path.chmod(0o755)
        (self.tree / "code.cpp").write_text(CODE)
        (self.tree / ".gitignore").write_text("build/\n")
        subprocess.run(["git", "init", "-q"], cwd=self.tree, check=True)

    def put(self, name, text):
        (self.tree / f"tests/mutants/{name}.patch").write_text(text)

    def run_script(self, *arguments):
        path = f"{self.tools}:{os.environ['PATH']}"
        done = subprocess.run([SCRIPT, "--source", self.tree, *arguments], text=True,
                              capture_output=True, env=os.environ | {"PATH": path})
        return done.returncode, done.stdout + done.stderr

    def expect(self, code, *texts, arguments=()):
        found, output = self.run_script(*arguments)
        self.assertEqual(found, code, output)
        for text in texts:
            self.assertIn(text, output)

    def test_a_fault_that_a_test_sees(self):
        self.put("sum_subtracts", patch("    return a - b;"))
        self.expect(0, "caught    sum_subtracts (sums.adds)", "1 faults, 0 not as they should be")
        self.assertEqual((self.tree / "code.cpp").read_text(), CODE)
        self.assertEqual((self.tree / "build/mutants/code.cpp").read_text(), CODE, "taken out")

    def test_a_fault_that_survives(self):
        self.put("sum_swapped", patch("    return a + b + 0;"))
        self.put("sum_subtracts", patch("    return a - b;"))
        self.expect(1, "SURVIVED  sum_swapped: The sum is wrong.", "caught    sum_subtracts",
                    "2 faults, 1 not as they should be")

    def test_only_the_chosen_tests_look(self):
        self.put("sum_subtracts", patch("    return a - b;",
                                        "The sum is wrong.\ntests: sums_test sums.exists\n"))
        self.expect(1, "SURVIVED  sum_subtracts")
        self.put("sum_subtracts", patch("    return a - b;",
                                        "The sum is wrong.\ntests: sums_test sums.divides\n"))
        self.expect(2, "no test of sums_test is called sums.divides")

    def test_equivalent_ones_survive_and_are_wrong_if_they_do_not(self):
        header = "Nothing.\ntests: sums_test\nequivalent: it adds nought\n"
        self.put("sum_same", patch("    return a + b + 0;", header))
        self.expect(0, "equivalent sum_same: Nothing.")
        self.put("sum_same", patch("    return a - b;", header))
        self.expect(1, "is marked equivalent and is not")

    def test_patches_that_are_of_no_use_are_named(self):
        self.put("sum_old", patch("    return a;", old="    return a + c;"))
        self.expect(2, "sum_old.patch does not apply")
        self.expect(2, "sum_old.patch does not apply", arguments=["--check"])
        self.put("sum_old", patch("    does not compile"))
        self.expect(0, "1 patches apply", arguments=["--check"])
        self.expect(2, "sum_old.patch: ninja")
        self.put("sum_old", patch("    return a;", "No tests.\n"))
        self.expect(2, "sum_old.patch: the first line says")
        self.put("sum_old", patch("    return a;", "Another.\ntests: other_test\n"))
        self.expect(2, "'other_test' is no test program")

    def test_a_test_that_fails_by_itself_proves_nothing(self):
        self.put("sum_subtracts", patch("    return a - b;"))
        (self.tree / "code.cpp").write_text(CODE.replace("a + b", "b + a"))
        self.put("sum_subtracts", patch("    return a - b;", old="    return b + a;"))
        self.expect(2, "sums.adds fails without a fault")

    def test_blocks(self):
        self.put("sum_subtracts", patch("    return a - b;"))
        self.put("product_adds", patch("    return a + b + 1;"))
        self.expect(0, "1 faults", arguments=["sum"])
        self.expect(2, "there is no tests/mutants/l2_*.patch", arguments=["l2"])


if __name__ == "__main__":
    unittest.main()
