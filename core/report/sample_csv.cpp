#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "core/io/csv.h"
#include "core/report/sample_report.h"

namespace epsilens::report {
namespace {

using embedding::Vocabulary;
using statistics::OutputDistribution;
using Fields = std::vector<std::string>;

/// Outputs that the word with the most of them lists.
std::size_t mostListed(const SampleReport& report) {
    std::size_t most = 0;
    for (const SampledSetting& setting : report.settings) {
        for (const OutputDistribution& distribution : setting.distributions) {
            most = std::max(most, distribution.outputs.size());
        }
    }
    return std::min(most, report.topOutputs);
}

Fields header(std::size_t listed) {
    Fields fields{"epsilon", "lambda", "gamma", "word", "row", "draws",
                  "kept",    "near",   "far",   "nw",   "sw"};
    for (std::size_t i = 1; i <= listed; ++i) {
        for (const char* name : {"output", "count", "class"}) {
            fields.push_back(fmt::format("{}{}", name, i));
        }
    }
    return fields;
}

Fields settingFields(const SampleReport& report, const SampledSetting& setting) {
    const bool hasLambda = report.mechanism.hasLambda();
    return {io::csvNumber(setting.guarantee.epsilon),
            hasLambda ? io::csvNumber(report.mechanism.lambda()) : std::string(),
            io::csvNumber(setting.guarantee.gamma)};
}

void addOutputs(Fields& fields, const OutputDistribution& distribution, std::size_t listed,
                const Vocabulary& vocabulary) {
    for (std::size_t i = 0; i < listed; ++i) {
        if (i < distribution.outputs.size()) {
            const OutputDistribution::Output& output = distribution.outputs[i];
            fields.push_back(io::csvWord(vocabulary.word(output.row)));
            fields.push_back(fmt::format("{}", output.count));
            fields.emplace_back(outputClassName(output.outputClass));
        } else {
            fields.insert(fields.end(), 3, {});
        }
    }
}

}  // namespace

std::string sampleCsv(const SampleReport& report, const Vocabulary& vocabulary) {
    const std::size_t listed = mostListed(report);
    std::string text;
    io::appendCsvLine(text, header(listed));
    for (const SampledSetting& setting : report.settings) {
        for (std::size_t i = 0; i < setting.distributions.size(); ++i) {
            const OutputDistribution& distribution = setting.distributions[i];
            const Row row = report.distinctWords[i];
            Fields fields = settingFields(report, setting);
            fields.push_back(io::csvWord(vocabulary.word(row)));
            for (const auto count : {row, distribution.draws}) {
                fields.push_back(fmt::format("{}", count));
            }
            for (const int count : {distribution.kept, distribution.near, distribution.far}) {
                fields.push_back(io::csvNumber(static_cast<double>(count) / distribution.draws));
            }
            fields.push_back(fmt::format("{}", distribution.kept));
            fields.push_back(fmt::format("{}", distribution.distinct()));
            addOutputs(fields, distribution, listed, vocabulary);
            io::appendCsvLine(text, fields);
        }
    }
    return text;
}

}  // namespace epsilens::report
