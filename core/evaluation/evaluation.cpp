#include "core/evaluation/evaluation.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/base/pass_on.h"
#include "core/calibration/calibrate.h"
#include "core/evaluation/evaluation_parts.h"

namespace epsilens::evaluation {
namespace {

/// The first of those with most documents; empty without classes.
std::string commonestClass(const corpus::DataSet& data) {
    std::vector<std::int64_t> counts(data.classes.size());
    for (const corpus::Document& document : data.documents) {
        if (document.label != corpus::kNone) {
            ++counts[static_cast<std::size_t>(document.label)];
        }
    }
    const auto most = std::ranges::max_element(counts);
    return most == counts.end() ? std::string()
                                : data.classes[static_cast<std::size_t>(most - counts.begin())];
}

DataDescription describe(const EvaluationParts& parts) {
    const corpus::DataSet& data = parts.data;
    const corpus::TokenisedDocuments& words = *parts.words;
    DataDescription description{data};
    description.documents = std::ssize(data.documents);
    description.tokens = words.tokens();
    description.knownTokens = words.knownTokens();
    description.replacedTokens = words.replacedTokens();
    const corpus::ReplacementPolicies& policies = parts.options.policies;
    description.stopWords = policies.stopWords ? policies.stopWords->size() : 0;
    if (policies.onlyWords) {
        description.onlyWords = policies.onlyWords->size();
    }
    description.commonest = commonestClass(data);
    description.authors = std::ssize(data.authors);
    if (const auto positive = parts.positive()) {
        description.positive = data.classes[static_cast<std::size_t>(*positive)];
    }
    description.hasOwnSplit = data.hasSplit();
    description.trainingDocuments = static_cast<std::int64_t>(parts.splits.front().training.size());
    description.testDocuments = static_cast<std::int64_t>(parts.splits.front().test.size());
    description.repeatedTestDocuments =
        description.testDocuments -
        static_cast<std::int64_t>(corpus::unseenTest(data, parts.splits.front()).size());
    return description;
}

std::optional<Error> checkClasses(const EvaluationOptions& options, const corpus::DataSet& data) {
    if (!data.labelColumn && data.classes.empty()) {
        return invalidArgument(
            data.noLabels.empty()
                ? "the data set has no labels; name the column that holds them with --label-column"
                : data.noLabels);
    }
    if (data.classes.size() < 2) {
        return invalidArgument(
            fmt::format("the data set has one class only, {}; a classifier "
                        "needs two",
                        data.classes.front()));
    }
    constexpr std::size_t kMostClasses = 1000;
    if (data.classes.size() > kMostClasses) {
        return invalidArgument(
            fmt::format("the label column has {} different values, more than {}; is it the right "
                        "column?",
                        data.classes.size(), kMostClasses));
    }
    if (!options.positive.empty() &&
        (data.classes.size() != 2 ||
         std::ranges::find(data.classes, options.positive) == data.classes.end())) {
        return invalidArgument(
            fmt::format("the positive class \"{}\" is not one of two classes; the data set has: {}",
                        options.positive, corpus::classesText(data.classes)));
    }
    return std::nullopt;
}

}  // namespace

std::optional<Error> validate(const EvaluationOptions& options, const corpus::DataSet& data,
                              const embedding::PreparedEmbedding& embedding) {
    calibration::CalibrationOptions grid;
    grid.grid = options.grid;
    grid.words.count = std::min<std::int64_t>(grid.words.count, embedding.wordCount());
    if (auto problem = calibration::validate(grid, embedding)) {
        return problem;
    }
    if (options.tasks.empty()) {
        return invalidArgument("an evaluation needs a task");
    }
    if (embedding.wordCount() < 2) {
        return invalidArgument("the embedding has one word only, so there is nothing to guess");
    }
    if (options.needsClasses()) {
        if (auto problem = checkClasses(options, data)) {
            return problem;
        }
    }
    if (options.needsAuthors() && data.authors.size() < 2) {
        return invalidArgument(
            data.authors.empty()
                ? std::string("the data set has no authors; name the column that holds them with "
                              "--author-column")
                : fmt::format("the data set has one author only, {}; an attacker needs two to "
                              "choose from",
                              data.authors.front()));
    }
    if (options.classifiers.empty() || options.repeats < 1 ||
        options.repeats > EvaluationOptions::kMostRepeats) {
        return invalidArgument(fmt::format("an evaluation needs a classifier and 1 to {} repeats",
                                           EvaluationOptions::kMostRepeats));
    }
    return std::nullopt;
}

Result<Evaluation> Evaluation::create(const engine::SearchSpace& space, const corpus::DataSet& data,
                                      EvaluationOptions options, const JobContext& job) {
    options.grid = options.grid.used();
    if (auto problem = validate(options, data, space.embedding())) {
        return tl::unexpected(*std::move(problem));
    }
    ASSIGN_OR_RETURN(auto words,
                     corpus::tokeniseDocuments(data.documents, space.embedding().vocabulary(),
                                               options.policies, options.threads, job));
    ASSIGN_OR_RETURN(auto splits, corpus::splitDocuments(data, options.repeats, options.seed,
                                                         options.needsClasses()));
    auto parts = std::make_shared<EvaluationParts>(EvaluationParts{
        space, data, std::move(options),
        std::make_shared<const corpus::TokenisedDocuments>(std::move(words)), std::move(splits)});
    parts->description = describe(*parts);
    return Evaluation(std::move(parts));
}

Evaluation Evaluation::with(EvaluationOptions options) const {
    options.grid = options.grid.used();
    auto parts = std::make_shared<EvaluationParts>(*m_parts);
    parts->options = std::move(options);
    return Evaluation(std::move(parts));
}

const DataDescription& Evaluation::data() const {
    return m_parts->description;
}

LabelledTokens EvaluationParts::typed(std::span<const std::size_t> documents) const {
    LabelledTokens result;
    for (const std::size_t document : documents) {
        const auto spellings = words->spellings().subspan(
            words->begin(document), words->end(document) - words->begin(document));
        result.tokens.insert(result.tokens.end(), spellings.begin(), spellings.end());
        result.finishDocument(this->document(document).label);
    }
    return result;
}

LabelledTokens EvaluationParts::released(std::span<const std::size_t> documents,
                                         const corpus::PerturbedPool& pool,
                                         std::size_t setting) const {
    const bool keepsUnknown = options.policies.unknown == release::UnknownPolicy::keep;
    // After all rows and spellings.
    const auto mask =
        static_cast<embedding::Row>(space.embedding().wordCount() + words->unknownSpellings());
    LabelledTokens result;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        std::size_t place = words->begin(documents[i]);
        for (const embedding::Row output : pool.document(setting, i)) {
            if (output >= 0) {
                result.tokens.push_back(output);
            } else if (output == corpus::kMasked) {
                result.tokens.push_back(keepsUnknown ? words->spellings()[place] : mask);
            }
            ++place;
        }
        result.finishDocument(document(documents[i]).label);
    }
    return result;
}

ClassifierOptions EvaluationParts::classifier(ClassifierKind kind, int repeat) const {
    return {kind, static_cast<std::int32_t>(data.classes.size()),
            options.seed + static_cast<std::uint64_t>(repeat), &space.embedding().vectors()};
}

}  // namespace epsilens::evaluation
