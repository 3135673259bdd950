#include "core/report/repeat_command.h"

#include <array>
#include <filesystem>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "core/base/numbers.h"
#include "core/document/descriptions.h"
#include "core/release/policies.h"

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

std::string mechanismOptions(const mechanism::Grid& grid, bool isAxis = false) {
    const std::vector<double>& epsilons = grid.epsilons;
    std::string text =
        fmt::format(" --mechanism {} --epsilon {}", grid.mechanism.name(),
                    isAxis ? fmt::format("all --points {}", epsilons.size()) : listText(epsilons));
    if (grid.mechanism.hasLambda()) {
        text += " --lambda " + listText(grid.lambdas);
    }
    const mechanism::Parameters parameters = grid.mechanism.parameters();
    if (parameters.metric) {
        text += fmt::format(" --metric {}", metric::metricKey(*parameters.metric));
    }
    if (grid.mechanism.hasRadius()) {
        text += grid.gammas.empty() ? " --beta " + listText(grid.betas)
                                    : " --gamma " + listText(grid.gammas);
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

/// The embedding as an argument, then how it is loaded.
std::string embeddingOptions(const embedding::LoadOptions& load) {
    std::string text = load.path == "-" ? "-" : shellQuoted(fileArgument(load.path));
    if (load.inputFormat != embedding::InputFormat::automatic) {
        text += fmt::format(" --input-format {}", embedding::inputFormatName(load.inputFormat));
    }
    text += load.strict ? " --strict" : "";
    text += load.limitRows > 0 ? fmt::format(" --limit-rows {}", load.limitRows) : "";
    if (!load.vocabularyPath.empty()) {
        text += " --vocabulary " + shellQuoted(fileArgument(load.vocabularyPath));
    }
    return text;
}

template <typename Values, typename Name>
std::string namesText(const Values& values, Name name) {
    std::string text;
    for (const auto& value : values) {
        text += fmt::format("{}{}", text.empty() ? "" : ",", name(value));
    }
    return text;
}

/// The data set, how it is read, and which of its words are replaced.
std::string textOptions(const document::EvaluationRequest& request) {
    const experiment::DataSetOptions& data = request.data.options;
    std::string text;
    const auto add = [&text](std::string_view option, const std::string& value) {
        text += value.empty() ? std::string() : fmt::format(" {} {}", option, shellQuoted(value));
    };
    const auto file = [](const std::string& path) {
        return path.empty() ? path : fileArgument(nameOf(path));
    };
    add("--data", file(data.path));
    add("--test", file(data.testPath));
    add("--text-column", data.textColumn);
    add("--label-column", data.labelColumn);
    add("--author-column", data.authorColumn);
    add("--split-column", data.splitColumn);
    add("--data-format", data.format == io::RecordFormat::automatic
                             ? std::string()
                             : std::string(io::recordFormatName(data.format)));
    const experiment::ReplacementPolicies& policies = request.options.policies;
    add("--unknown", std::string(release::unknownPolicyName(policies.unknown)));
    add("--case", policies.letterCase == text::CasePolicy::automatic
                      ? std::string()
                      : std::string(text::casePolicyName(policies.letterCase)));
    add("--stop-words", file(request.stopWords.path));
    add("--only-words", file(request.onlyWords.path));
    add("--prior", request.options.attack.prior == experiment::PriorKind::uniform
                       ? "uniform"
                       : file(request.prior.path));
    return text;
}

/// What is measured, where it is not the default.
std::string taskOptions(const document::EvaluationRequest& request) {
    const experiment::EvaluationOptions& asked = request.options;
    std::string text;
    text += " --task " + namesText(asked.tasks, experiment::taskName);
    const bool learns =
        asked.has(experiment::Task::classify) || asked.has(experiment::Task::membership);
    text += learns ? " --classifier " + namesText(asked.classifiers, experiment::classifierName)
                   : std::string();
    text += asked.positive.empty() ? std::string() : " --positive " + shellQuoted(asked.positive);
    text += asked.perturbTest ? " --test-text perturbed" : "";
    return fmt::format("{} --repeats {}", text, asked.repeats);
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

std::string shellQuoted(std::string_view word) {
    constexpr std::string_view kPlain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,:@/+=%";
    if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) {
        return std::string(word);
    }
    std::string quoted = "'";
    for (const char letter : word) {
        if (letter == '\'') {
            quoted += "'\\''";
        } else {
            quoted += letter;
        }
    }
    return quoted + "'";
}

std::string fileArgument(const std::string& path) {
    return path.starts_with('-') ? "./" + path : path;
}

embedding::LoadOptions withoutFolders(embedding::LoadOptions load) {
    load.path = nameOf(load.path);
    load.vocabularyPath = nameOf(load.vocabularyPath);
    return load;
}

std::string calibrateCommand(const calibration::RunRequest& request,
                             const std::optional<calibration::SelectionDescription>& selection) {
    const CalibrationOptions& options = request.options;
    std::string text = "epsilens-cli calibrate " + embeddingOptions(request.load) +
                       mechanismOptions(options.grid, options.epsilonAxis) +
                       wordOptions(options.words, selection);
    text += fmt::format(" --draws {} --near {} --seed {}", options.draws, options.nearNeighbours,
                        options.seed);
    text += options.independentDraws ? " --independent-draws" : "";
    text += options.deniabilityOdds
                ? fmt::format(" --deniability {}", formatNumber(*options.deniabilityOdds))
                : "";
    return text;
}

std::string evaluateCommand(const document::EvaluationRequest& request) {
    return fmt::format("epsilens-cli evaluate {}{}{}{} --seed {}", embeddingOptions(request.load),
                       textOptions(request), mechanismOptions(request.options.grid),
                       taskOptions(request), request.options.seed);
}

std::string settingsHash(const calibration::RunRequest& request) {
    return sha256(document::requestLine({withoutFolders(request.load), request.options}));
}

}  // namespace epsilens::report
