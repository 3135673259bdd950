#include "core/evaluation/evaluation_run.h"

#include <array>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "core/base/job_context.h"
#include "core/base/pass_on.h"
#include "core/corpus/perturber.h"

#include "core/io/csv.h"
#include "core/io/memory_limit.h"

namespace epsilens::evaluation {
namespace {

using Fields = std::vector<std::string>;

Result<void> checkMemory(const Evaluation& evaluation) {
    constexpr double kBesideText = 64.0;  // of a line
    double bytes = 0.0;
    for (const corpus::Document& document : evaluation.data.documents) {
        bytes += kBesideText + static_cast<double>(document.text.size());
    }
    return io::MemoryBudget(0).check(bytes * static_cast<double>(evaluation.cells()),
                                     "the study text",
                                     "ask for fewer settings, or use fewer documents");
}

/// The name of a class or author, in a column that is there only if there are names.
void appendName(Fields& fields, const std::vector<std::string>& names, std::int32_t index) {
    if (!names.empty()) {
        fields.push_back(index == corpus::kNone
                             ? std::string()
                             : io::csvWord(names[static_cast<std::size_t>(index)]));
    }
}

}  // namespace

Result<std::string> studyText(const Evaluation& evaluation, const JobContext& job) {
    constexpr double kPerturbing = 0.8;  // of the work, for the progress
    const EvaluationOptions& options = evaluation.options;
    Fields header{"mechanism", "epsilon", "lambda", "gamma", "beta", "number", "split"};
    if (!evaluation.data.classes.empty()) {
        header.emplace_back("label");
    }
    if (!evaluation.data.authors.empty()) {
        header.emplace_back("author");
    }
    header.emplace_back("text");
    std::string csv;
    io::appendCsvLine(csv, header);
    RETURN_IF_ERROR(checkMemory(evaluation));
    ASSIGN_OR_RETURN(
        const auto perturber,
        corpus::Perturber::create(evaluation.space, *evaluation.words, options.policies,
                                  options.grid, options.seed, options.threads));
    const std::array written{evaluation.pool(0, Role::training), evaluation.pool(0, Role::test)};
    constexpr std::array kSplits{"train", "test"};
    ASSIGN_OR_RETURN(const auto pools, perturber->perturb(written, options.grid.epsilons,
                                                          partOf(job, 0.0, kPerturbing)));
    const std::vector<mechanism::Mechanism> mechanisms = options.grid.mechanisms();
    const std::size_t epsilons = options.grid.epsilons.size();
    for (std::size_t cell = 0; cell < evaluation.cells(); ++cell) {
        const mechanism::Mechanism& mechanism = mechanisms[cell / epsilons];
        const mechanism::Parameters parameters = mechanism.parameters();
        const Fields setting{std::string(mechanism.name()),
                             io::csvNumber(options.grid.epsilons[cell % epsilons]),
                             io::csvNumber(parameters.lambda), io::csvNumber(parameters.gamma),
                             io::csvNumber(parameters.beta)};
        for (std::size_t part = 0; part < written.size(); ++part) {
            RETURN_IF_ERROR(job.checkStop());
            const std::vector<std::size_t>& documents = written.at(part).documents;
            const std::vector<std::string> texts = corpus::writeDocuments(
                evaluation.data, evaluation.space.embedding().vocabulary(), options.policies,
                documents, pools[part], cell, options.threads);
            for (std::size_t i = 0; i < texts.size(); ++i) {
                Fields line = setting;
                line.push_back(fmt::format("{}", documents[i] + 1));
                line.emplace_back(kSplits.at(part));
                appendName(line, evaluation.data.classes, evaluation.document(documents[i]).label);
                appendName(line, evaluation.data.authors, evaluation.document(documents[i]).author);
                line.push_back(io::csvWord(texts[i]));
                io::appendCsvLine(csv, line);
            }
        }
        job.progress(kPerturbing + (1.0 - kPerturbing) * static_cast<double>(cell + 1) /
                                       static_cast<double>(evaluation.cells()),
                     "Writing");
    }
    return csv;
}

Result<void> checkStudyName(const std::string& path) {
    if (std::filesystem::path(path).filename().string().find("study") != std::string::npos) {
        return {};
    }
    return fail(ErrorCode::invalidArgument,
                "the name of the file must contain \"study\", such as texts.study.csv: it holds "
                "text from a seed, which is no release");
}

}  // namespace epsilens::evaluation
