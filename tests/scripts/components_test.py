# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Component descriptions in IP-XACT (IEEE 1685-2014) of the RTL of slots."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
SPACE = "{http://www.accellera.org/XMLSchema/IPXACT/1685-2014}"
NAME = r"[A-Za-z_:][\w.:-]*"
NMTOKEN = r"[\w.:-]+"
NUMBER = r"\d+"

# Of each element that a description may have: its children in the order of the standard, as
# `name`, `name?`, `name+`; or a pattern of its text. An element is named by its parent, too, where
# the standard gives a name two meanings.
RULES = {
    "component": "vendor library name version model fileSets? description?",
    "vendor": re.compile(NAME),
    "library": re.compile(NAME),
    "component/name": re.compile(NMTOKEN),
    "version": re.compile(NMTOKEN),
    "model": "views instantiations ports",
    "views": "view+",
    "view": "name componentInstantiationRef",
    "view/name": re.compile(NMTOKEN),
    "componentInstantiationRef": re.compile(NMTOKEN),
    "instantiations": "componentInstantiation+",
    "componentInstantiation": "name language moduleName fileSetRef?",
    "componentInstantiation/name": re.compile(NMTOKEN),
    "language": re.compile("systemVerilog"),
    "moduleName": re.compile(NAME),
    "fileSetRef": "localName",
    "localName": re.compile(NAME),
    "ports": "port+",
    "port": "name description? wire",
    "port/name": re.compile(NMTOKEN),
    "wire": "direction vectors?",
    "direction": re.compile("in|out|inout|phantom"),
    "vectors": "vector+",
    "vector": "left right",
    "left": re.compile(NUMBER),
    "right": re.compile(NUMBER),
    "fileSets": "fileSet+",
    "fileSet": "name file+",
    "fileSet/name": re.compile(NAME),
    "file": "name fileType+",
    "file/name": re.compile(r"\S+"),
    "fileType": re.compile("systemVerilogSource"),
    "description": re.compile(r"(?s).+"),
}


def errors_of(text):
    """What a description has that the table above does not allow, and names that lead nowhere."""
    found = []

    def check(element, parent):
        tag = element.tag.removeprefix(SPACE)
        if not element.tag.startswith(SPACE):
            found.append(f"{tag}: not in the name space of the standard")
            return
        rule = RULES.get(f"{parent}/{tag}", RULES.get(tag))
        if rule is None:
            found.append(f"{parent}/{tag}: not allowed")
        elif isinstance(rule, str):
            # The children as one word each, and the rule as a pattern of such words.
            pattern = "".join(re.sub(r"^(\w+)(.?)$", r"(?:\1 )\2", word) for word in rule.split())
            children = "".join(child.tag.removeprefix(SPACE) + " " for child in element)
            if not re.fullmatch(pattern, children):
                found.append(f"{tag}: has {children.strip()}; legal: {rule}")
            for child in element:
                check(child, tag)
        elif len(element) or not rule.fullmatch(element.text or ""):
            found.append(f"{tag}: {element.text!r} is not {rule.pattern}")

    root = tree.fromstring(text)
    check(root, "")
    for keys, references, what in (
            (".//{0}port/{0}name", None, "port"),
            (".//{0}fileSet/{0}name", ".//{0}fileSetRef/{0}localName", "file set"),
            (".//{0}componentInstantiation/{0}name", ".//{0}componentInstantiationRef", "instantiation")):
        names = [e.text for e in root.findall(keys.format(SPACE))]
        if len(set(names)) != len(names):
            found.append(f"a {what} is there twice")
        for e in root.findall(references.format(SPACE)) if references else []:
            if e.text not in names:
                found.append(f"no {what} {e.text}")
    return found


