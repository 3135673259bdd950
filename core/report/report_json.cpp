#include "core/report/report_json.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/base/pass_on.h"
#include "core/report/report_model.h"

namespace epsilens::report {
namespace {

using nlohmann::ordered_json;

/// The texts of a block; of tables and figures the document holds the numbers.
struct BlockTexts {
    std::vector<std::string> operator()(const Paragraph& paragraph) const {
        return {paragraph.text};
    }
    std::vector<std::string> operator()(const BulletList& list) const { return list.items; }
    std::vector<std::string> operator()(const Facts& facts) const {
        std::vector<std::string> texts;
        for (const auto& [name, value] : facts.items) {
            texts.push_back(fmt::format("{}: {}", name, value));
        }
        return texts;
    }
    template <typename Other>
    std::vector<std::string> operator()(const Other&) const {
        return {};
    }
};

ordered_json statementsOf(const Section& section) {
    ordered_json entry;
    entry["section"] = section.key;
    entry["title"] = section.title;
    entry["sentences"] = ordered_json::array();
    for (const Block& block : section.blocks) {
        for (std::string& text : std::visit(BlockTexts{}, block)) {
            entry["sentences"].push_back(std::move(text));
        }
    }
    return entry;
}

/// What the guarantee is, what it covers and what not, in the words of the other formats. Of the
/// sections that the analyst ticked; the others have their content as data elsewhere.
Result<ordered_json> jsonStatements(document::Report report) {
    constexpr std::array kStated{document::SectionId::mechanism, document::SectionId::privacyUnit,
                                 document::SectionId::unprotected};
    std::erase_if(report.settings.sections, [&](document::SectionId section) {
        return std::find(kStated.begin(), kStated.end(), section) == kStated.end();
    });
    report.settings.sentences.clear();
    ASSIGN_OR_RETURN(const auto content, composeReport(report));
    ordered_json json = ordered_json::array();
    for (const std::vector<Section>& sections : {content.sections, content.appendix}) {
        for (const Section& section : sections) {
            json.push_back(statementsOf(section));
        }
    }
    return json;
}

}  // namespace

Result<std::string> reportJson(const document::Report& report) {
    ASSIGN_OR_RETURN(auto statements, jsonStatements(report));
    return document::reportDocument(report, document::Purpose::file, std::move(statements))
        .map(document::jsonText);
}

}  // namespace epsilens::report
