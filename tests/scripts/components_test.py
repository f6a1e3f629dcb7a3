# SPDX-License-Identifier: Apache-2.0
# Copyright The Heddle authors
"""Component descriptions in IP-XACT (IEEE 1685-2014 and 2022) of RTL in slots and behind pins."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
PIN_BLOCKS = {"memory_controller", "kernel_distributor", "axi_memory", "smx"}
SPACE = "{http://www.accellera.org/XMLSchema/IPXACT/1685-2014}"
NAME = r"[A-Za-z_:][\w.:-]*"
NMTOKEN = r"[\w.:-]+"
EXPRESSION = r"\s*\S(?s:.*)"

# The elements that a description may have, with their children in the order of the standard, as
# `name`, `name?`, `name+`. IEEE 1685-2014 allows more; this is what we write.
CHILDREN = {
    "component": "vendor library name version busInterfaces? model choices? fileSets? "
                 "description? parameters?",
    "busInterfaces": "busInterface+",
    "busInterface": "name busType abstractionTypes slave",
    "abstractionTypes": "abstractionType+",
    "abstractionType": "viewRef abstractionRef portMaps",
    "portMaps": "portMap+",
    "portMap": "logicalPort physicalPort",
    "logicalPort": "name",
    "physicalPort": "name",
    "model": "views instantiations ports",
    "views": "view+",
    "view": "name componentInstantiationRef",
    "instantiations": "componentInstantiation+",
    "componentInstantiation": "name language moduleName moduleParameters? fileSetRef?",
    "moduleParameters": "moduleParameter+",
    "moduleParameter": "name value",
    "fileSetRef": "localName",
    "ports": "port+",
    "port": "name description? wire",
    "wire": "direction vectors?",
    "vectors": "vector+",
    "vector": "left right",
    "choices": "choice+",
    "choice": "name enumeration+",
    "fileSets": "fileSet+",
    "fileSet": "name file+",
    "file": "name fileType+",
    "parameters": "parameter+",
    "parameter": "name description? value",
}
# Patterns of the others' texts. An element is named by its parent, too, where the standard gives
# a name two meanings.
TEXTS = {
    "vendor": NAME,
    "library": NAME,
    "component/name": NMTOKEN,
    "version": NMTOKEN,
    "busInterface/name": NMTOKEN,
    "busType": "",
    "viewRef": NMTOKEN,
    "abstractionRef": "",
    "logicalPort/name": NAME,
    "physicalPort/name": NAME,
    "slave": "",
    "view/name": NMTOKEN,
    "componentInstantiationRef": NMTOKEN,
    "componentInstantiation/name": NMTOKEN,
    "language": "systemVerilog",
    "moduleName": NAME,
    "moduleParameter/name": NAME,
    "localName": NAME,
    "port/name": NAME,
    "direction": "in|out|inout|phantom",
    "left": EXPRESSION,
    "right": EXPRESSION,
    "choice/name": NAME,
    "enumeration": EXPRESSION,
    "fileSet/name": NAME,
    "file/name": EXPRESSION,
    "fileType": "systemVerilogSource",
    "description": "(?s:.+)",
    "parameter/name": NAME,
    "value": EXPRESSION,
}
LIBRARY_REFERENCE = {"vendor": NAME, "library": NAME, "name": NMTOKEN, "version": NMTOKEN}
ATTRIBUTES = {
    "busType": LIBRARY_REFERENCE,
    "abstractionRef": LIBRARY_REFERENCE,
    "moduleParameter": {"parameterId": NAME, "type": "int"},
    "parameter": {"parameterId": NAME, "choiceRef": NAME, "type": "int", "resolve": "user"},
}
# What is there once in a document, and what refers to it: paths, or an attribute behind @.
KEYS = (
    ("port", ["port/name"], ["physicalPort/name"]),
    ("view", ["view/name"], ["abstractionType/viewRef"]),
    ("bus", ["busInterface/name"], []),
    ("file set", ["fileSet/name"], ["fileSetRef/localName"]),
    ("instantiation", ["componentInstantiation/name"], ["view/componentInstantiationRef"]),
    ("choice", ["choice/name"], ["parameter@choiceRef"]),
    ("parameter", ["parameter@parameterId", "moduleParameter@parameterId"], []),
)


def values_of(root, path):
    """Texts of the elements at PARENT/CHILD, or values of ELEMENT@ATTRIBUTE."""
    element, _, attribute = path.partition("@")
    found = root.findall(".//" + "/".join(SPACE + part for part in element.split("/")))
    return [e.get(attribute) if attribute else e.text for e in found]


def errors_of(text):
    """What a description has that the tables above do not allow, and names that lead nowhere."""
    found = []

    def check(element, parent):
        tag = element.tag.removeprefix(SPACE)
        if not element.tag.startswith(SPACE):
            found.append(f"{tag}: not in the name space of the standard")
            return
        for key, value in element.items():
            if not re.fullmatch(ATTRIBUTES.get(tag, {}).get(key, "(?!)"), value):
                found.append(f"{tag}: {key}={value!r} is not allowed")
        if tag in ("busType", "abstractionRef") and set(element.keys()) != set(LIBRARY_REFERENCE):
            found.append(f"{tag}: has {sorted(element.keys())}")
        text = element.text or ""
        if tag in CHILDREN:
            # The children as one word each, and the rule as a pattern of such words.
            rule = "".join(re.sub(r"^(\w+)(.?)$", r"(?:\1 )\2", word)
                           for word in CHILDREN[tag].split())
            children = "".join(child.tag.removeprefix(SPACE) + " " for child in element)
            if not re.fullmatch(rule, children) or text.strip():
                found.append(f"{tag}: has {text.strip()}{children}; legal: {CHILDREN[tag]}")
            for child in element:
                check(child, tag)
            return
        rule = TEXTS.get(f"{parent}/{tag}", TEXTS.get(tag))
        if rule is None:
            found.append(f"{parent}/{tag}: not allowed")
        elif len(element) or not re.fullmatch(rule, text):
            found.append(f"{parent}/{tag}: {text!r} is not {rule}")

    root = tree.fromstring(text)
    check(root, "")
    if root.tag != f"{SPACE}component":
        found.append(f"{root.tag}: is no component")
    for what, keys, references in KEYS:
        names = [name for path in keys for name in values_of(root, path)]
        if len(set(names)) != len(names):
            found.append(f"a {what} is there twice")
        found += [f"no {what} {name}" for path in references for name in values_of(root, path)
                  if name is not None and name not in names]
    # Expressions name parameters of the component by their identifiers.
    known = values_of(root, "parameters/parameter@parameterId")
    for path in ("vector/left", "vector/right", "moduleParameter/value"):
        for expression in values_of(root, path):
            words = re.findall(r"[A-Za-z_]\w*", expression or "")
            found += [f"no parameter {word}" for word in words if word not in known]
    return found


def ports(*words, program="HEDDLE_PORTS"):
    done = subprocess.run([os.environ[program], *words], text=True, check=False,
                          capture_output=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def built():
    """Descriptions of the build's own modules: {block: file}."""
    folder = pathlib.Path(os.environ["HEDDLE_PORTS"]).parent / "components"
    return {file.stem: file for file in folder.glob("*.xml")}


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


