#include "tests/core/report/report_text.h"

#include <cstdlib>
#include <fstream>
#include <iterator>

#include <catch2/catch.hpp>

#include "core/report/report_model.h"
#include "tests/core/report/example_calibration.h"

namespace epsilens::test {

void checkApproved(const std::string& name, std::string text) {
    for (const auto& [part, general] :
         {std::pair(std::string(calibration::buildDescription()), "BUILD"),
          std::pair("Epsilens " + std::string(calibration::programVersion()),
                    "Epsilens VERSION")}) {
        for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part)) {
            text.replace(at, part.size(), general);
        }
    }
    const std::string path = EPSILENS_SOURCE "/tests/core/report/approved/" + name;
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing changes the environment
    if (std::getenv("EPSILENS_APPROVE") != nullptr) {
        std::ofstream(path) << text;
    }
    std::ifstream stream(path);
    const std::string approved{std::istreambuf_iterator<char>(stream), {}};
    INFO(path);
    CHECK(text == approved);
}

std::string pageOf(const document::Report& report) {
    return report::reportText(report::composeReport(report).value());
}

std::string memoOf(const document::Report& report) {
    return report::reportText(report::composeReport(report, false).value());
}

document::Report reportOn(const calibration::CalibrationSummary& summary) {
    document::Report report{{}, exampleRun(summary)};
    report.settings.choice = calibration::Choice{summary.cells.front().epsilon,
                                                 summary.cells.front().lambda, std::nullopt};
    return report;
}

}  // namespace epsilens::test
