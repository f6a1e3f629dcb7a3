// SPDX-License-Identifier: Apache-2.0
// Copyright The Heddle authors
#include "hw/cosim/ip_xact.h"

#include <sstream>

namespace heddle::cosim {

namespace {

/// Writes elements of the standard's namespace, two blanks deeper each.
class xml_writer {
public:
    explicit xml_writer(std::ostream& to) : to_(to) {}

    /// An element whose children `inside()` writes.
    template <class Inside>
    void element(const std::string& name, Inside&& inside, const std::string& attributes = {}) {
        indent();
        to_ << "<ipxact:" << name << attributes << ">\n";
        ++depth_;
        inside();
        --depth_;
        indent();
        to_ << "</ipxact:" << name << ">\n";
    }
    void empty(const std::string& name, const std::string& attributes = {}) {
        indent();
        to_ << "<ipxact:" << name << attributes << "/>\n";
    }
    void text(const std::string& name, const std::string& value) {
        indent();
        to_ << "<ipxact:" << name << '>' << escaped(value) << "</ipxact:" << name << ">\n";
    }

private:
    void indent() { to_ << std::string(2 * depth_, ' '); }
    static std::string escaped(const std::string& value) {
        std::string result;
        for (const char c : value) {
            switch (c) {
                case '&':
                    result += "&amp;";
                    break;
                case '<':
                    result += "&lt;";
                    break;
                case '>':
                    result += "&gt;";
                    break;
                default:
                    result += c;
            }
        }
        return result;
    }