def ports(*words):
    done = subprocess.run([os.environ["HEDDLE_PORTS"], *words], text=True, check=False,
                          capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def listed():
    """The ports of each slot: {slot: {port: (direction, bits)}}."""
    slots = {}
    for line in ports("list").splitlines():
        if line.startswith("slot."):
            slot = slots.setdefault(line.removeprefix("slot."), {})
            continue
        way, name, width, *elements = line.split()
        count = int(elements[1]) if elements else 1
        slot[name] = (way.removesuffix("put"), int(width) * count)
    return slots


class ComponentsTest(unittest.TestCase):
    def test_each_slot_has_a_description_with_its_ports(self):
        slots = listed()
        self.assertGreaterEqual(len(slots), 8)
        for slot, expected in slots.items():
            text = ports("component", slot, "a_module", "a_package.sv", "a_module.sv")
            self.assertEqual(errors_of(text), [], slot)
            root = tree.fromstring(text)
            found = {}
            for port in root.iter(f"{SPACE}port"):
                left = port.find(f"{SPACE}wire/{SPACE}vectors/{SPACE}vector/{SPACE}left")
                found[port.find(f"{SPACE}name").text] = (
                    port.find(f"{SPACE}wire/{SPACE}direction").text,
                    1 if left is None else int(left.text) + 1)
            self.assertEqual(found, expected, slot)
            self.assertEqual([e.text for e in root.iter(f"{SPACE}moduleName")], ["a_module"])
            self.assertEqual([e.findtext(f"{SPACE}name") for e in root.iter(f"{SPACE}file")],
                             ["a_package.sv", "a_module.sv"])

    def test_a_module_may_have_no_files(self):
        text = ports("component", "queue_picker", "mine")
        self.assertEqual(errors_of(text), [])
        self.assertNotIn("fileSet", text)

    def test_characters_of_xml_are_escaped(self):
        text = ports("component", "queue_picker", "mine", "a<b>&c.sv")
        self.assertEqual(tree.fromstring(text).findtext(f".//{SPACE}file/{SPACE}name"), "a<b>&c.sv")

    def test_the_build_describes_its_own_modules(self):
        folder = pathlib.Path(os.environ["HEDDLE_PORTS"]).parent / "components"
        files = {file.stem: file for file in folder.glob("*.xml")}
        self.assertEqual(set(files), set(listed()))
        for slot, file in files.items():
            root = tree.parse(file).getroot()
            module = root.findtext(f".//{SPACE}moduleName")
            sources = [pathlib.Path(e.findtext(f"{SPACE}name")) for e in root.iter(f"{SPACE}file")]
            text = "".join(source.read_text() for source in sources)
            self.assertRegex(text, rf"(?m)^module {module} \(", slot)
            # The ports of the module that is really there.
            header = re.search(rf"(?ms)^module {module} \((.*?)\);", text).group(1)
            really = {}
            for way, high, name in re.findall(
                    r"(in|out)put\s+logic\s+(?:\[(\d+):0\]\s+)?(\w+)", header):
                really[name] = (way, int(high or 0) + 1)
            self.assertEqual(really, listed()[slot], slot)

    def test_what_is_wrong_is_seen(self):
        text = ports("component", "queue_picker", "mine", "mine.sv")
        for right, wrong in (
                ("<ipxact:direction>in<", "<ipxact:direction>input<"),
                ("<ipxact:left>63<", "<ipxact:left>x<"),
                ("<ipxact:vendor>heddle</ipxact:vendor>", ""),
                ("<ipxact:name>ready<", "<ipxact:name>clk<"),
                ("<ipxact:localName>sources<", "<ipxact:localName>others<"),
                ("1685-2014", "1685-2009")):
            self.assertIn(right, text)
            self.assertNotEqual(errors_of(text.replace(right, wrong, 1)), [], wrong)
        model = text.index("<ipxact:model>")
        files = text.index("<ipxact:fileSets>")
        end = text.index("<ipxact:description>RTL")
        turned = text[:model] + text[files:end] + text[model:files] + text[end:]
        self.assertNotEqual(errors_of(turned), [], "the order counts")

    @unittest.skipUnless(os.environ.get("HEDDLE_IPXACT_SCHEMA") and shutil.which("xmllint"),
                         "HEDDLE_IPXACT_SCHEMA names no folder with the schema of IEEE 1685-2014")
    def test_the_schema_of_the_standard_takes_them(self):
        schema = pathlib.Path(os.environ["HEDDLE_IPXACT_SCHEMA"]) / "index.xsd"
        with tempfile.TemporaryDirectory() as place:
            for slot in listed():
                file = pathlib.Path(place) / f"{slot}.xml"
                file.write_text(ports("component", slot, "a_module", "a_module.sv"))
                done = subprocess.run(["xmllint", "--noout", "--schema", schema, file], text=True,
                                      check=False, capture_output=True)
                self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
