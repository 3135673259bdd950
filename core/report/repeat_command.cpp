#include "core/report/repeat_command.h"

#include <filesystem>

#include <fmt/format.h>

#include "core/base/numbers.h"
#include "core/document/calibration_document.h"
#include "core/document/descriptions.h"
#include "core/io/byte_source.h"
#include "core/release/policies.h"

namespace epsilens::report {
namespace {

using calibration::CalibrationOptions;
using calibration::WordSelection;

std::string nameOf(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

std::string fileOf(const std::string& path) {
    return path.empty() ? path : fileArgument(path);
}

/// A command line, option by option.
class Command {
public:
    /// The embedding as an argument, then how it is loaded.
    Command(std::string_view name, const embedding::LoadOptions& load)
        : m_text(fmt::format("epsilens-cli {} {}", name,
                             load.path == "-" ? "-" : shellQuoted(fileArgument(load.path)))) {
        if (load.inputFormat != embedding::InputFormat::automatic) {
            add("--input-format", embedding::inputFormatName(load.inputFormat));
        }
        m_text += load.strict ? " --strict" : "";
        add("--limit-rows", load.limitRows > 0 ? fmt::format("{}", load.limitRows) : "");
        add("--vocabulary", fileOf(load.vocabularyPath));
    }

    /// Nothing for an empty value.
    void add(std::string_view option, std::string_view value) {
        m_text += value.empty() ? "" : fmt::format(" {} {}", option, shellQuoted(value));
    }
    template <typename Values, typename Name>
    void addList(std::string_view option, const Values& values, Name name) {
        std::string text;
        for (const auto& value : values) {
            text += fmt::format("{}{}", text.empty() ? "" : ",", name(value));
        }
        add(option, text);
    }
    void addFlag(bool isSet, std::string_view option) {
        m_text += isSet ? fmt::format(" {}", option) : "";
    }
    template <typename Value>
    void addNumber(std::string_view option, Value value) {
        m_text += fmt::format(" {} {}", option, value);
    }

    void addMechanism(const mechanism::Grid& grid, bool isAxis = false) {
        const mechanism::Parameters parameters = grid.mechanism.parameters();
        add("--mechanism", grid.mechanism.name());
        if (isAxis) {
            m_text += fmt::format(" --epsilon all --points {}", grid.epsilons.size());
        } else {
            addList("--epsilon", grid.epsilons, formatNumber);
        }
        if (grid.mechanism.hasLambda()) {
            addList("--lambda", grid.lambdas, formatNumber);
        }
        if (parameters.metric) {
            add("--metric", metric::metricKey(*parameters.metric));
        }
        if (grid.mechanism.hasRadius()) {
            addList(grid.gammas.empty() ? "--beta" : "--gamma",
                    grid.gammas.empty() ? grid.betas : grid.gammas, formatNumber);
        }
        if (parameters.law) {
            add("--noise", mechanism::radialLawName(*parameters.law));
        }
    }

    /// The words measured, by how they were named.
    void addWords(const WordSelection& words,
                  const std::optional<calibration::SelectionDescription>& selection) {
        if (!selection) {
            add("--words", words.kind == WordSelection::Kind::all ? "all"
                           : words.kind == WordSelection::Kind::random
                               ? fmt::format("{}", words.count)
                               : "@words.txt");
            return;
        }
        add("--words", selection->words);
        if (!selection->dataFile.empty()) {
            add("--data", fileArgument(selection->dataFile));
            add("--column", selection->dataColumn);
            addFormat(selection->dataFormat);
            addCase(selection->letterCase);
        }
    }
    void addFormat(io::RecordFormat format) {
        add("--data-format", format == io::RecordFormat::automatic ? std::string_view()
                                                                   : io::recordFormatName(format));
    }
    void addCase(text::CasePolicy policy) {
        add("--case", policy == text::CasePolicy::automatic ? std::string_view()
                                                            : text::casePolicyName(policy));
    }

    [[nodiscard]] const std::string& text() const { return m_text; }

private:
    std::string m_text{};
};

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
    Command command("calibrate", request.load);
    command.addMechanism(options.grid, options.epsilonAxis);
    command.addWords(options.words, selection);
    command.addNumber("--draws", options.draws);
    command.addNumber("--near", options.nearNeighbours);
    command.addNumber("--seed", options.seed);
    command.addFlag(options.independentDraws, "--independent-draws");
    command.add("--deniability",
                options.deniabilityOdds ? formatNumber(*options.deniabilityOdds) : "");
    return command.text();
}

std::string evaluateCommand(const document::EvaluationRequest& request) {
    using attack::Task;
    const corpus::DataSetOptions& data = request.data.options;
    const evaluation::EvaluationOptions& asked = request.options;
    Command command("evaluate", request.load);
    command.add("--data", fileOf(nameOf(data.path)));
    command.add("--test", fileOf(nameOf(data.testPath)));
    command.add("--text-column", data.textColumn);
    command.add("--label-column", data.labelColumn);
    command.add("--author-column", data.authorColumn);
    command.add("--split-column", data.splitColumn);
    command.addFormat(data.format);
    command.add("--unknown", release::unknownPolicyName(asked.policies.unknown));
    command.addCase(asked.policies.letterCase);
    command.add("--stop-words", fileOf(nameOf(request.stopWords.path)));
    command.add("--only-words", fileOf(nameOf(request.onlyWords.path)));
    command.add("--prior", asked.attack.prior == evaluation::PriorKind::uniform
                               ? "uniform"
                               : fileOf(nameOf(request.prior.path)));
    command.addMechanism(asked.grid);
    command.addList("--task", asked.tasks, attack::taskName);
    if (asked.has(Task::classify) || asked.has(Task::membership)) {
        command.addList("--classifier", asked.classifiers, evaluation::classifierName);
    }
    command.add("--positive", asked.positive);
    command.addFlag(asked.perturbTest, "--test-text perturbed");
    command.addNumber("--repeats", asked.repeats);
    command.addNumber("--seed", asked.seed);
    return command.text();
}

std::string settingsHash(const calibration::RunRequest& request) {
    const std::string asked =
        document::requestLine({withoutFolders(request.load), request.options});
    return io::sha256(asked);
}

}  // namespace epsilens::report