    std::ostream& to_;
    std::size_t depth_ = 0;
};

constexpr const char* view = "rtl";
constexpr const char* instantiation = "systemverilog";
constexpr const char* file_set = "sources";
std::string name_space(ip_xact_standard standard) {
    const bool is_2014 = standard == ip_xact_standard::ieee_2014;
    return std::string("\n    xmlns:ipxact=\"http://www.accellera.org/XMLSchema/IPXACT/1685-") +
           (is_2014 ? "2014\"" : "2022\"");
}

std::string attributes_of(const library_reference& to) {
    return " vendor=\"" + to.vendor + "\" library=\"" + to.library + "\" name=\"" + to.name +
           "\" version=\"" + to.version + "\"";
}

void write_port_map(xml_writer& to, const bus_interface::port_map& map) {
    to.element("portMap", [&] {
        to.element("logicalPort", [&] { to.text("name", map.logical); });
        to.element("physicalPort", [&] { to.text("name", map.port); });
    });
}

void write_interfaces(xml_writer& to, const rtl_component& component, ip_xact_standard standard) {
    if (component.interfaces.empty()) return;
    to.element("busInterfaces", [&] {
        for (const bus_interface& one : component.interfaces) {
            to.element("busInterface", [&] {
                to.text("name", one.name);
                to.empty("busType", attributes_of(one.bus));
                to.element("abstractionTypes", [&] {
                    to.element("abstractionType", [&] {
                        to.text("viewRef", view);
                        to.empty("abstractionRef", attributes_of(one.abstraction));
                        to.element("portMaps", [&] {
                            for (const auto& map : one.ports) write_port_map(to, map);
                        });
                    });
                });
                to.empty(standard == ip_xact_standard::ieee_2014 ? "slave" : "target");
            });
        }
    });
}

void write_port(xml_writer& to, const component_port& port) {
    const port_shape& shape = port.shape;
    to.element("port", [&] {
        to.text("name", shape.name);
        if (shape.elements != 1) {
            to.text("description", std::to_string(shape.elements) + " elements of " +
                                       std::to_string(shape.width) +
                                       " bits, element 0 in the lowest bits");
        }
        to.element("wire", [&] {
            to.text("direction", shape.way == port_direction::input ? "in" : "out");
            if (shape.bits() == 1 && port.left.empty()) return;
            to.element("vectors", [&] {
                to.element("vector", [&] {
                    to.text("left",
                            port.left.empty() ? std::to_string(shape.bits() - 1) : port.left);
                    to.text("right", "0");
                });
            });
        });
    });
}

/// An expression names a parameter by its identifier; that of the component has the name of the
/// module's own, which takes its value.
void write_module_parameters(xml_writer& to, const rtl_component& component) {
    if (component.parameters.empty()) return;
    to.element("moduleParameters", [&] {
        for (const component_parameter& parameter : component.parameters) {
            to.element(
                "moduleParameter",
                [&] {
                    to.text("name", parameter.name);
                    to.text("value", parameter.name);
                },
                " parameterId=\"module_" + parameter.name + "\" type=\"int\"");
        }
    });
}

void write_choices(xml_writer& to, const rtl_component& component) {
    if (component.parameters.empty()) return;
    to.element("choices", [&] {
        for (const component_parameter& parameter : component.parameters) {
            to.element("choice", [&] {
                to.text("name", parameter.name + "_values");
                for (const unsigned value : parameter.legal) {
                    to.text("enumeration", std::to_string(value));
                }
            });
        }
    });
}

void write_parameters(xml_writer& to, const rtl_component& component) {
    if (component.parameters.empty()) return;
    to.element("parameters", [&] {
        for (const component_parameter& parameter : component.parameters) {
            to.element(
                "parameter",
                [&] {
                    to.text("name", parameter.name);
                    to.text("description", parameter.description);
                    to.text("value", std::to_string(parameter.value));
                },
                " parameterId=\"" + parameter.name + "\" choiceRef=\"" + parameter.name +
                    "_values\" type=\"int\" resolve=\"user\"");
        }
    });
}

void write_model(xml_writer& to, const rtl_component& component) {
    to.element("model", [&] {
        to.element("views", [&] {
            to.element("view", [&] {
                to.text("name", view);
                to.text("componentInstantiationRef", instantiation);
            });
        });
        to.element("instantiations", [&] {
            to.element("componentInstantiation", [&] {
                to.text("name", instantiation);
                to.text("language", "systemVerilog");
                to.text("moduleName", component.module);
                write_module_parameters(to, component);
                if (component.files.empty()) return;
                to.element("fileSetRef", [&] { to.text("localName", file_set); });
            });
        });
        to.element("ports", [&] {
            for (const component_port& port : component.ports) write_port(to, port);
        });
    });
}

void write_files(xml_writer& to, const rtl_component& component) {
    if (component.files.empty()) return;
    to.element("fileSets", [&] {
        to.element("fileSet", [&] {
            to.text("name", file_set);
            for (const std::string& file : component.files) {
                to.element("file", [&] {
                    to.text("name", file);
                    to.text("fileType", "systemVerilogSource");
                });
            }
        });
    });
}

}  // namespace

rtl_component component_of(const rtl_block& block, const std::string& module,
                           const std::vector<std::string>& files) {
    rtl_component component{
        block.name, "RTL for slot." + block.name + " of Heddle", module, {}, files};
    for (const char* name : {"clk", "rst_n", "enable"}) {
        component.ports.push_back({{port_direction::input, name, 1, 1}, {}});
    }
    for (const port_shape& port : block.ports) component.ports.push_back({port, {}});
    return component;
}

bool read_standard(const std::string& word, ip_xact_standard& standard) {
    standard = word == "component" ? ip_xact_standard::ieee_2014 : ip_xact_standard::ieee_2022;
    return word == "component" || word == "component_2022";
}

std::string ip_xact_of(const rtl_component& component, ip_xact_standard standard) {
    // The standards have it in other places.
    const auto describe = [&](xml_writer& to, ip_xact_standard here) {
        if (standard == here && !component.description.empty()) {
            to.text("description", component.description);
        }
    };
    std::ostringstream out;
    out << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    xml_writer to(out);
    to.element(
        "component",
        [&] {
            to.text("vendor", "heddle");
            to.text("library", "rtl");
            to.text("name", component.name);
            to.text("version", HEDDLE_VERSION);
            describe(to, ip_xact_standard::ieee_2022);
            write_interfaces(to, component, standard);
            write_model(to, component);
            write_choices(to, component);
            write_files(to, component);
            describe(to, ip_xact_standard::ieee_2014);
            write_parameters(to, component);
        },
        name_space(standard));
    return out.str();
}

}  // namespace heddle::cosim
