#include "core/evaluation/evaluation_run.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "core/attack/context_attack.h"
#include "core/base/parallel.h"
#include "core/calibration/calibrate.h"
#include "core/io/csv.h"
#include "core/io/memory_limit.h"
#include "core/mechanism/prepared_mechanism.h"

namespace epsilens::evaluation {
namespace {

using attack::Task;

DataDescription describe(const Evaluation& evaluation) {
    const corpus::DataSet& data = evaluation.data;
    const corpus::TokenisedDocuments& words = *evaluation.words;
    const corpus::DocumentSplit& split = evaluation.splits.front();
    const corpus::ReplacementPolicies& policies = evaluation.options.policies;
    DataDescription description{data};
    description.documents = std::ssize(data.documents);
    description.tokens = words.tokens();
    description.knownTokens = words.knownTokens();
    description.replacedTokens = words.replacedTokens();
    description.lengths = corpus::textLengths(words);
    description.stopWords = policies.stopWords ? policies.stopWords->size() : 0;
    if (policies.onlyWords) {
        description.onlyWords = policies.onlyWords->size();
    }
    std::map<std::int32_t, int> counts;
    for (const corpus::Document& document : data.documents) {
        ++counts[document.label];
    }
    counts.erase(corpus::kNone);
    if (!counts.empty()) {
        const auto most =
            std::ranges::max_element(counts, {}, &decltype(counts)::value_type::second);
        description.commonest = data.classes[static_cast<std::size_t>(most->first)];
    }
    description.authors = std::ssize(data.authors);
    if (const auto positive = evaluation.positive()) {
        description.positive = data.classes[static_cast<std::size_t>(*positive)];
    }
    description.hasOwnSplit = data.hasSplit();
    description.trainingDocuments = std::ssize(split.training);
    description.testDocuments = std::ssize(split.test);
    description.repeatedTestDocuments =
        description.testDocuments - std::ssize(corpus::unseenTest(data, split));
    return description;
}

Result<void> checkClasses(const EvaluationOptions& options, const corpus::DataSet& data) {
    constexpr std::size_t kMostClasses = 1000;
    if (!data.labelColumn && data.classes.empty()) {
        return refuse(
            "the data set has no labels; name the column that holds them with --label-column");
    }
    if (data.classes.size() < 2) {
        return refuse(fmt::format("the data set has one class only, {}; a classifier needs two",
                                  data.classes.front()));
    }
    if (data.classes.size() > kMostClasses) {
        return refuse(fmt::format(
            "the label column has {} different values, more than {}; is it the right column?",
            data.classes.size(), kMostClasses));
    }
    if (!options.positive.empty() &&
        (data.classes.size() != 2 ||
         std::ranges::find(data.classes, options.positive) == data.classes.end())) {
        return refuse(
            fmt::format("the positive class \"{}\" is not one of two classes; the data set has: {}",
                        options.positive, corpus::classesText(data.classes)));
    }
    return {};
}

/// Bytes of a copy of a repeat's words at a setting.
std::size_t bytesOfCopy(const Evaluation& evaluation) {
    return evaluation.perturbedTokens() * sizeof(embedding::Row);
}

constexpr const char* kLessMemory = "ask for fewer settings, or use fewer documents";

/// Fails with resourceLimit when copies, models and attackers need more memory than is free.
Result<void> checkMemory(const Evaluation& evaluation) {
    // Of a model in training and its documents, per word of a training document.
    constexpr double kBytesPerTrainedToken = 64.0;
    // Sums and totals of kernels, of every setting and of the rates that are tried.
    constexpr double kBytesOfKernel = sizeof(std::int64_t) + 2.0 * sizeof(float);
    constexpr double kTried = 24.0;
    const EvaluationOptions& options = evaluation.options;
    const int threads = std::min(workersOf(options.threads), defaultThreadCount());
    double bytes = static_cast<double>(bytesOfCopy(evaluation) * evaluation.epsilonsAtOnce() *
                                       evaluation.mechanisms() * evaluation.repeatsTogether()) +
                   static_cast<double>(corpus::Perturber::kScratchBytes) +
                   static_cast<double>(evaluation.tokensOf(evaluation.splits.front().training)) *
                       kBytesPerTrainedToken * threads;
    if (options.has(Task::reconstruct)) {
        const embedding::Row words = evaluation.space.embedding().wordCount();
        const double row = sizeof(float) * static_cast<double>(words);
        const double kernels = kTried + static_cast<double>(options.grid.epsilons.size());
        // Of each thread the products of a block of tokens and the laws of their states.
        bytes += 3.0 * row * static_cast<double>(attack::observationsAtOnce(words)) * threads +
                 std::min(row * static_cast<double>(kAttackedWords),
                          static_cast<double>(attack::kSharedEvidenceBytes)) +
                 kBytesOfKernel * static_cast<double>(words) * kernels;
    }
    return io::MemoryBudget(0).check(bytes, "the perturbed copies and the models", kLessMemory);
}

/// The settings of the grid, with what each promises.
Result<void> describeSettings(const Evaluation& evaluation, EvaluationSummary& summary) {
    const mechanism::Grid& grid = evaluation.options.grid;
    for (const mechanism::Mechanism& mechanism : grid.mechanisms()) {
        ASSIGN_OR_RETURN(const auto prepared, mechanism::PreparedMechanism::create(
                                                  evaluation.space.handle(), mechanism));
        for (const double epsilon : grid.epsilons) {
            ASSIGN_OR_RETURN(auto guarantee, prepared.guarantee(epsilon));
            summary.guarantees.push_back(std::move(guarantee));
            summary.cells.push_back(
                {{epsilon, mechanism.lambda(), prepared.gammaAt(epsilon),
                  mechanism.hasRadius() && grid.gammas.empty() ? mechanism.parameters().beta
                                                               : std::nullopt}});
        }
    }
    return {};
}

}  // namespace

Result<void> validate(const EvaluationOptions& options, const corpus::DataSet& data,
                      const embedding::PreparedEmbedding& embedding) {
    calibration::CalibrationOptions grid;
    grid.grid = options.grid;
    grid.words.count = std::min<std::int64_t>(grid.words.count, embedding.wordCount());
    RETURN_IF_ERROR(calibration::validate(grid, embedding));
    if (options.tasks.empty()) {
        return refuse("an evaluation needs a task");
    }
    if (embedding.wordCount() < 2) {
        return refuse("the embedding has one word only, so there is nothing to guess");
    }
    if (options.needsClasses()) {
        RETURN_IF_ERROR(checkClasses(options, data));
    }
    if (options.needsAuthors() && data.authors.size() < 2) {
        return refuse(
            data.authors.empty()
                ? std::string("the data set has no authors; name the column that holds them with "
                              "--author-column")
                : fmt::format(
                      "the data set has one author only, {}; an attacker needs two to choose from",
                      data.authors.front()));
    }
    if (options.classifiers.empty() || options.repeats < 1 ||
        options.repeats > EvaluationOptions::kMostRepeats) {
        return refuse(fmt::format("an evaluation needs a classifier and 1 to {} repeats",
                                  EvaluationOptions::kMostRepeats));
    }
    return {};
}

Result<Evaluation> Evaluation::create(const engine::SearchSpace& space, const corpus::DataSet& data,
                                      EvaluationOptions options, const JobContext& job) {
    options.grid = options.grid.used();
    RETURN_IF_ERROR(validate(options, data, space.embedding()));
    ASSIGN_OR_RETURN(auto words,
                     corpus::tokeniseDocuments(data.documents, space.embedding().vocabulary(),
                                               options.policies, options.threads, job));
    ASSIGN_OR_RETURN(auto splits, corpus::splitDocuments(data, options.repeats, options.seed,
                                                         options.needsClasses()));
    Evaluation evaluation{space, data, std::move(options),
                          std::make_shared<const corpus::TokenisedDocuments>(std::move(words)),
                          std::move(splits)};
    evaluation.description = describe(evaluation);
    return evaluation;
}

Evaluation Evaluation::with(EvaluationOptions changed) const {
    changed.grid = changed.grid.used();
    return {space, data, std::move(changed), words, splits, description};
}

std::size_t Evaluation::tokensOf(const std::vector<std::size_t>& documents) const {
    return std::accumulate(documents.begin(), documents.end(), std::size_t{0},
                           [&](std::size_t tokens, std::size_t document) {
                               return tokens + words->end(document) - words->begin(document);
                           });
}

std::size_t Evaluation::perturbedTokens() const {
    return tokensOf(splits.front().training) +
           (options.perturbTest ? tokensOf(splits.front().test) : 0);
}

std::size_t Evaluation::copiesAtOnce(std::size_t settings) const {
    constexpr std::size_t kOutputBytes = std::size_t{384} << 20;
    return kOutputBytes / std::max<std::size_t>(bytesOfCopy(*this) * settings, 1);
}

std::size_t Evaluation::epsilonsAtOnce() const {
    const std::size_t epsilons = options.grid.epsilons.size();
    const int processes = options.crew != nullptr ? options.crew->size() : 1;
    const std::size_t shares =
        std::clamp<std::size_t>(static_cast<std::size_t>(processes / options.repeats), 1, epsilons);
    return std::clamp<std::size_t>(copiesAtOnce(mechanisms()), 1, (epsilons + shares - 1) / shares);
}

std::uint32_t Evaluation::repeatsTogether() const {
    return options.crew != nullptr || epsilonsAtOnce() < options.grid.epsilons.size()
               ? 1
               : static_cast<std::uint32_t>(std::clamp<std::size_t>(copiesAtOnce(cells()), 1,
                                                                    std::max(repeats(), 2U) - 1));
}

std::optional<std::int32_t> Evaluation::positive() const {
    return data.classes.size() != 2                   ? std::nullopt
           : options.positive == data.classes.front() ? std::optional(0)
                                                      : std::optional(1);
}

corpus::DrawPool Evaluation::pool(std::uint32_t repeat, Role role) const {
    constexpr std::uint32_t kPoolsPerRepeat = 8;
    const corpus::DocumentSplit& split = splits[repeat];
    return {repeat * kPoolsPerRepeat + static_cast<std::uint32_t>(role),
            role == Role::training ? split.training : split.test};
}

LabelledTokens Evaluation::typed(std::span<const std::size_t> documents) const {
    LabelledTokens result;
    for (const std::size_t index : documents) {
        for (std::size_t place = words->begin(index); place < words->end(index); ++place) {
            result.tokens.push_back(words->spellings()[place]);
        }
        result.finishDocument(document(index).label);
    }
    return result;
}

LabelledTokens Evaluation::released(const corpus::DrawPool& pool, const corpus::PerturbedPool& copy,
                                    std::size_t setting) const {
    const bool keepsUnknown = options.policies.unknown == release::UnknownPolicy::keep;
    // After all rows and spellings.
    const auto mask =
        static_cast<embedding::Row>(space.embedding().wordCount() + words->unknownSpellings());
    LabelledTokens result;
    for (std::size_t i = 0; i < pool.documents.size(); ++i) {
        std::size_t place = words->begin(pool.documents[i]);
        for (const embedding::Row output : copy.document(setting, i)) {
            if (output >= 0) {
                result.tokens.push_back(output);
            } else if (output == corpus::kMasked) {
                result.tokens.push_back(keepsUnknown ? words->spellings()[place] : mask);
            }
            ++place;
        }
        result.finishDocument(document(pool.documents[i]).label);
    }
    return result;
}

ClassifierOptions Evaluation::classifier(ClassifierKind kind, std::uint32_t repeat) const {
    return {kind, static_cast<std::int32_t>(data.classes.size()), options.seed + repeat,
            &space.embedding().vectors()};
}

Result<EvaluationSummary> Evaluation::run(const JobContext& job, const ShowSummary& show) const {
    RETURN_IF_ERROR(checkMemory(*this));
    ASSIGN_OR_RETURN(const auto perturber,
                     corpus::Perturber::create(space, *words, options.policies, options.grid,
                                               options.seed, options.threads));
    EvaluationSummary summary{options, description};
    summary.options.crew = nullptr;
    RETURN_IF_ERROR(describeSettings(*this, summary));
    const auto showSoFar = [&] {
        EvaluationSummary soFar = summary;
        soFar.partial = true;
        show(soFar);
    };
    const bool isShown = show && options.crew == nullptr;
    const ShowSoFar showMore = isShown ? ShowSoFar(showSoFar) : nullptr;
    for (std::size_t i = 0; i < options.tasks.size() && !summary.partial; ++i) {
        const JobContext part = partOf(job, i, i + 1, options.tasks.size());
        const TaskInput input{*this, *perturber, part};
        const auto done = options.tasks[i] == Task::classify
                              ? classify(input, summary, showMore)
                              : attackTexts(options.tasks[i], input, summary, showMore);
        if (!done && done.error().code != ErrorCode::cancelled) {
            return tl::unexpected(done.error());
        }
        summary.partial = !done;
        if (isShown && i + 1 < options.tasks.size()) {
            showSoFar();
        }
    }
    const auto isEmpty = [](const attack::AttackResults& attack) {
        return std::ranges::none_of(attack.cells,
                                    [](const auto& cell) { return cell.has_value(); });
    };
    if (summary.partial && summary.repeats == 0 && std::ranges::all_of(summary.attacks, isEmpty)) {
        return fail(ErrorCode::cancelled, "cancelled");
    }
    return summary;
}

Result<std::string> studyText(const Evaluation& evaluation, const JobContext& job) {
    constexpr double kPerturbing = 0.8;   // of the work, for the progress
    constexpr double kBesideText = 64.0;  // of a line, in bytes
    const corpus::DataSet& data = evaluation.data;
    const EvaluationOptions& options = evaluation.options;
    double bytes = 0.0;
    for (const corpus::Document& document : data.documents) {
        bytes += kBesideText + static_cast<double>(document.text.size());
    }
    RETURN_IF_ERROR(io::MemoryBudget(0).check(bytes * static_cast<double>(evaluation.cells()),
                                              "the study text", kLessMemory));
    std::string csv =
        fmt::format("mechanism,epsilon,lambda,gamma,beta,number,split{}{},text\n",
                    data.classes.empty() ? "" : ",label", data.authors.empty() ? "" : ",author");
    const auto appendName = [](std::vector<std::string>& line,
                               const std::vector<std::string>& names, std::int32_t index) {
        if (!names.empty()) {
            line.push_back(index == corpus::kNone
                               ? std::string()
                               : io::csvWord(names[static_cast<std::size_t>(index)]));
        }
    };
    ASSIGN_OR_RETURN(
        const auto perturber,
        corpus::Perturber::create(evaluation.space, *evaluation.words, options.policies,
                                  options.grid, options.seed, options.threads));
    const std::array written{evaluation.pool(0, Role::training), evaluation.pool(0, Role::test)};
    constexpr std::array kSplits{"train", "test"};
    ASSIGN_OR_RETURN(const auto pools, perturber->perturb(written, options.grid.epsilons,
                                                          partOf(job, 0.0, kPerturbing)));
    std::size_t cell = 0;
    for (const mechanism::Mechanism& mechanism : options.grid.mechanisms()) {
        const mechanism::Parameters parameters = mechanism.parameters();
        for (const double epsilon : options.grid.epsilons) {
            for (std::size_t part = 0; part < written.size(); ++part) {
                RETURN_IF_ERROR(job.checkStop());
                const std::vector<std::size_t>& documents = written.at(part).documents;
                const std::vector<std::string> texts = corpus::writeDocuments(
                    data, evaluation.space.embedding().vocabulary(), options.policies, documents,
                    pools[part], cell, options.threads);
                for (std::size_t i = 0; i < texts.size(); ++i) {
                    const corpus::Document& document = evaluation.document(documents[i]);
                    std::vector<std::string> line{std::string(mechanism.name()),
                                                  io::csvNumber(epsilon),
                                                  io::csvNumber(parameters.lambda),
                                                  io::csvNumber(parameters.gamma),
                                                  io::csvNumber(parameters.beta),
                                                  fmt::format("{}", documents[i] + 1),
                                                  kSplits.at(part)};
                    appendName(line, data.classes, document.label);
                    appendName(line, data.authors, document.author);
                    line.push_back(io::csvWord(texts[i]));
                    io::appendCsvLine(csv, line);
                }
            }
            partOf(job, kPerturbing, 1.0).progress(++cell, evaluation.cells(), "Writing");
        }
    }
    return csv;
}

Result<void> checkStudyName(const std::string& path) {
    if (std::filesystem::path(path).filename().string().find("study") != std::string::npos) {
        return {};
    }
    return refuse(
        "the name of the file must contain \"study\", such as texts.study.csv: it holds "
        "text from a seed, which is no release");
}

}  // namespace epsilens::evaluation
