#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "core/base/numbers.h"
#include "core/document/descriptions.h"
#include "core/report/report_parts.h"
#include "core/report/shell_words.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationOptions;
using calibration::WordSelection;

std::string listText(const std::vector<double>& values) {
    std::string text;
    for (const double value : values) {
        text += (text.empty() ? "" : ",") + formatNumber(value);
    }
    return text;
}

std::string nameOf(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

std::string mechanismOptions(const CalibrationOptions& options) {
    const std::vector<double>& epsilons = options.grid.epsilons;
    std::string text = fmt::format(
        " --mechanism {} --epsilon {}", options.grid.mechanism.name(),
        options.epsilonAxis ? fmt::format("all --points {}", epsilons.size()) : listText(epsilons));
    if (options.grid.mechanism.hasLambda()) {
        text += " --lambda " + listText(options.grid.lambdas);
    }
    const mechanism::Parameters parameters = options.grid.mechanism.parameters();
    if (options.grid.mechanism.hasRadius()) {
        text += fmt::format(
            " --metric {} {} {}", metric::metricKey(options.grid.mechanism.metric()),
            options.grid.gammas.empty() ? "--beta" : "--gamma",
            listText(options.grid.gammas.empty() ? options.grid.betas : options.grid.gammas));
    }
    if (parameters.law) {
        text += fmt::format(" --noise {}", mechanism::radialLawName(*parameters.law));
    }
    return text;
}

std::string dataOptions(const calibration::SelectionDescription& selection) {
    std::string text = " --data " + shellQuoted(fileArgument(selection.dataFile));
    if (!selection.dataColumn.empty()) {
        text += " --column " + shellQuoted(selection.dataColumn);
    }
    if (selection.dataFormat != io::RecordFormat::automatic) {
        text += fmt::format(" --data-format {}", io::recordFormatName(selection.dataFormat));
    }
    if (selection.letterCase != text::CasePolicy::automatic) {
        text += fmt::format(" --case {}", text::casePolicyName(selection.letterCase));
    }
    return text;
}

std::string wordOptions(const WordSelection& words,
                        const std::optional<calibration::SelectionDescription>& selection) {
    if (selection) {
        return " --words " + shellQuoted(selection->words) +
               (selection->dataFile.empty() ? std::string() : dataOptions(*selection));
    }
    switch (words.kind) {
        case WordSelection::Kind::all:
            return " --words all";
        case WordSelection::Kind::random:
            return fmt::format(" --words {}", words.count);
        case WordSelection::Kind::list:
            break;
    }
    return " --words @words.txt";
}

std::string loadOptions(const embedding::LoadOptions& load) {
    std::string text;
    if (load.inputFormat != embedding::InputFormat::automatic) {
        text += fmt::format(" --input-format {}", embedding::inputFormatName(load.inputFormat));
    }
    text += load.strict ? " --strict" : "";
    text += load.limitRows > 0 ? fmt::format(" --limit-rows {}", load.limitRows) : "";
    if (!load.vocabularyPath.empty()) {
        text += " --vocabulary " + shellQuoted(fileArgument(nameOf(load.vocabularyPath)));
    }
    return text;
}

/// Standard input has a name for people, and another one for the command.
std::string embeddingArgument(const calibration::Run& run) {
    return run.request.load.path == "-" ? "-"
                                        : shellQuoted(fileArgument(run.provenance.embedding.file));
}

std::string sha256(const std::string& bytes) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr);
    std::string text;
    for (unsigned int i = 0; i < size; ++i) {
        text += fmt::format("{:02x}", digest[i]);
    }
    return text;
}

}  // namespace

std::string repeatCommand(const calibration::Run& run) {
    const calibration::RunRequest& request = run.request;
    const CalibrationOptions& options = request.options;
    std::string text = "epsilens-cli calibrate " + embeddingArgument(run) +
                       loadOptions(request.load) + mechanismOptions(options) +
                       wordOptions(options.words, run.provenance.selection);
    text += fmt::format(" --draws {} --near {} --seed {}", options.draws, options.nearNeighbours,
                        options.seed);
    text += options.independentDraws ? " --independent-draws" : "";
    text += options.deniabilityOdds
                ? fmt::format(" --deniability {}", formatNumber(*options.deniabilityOdds))
                : "";
    return text + " --format json";
}

std::string settingsHash(const calibration::RunRequest& request) {
    calibration::RunRequest anywhere = request;
    anywhere.load.path = nameOf(anywhere.load.path);
    anywhere.load.vocabularyPath = nameOf(anywhere.load.vocabularyPath);
    return sha256(document::requestLine(anywhere));
}

}  // namespace epsilens::report
