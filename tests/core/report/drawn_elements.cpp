#include "tests/core/report/drawn_elements.h"

#include "core/base/numbers.h"

namespace epsilens::test {
namespace {

std::map<std::string, std::string> attributesOf(std::string tag) {
    std::map<std::string, std::string> attributes;
    for (std::size_t equals = tag.find("=\""); equals != std::string::npos;
         equals = tag.find("=\"")) {
        const std::size_t name = tag.rfind(' ', equals) + 1;
        const std::size_t end = tag.find('"', equals + 2);
        attributes[tag.substr(name, equals - name)] = tag.substr(equals + 2, end - equals - 2);
        tag = tag.substr(end + 1);
    }
    return attributes;
}

}  // namespace

double DrawnElement::number(const std::string& attribute) const {
    return parseNumber(attributes.at(attribute), attribute).value();
}

bool DrawnElement::has(const std::string& attribute, std::string_view value) const {
    const auto found = attributes.find(attribute);
    return found != attributes.end() && found->second == value;
}

std::vector<report::PlotPoint> DrawnElement::corners() const {
    std::vector<report::PlotPoint> all;
    std::string rest = attributes.at("points");
    while (rest.find(',') != std::string::npos) {
        const std::size_t comma = rest.find(',');
        const std::size_t blank = rest.find(' ');
        all.push_back({parseNumber(rest.substr(0, comma), "x").value(),
                       parseNumber(rest.substr(comma + 1, blank - comma - 1), "y").value()});
        rest = blank == std::string::npos ? std::string() : rest.substr(blank + 1);
    }
    return all;
}

std::vector<DrawnElement> elementsOf(const std::string& svg, const std::string& name) {
    std::vector<DrawnElement> all;
    const std::string start = "<" + name + " ";
    for (std::size_t at = svg.find(start); at != std::string::npos; at = svg.find(start, at + 1)) {
        const std::size_t end = svg.find('>', at);
        all.push_back({attributesOf(svg.substr(at, end - at)),
                       svg[end - 1] == '/' ? std::string()
                                           : svg.substr(end + 1, svg.find('<', end) - end - 1)});
    }
    return all;
}

}  // namespace epsilens::test
