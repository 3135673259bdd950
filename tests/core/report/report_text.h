#pragma once

#include <string>

#include "core/document/fields.h"
#include "core/report/report_model.h"

namespace epsilens::test {

/// Compares a text with the file of this name in tests/core/report/approved, which somebody has
/// read and found good; version and build of the program do not count. With EPSILENS_APPROVE in
/// the environment it is written anew.
void checkApproved(const std::string& name, std::string text);

/// The whole report as text, and the memo alone.
[[nodiscard]] std::string pageOf(const document::Report& report);
[[nodiscard]] std::string memoOf(const document::Report& report);

/// A report on exampleRun(summary) that chooses its first setting.
[[nodiscard]] document::Report reportOn(const calibration::CalibrationSummary& summary);

/// Whether a rule reads what it writes, so that the same is written again.
template <typename Rule, typename T>
[[nodiscard]] bool isReadBack(const Rule& rule, const T& value) {
    nlohmann::ordered_json json = rule.write(value);
    json["embedding"]["sha256"] = std::string(64, 'a');
    const document::JsonDocument whole(json, {});
    const auto read = document::readDocument(whole, [&rule](const document::JsonNode& node) {
        T found;
        rule.read(node, found);
        return found;
    });
    return rule.write(read.value()) == json;
}

}  // namespace epsilens::test