def refused_by(folder, file):
    """What `xmllint` says against a description by the schema of a folder."""
    done = subprocess.run(
        ["xmllint", "--noout", "--nonet", "--schema", pathlib.Path(folder) / "index.xsd", file],
        text=True, check=False, capture_output=True)
    return done.stderr if done.returncode else ""


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
        files = built()
        self.assertEqual(set(files), set(listed()) | PIN_BLOCKS)
        for block, file in files.items():
            self.assertEqual(errors_of(file.read_text()), [], block)
            root = tree.parse(file).getroot()
            module = root.findtext(f".//{SPACE}moduleName")
            sources = [pathlib.Path(name) for name in values_of(root, "file/name")]
            # From the folder of the description.
            self.assertFalse([source for source in sources if source.is_absolute()], block)
            text = "".join((file.parent / source).read_text() for source in sources)
            # The ports and parameters of the module that is really there.
            header = re.search(rf"(?ms)^module {module} (?:#\((.*?)\) )?\((.*?)\);", text)
            self.assertIsNotNone(header, block)
            really = [(name, way, left or None) for way, left, name in re.findall(
                r"(in|out)put\s+logic\s+(?:\[(.+?):0\]\s+)?(\w+)", header.group(2))]
            described = [(port.findtext(f"{SPACE}name"),
                          port.findtext(f"{SPACE}wire/{SPACE}direction"),
                          port.findtext(f"{SPACE}wire/{SPACE}vectors/{SPACE}vector/{SPACE}left"))
                         for port in root.iter(f"{SPACE}port")]
            self.assertEqual(described, really, block)
            self.assertEqual(
                list(zip(values_of(root, "parameter/name"), values_of(root, "parameter/value"))),
                re.findall(r"parameter\s+(?:int\s+)?(\w+)\s*=\s*(\d+)", header.group(1) or ""), block)

    def test_blocks_behind_pins_take_modules_of_yours(self):
        for block in PIN_BLOCKS:
            text = ports("component", block, "mine", "mine.sv", program="HEDDLE_PIN_PORTS")
            self.assertEqual(errors_of(text), [], block)
            self.assertEqual(values_of(tree.fromstring(text), "file/name"), ["mine.sv"])

    def test_another_block_is_an_error_with_the_legal_ones(self):
        done = subprocess.run([os.environ["HEDDLE_PIN_PORTS"], "component", "l2", "mine"],
                              text=True, check=False, capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        for word in ("'l2'", *PIN_BLOCKS):
            self.assertIn(word, done.stderr)

    def test_a_parameter_of_the_module_is_one_of_the_component(self):
        root = tree.fromstring(built()["axi_memory"].read_text())
        self.assertEqual(values_of(root, "moduleParameter/name"), ["DATA_WIDTH"])
        self.assertEqual(values_of(root, "moduleParameter/value"),
                         values_of(root, "parameter@parameterId"))
        self.assertEqual(values_of(root, "choice/enumeration"), ["32", "64", "128", "256", "512"])

    def test_the_memory_has_the_bus_of_amba(self):
        root = tree.fromstring(built()["axi_memory"].read_text())
        for element, name in (("busType", "AXI4"), ("abstractionRef", "AXI4_rtl")):
            self.assertEqual(
                [e.attrib for e in root.iter(f"{SPACE}{element}")],
                [{"vendor": "amba.com", "library": "AMBA4", "name": name, "version": "r0p0_0"}])
        maps = dict(zip(values_of(root, "logicalPort/name"), values_of(root, "physicalPort/name")))
        # The signals of the specification, without those that the memory has not (docs/axi.md).
        address = "ID ADDR LEN SIZE BURST VALID READY"
        channels = {"AW": address, "W": "DATA STRB LAST VALID READY", "B": "ID RESP VALID READY",
                    "AR": address, "R": "ID DATA RESP LAST VALID READY"}
        expected = {c + s: f"{c}_{s}".lower() for c, all in channels.items() for s in all.split()}
        self.assertEqual(maps, {"ACLK": "clk", "ARESETn": "rst_n", **expected})
        for block, file in built().items():
            self.assertEqual("busInterface" in file.read_text(), block == "axi_memory", block)

    def test_that_of_2022_says_the_same(self):
        for block in sorted(set(listed()) | PIN_BLOCKS):
            program = "HEDDLE_PIN_PORTS" if block in PIN_BLOCKS else "HEDDLE_PORTS"
            older, newer = (ports(word, block, "mine", "mine.sv", program=program)
                            for word in ("component", "component_2022"))
            self.assertNotEqual(older, newer)
            root = tree.fromstring(newer)
            space = SPACE.replace("2014", "2022")
            self.assertEqual([e.tag for e in root][:5], [
                space + name for name in ("vendor", "library", "name", "version", "description")])
            # Where the standards differ: the name space, the place of the description, and what
            # the side of a bus is called.
            line = f"  <ipxact:description>{root.findtext(space + 'description')}</ipxact:description>\n"
            self.assertEqual(newer.count(line), 1, block)
            again = newer.replace(line, "").replace("1685-2022", "1685-2014")
            again = again.replace("<ipxact:target/>", "<ipxact:slave/>")
            self.assertEqual(again, older.replace(line, ""), block)
            self.assertEqual("slave" in newer, False, block)

    def test_the_build_has_both(self):
        older = built()["smx"].parent
        newer = older.with_name("components_2022")
        self.assertEqual({f.name for f in newer.glob("*.xml")}, {f.name for f in older.glob("*.xml")})
        for file in newer.glob("*.xml"):
            self.assertIn("1685-2022", file.read_text())

    def test_what_is_wrong_is_seen(self):
        text = built()["axi_memory"].read_text()
        for right, wrong in (
                ("<ipxact:direction>in<", "<ipxact:direction>input<"),
                ("<ipxact:left>31<", "<ipxact:left><"),
                ("<ipxact:left>DATA_WIDTH-1<", "<ipxact:left>WIDTH-1<"),
                ("<ipxact:vendor>heddle</ipxact:vendor>", ""),
                ("<ipxact:vendor>heddle<", "<ipxact:vendor>1heddle<"),
                ("<ipxact:right>0</ipxact:right>", ""),
                ("<ipxact:name>seed<", "<ipxact:name>clk<"),
                ("<ipxact:name>seed<", "<ipxact:name>the seed<"),
                ("<ipxact:wire>", "<ipxact:wire>text"),
                ("<ipxact:version>", '<ipxact:version id="1">'),
                ("<ipxact:localName>sources<", "<ipxact:localName>others<"),
                ("Ref>systemverilog<", "Ref>verilog<"),
                ("<ipxact:fileType>systemVerilogSource<", "<ipxact:fileType>systemVerilog<"),
                ('choiceRef="', 'choiceRef="no_'),
                ('parameterId="module_', 'parameterId="'),
                ('type="int"', 'type="integer"'),
                ('resolve="user"', 'resolve="users"'),
                ("aw_id</ipxact:name>\n              </ipxact:ph",
                 "aw_no</ipxact:name>\n              </ipxact:ph"),
                ('library="AMBA4" ', ""),
                ('name="AXI4"', 'name="AXI 4"'),
                ("<ipxact:viewRef>rtl<", "<ipxact:viewRef>tlm<"),
                ("<ipxact:slave/>", ""),
                ("1685-2014", "1685-2009")):
            self.assertIn(right, text)
            self.assertNotEqual(errors_of(text.replace(right, wrong, 1)), [], wrong)

    def test_the_order_counts(self):
        text = built()["axi_memory"].read_text()
        for first, second in (("busInterfaces", "model"), ("logicalPort", "physicalPort"),
                              ("model", "choices"), ("choices", "fileSets"),
                              ("views", "instantiations"), ("moduleName", "moduleParameters"),
                              ("moduleParameters", "fileSetRef"), ("left", "right")):
            both = (rf"(?s)(<ipxact:{first}>.*?</ipxact:{first}>)(\s*)"
                    rf"(<ipxact:{second}>.*?</ipxact:{second}>)")
            turned, count = re.subn(both, r"\3\2\1", text, count=1)
            self.assertEqual(count, 1, first)
            self.assertNotEqual(errors_of(turned), [], f"{second} before {first}")

    @unittest.skipUnless(shutil.which("xmllint"), "xmllint is not installed")
    def test_a_schema_is_asked(self):
        with tempfile.TemporaryDirectory() as place:
            schema = pathlib.Path(place) / "index.xsd"
            for root, takes in (("component", True), ("design", False)):
                schema.write_text(
                    '<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema" '
                    f'targetNamespace="{SPACE[1:-1]}"><xs:element name="{root}"/></xs:schema>')
                for file in built().values():
                    self.assertEqual(refused_by(place, file) == "", takes, file)

    @unittest.skipUnless(os.environ.get("HEDDLE_IPXACT_SCHEMA") and shutil.which("xmllint"),
                         "HEDDLE_IPXACT_SCHEMA names no folder with the schema of IEEE 1685-2014")
    def test_the_schema_of_the_standard_takes_them(self):
        for file in built().values():
            self.assertEqual(refused_by(os.environ["HEDDLE_IPXACT_SCHEMA"], file), "")

    @unittest.skipUnless(os.environ.get("HEDDLE_IPXACT_SCHEMA_2022") and shutil.which("xmllint"),
                         "HEDDLE_IPXACT_SCHEMA_2022 names no folder with the schema of that year")
    def test_the_schema_of_2022_takes_them(self):
        for file in built()["smx"].parent.with_name("components_2022").glob("*.xml"):
            self.assertEqual(refused_by(os.environ["HEDDLE_IPXACT_SCHEMA_2022"], file), "")


if __name__ == "__main__":
    unittest.main()
