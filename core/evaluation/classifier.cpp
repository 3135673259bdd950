#include "core/evaluation/classifier.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include <sys/mman.h>

#include <fasttext/fasttext.h>
#include <fmt/format.h>
#include <linear.h>

#include "core/attack/detection.h"
#include "core/base/enum_names.h"
#include "core/base/ordered.h"
#include "core/base/random_stream.h"
#include "core/corpus/streams.h"

namespace epsilens::evaluation {
namespace {

constexpr EnumNames<ClassifierKind, 3> kNames{{{"linear", ClassifierKind::linear},
                                               {"vectors", ClassifierKind::vectors},
                                               {"fasttext", ClassifierKind::fasttext}}};

constexpr std::array kCosts{0.1, 1.0, 10.0};
constexpr std::size_t kFolds = 3;
constexpr double kTolerance = 0.001;
constexpr double kIntercept = 1.0;

/// Documents as LIBLINEAR takes them: nodes with rising index from 1, ended by index -1.
using SparseRows = std::vector<std::vector<feature_node>>;

/// How documents become features.
struct Features {
    int count = 0;
    /// Adds the features of a document, indices from 1.
    std::function<void(std::span<const embedding::Row> tokens, std::vector<feature_node>& nodes)>
        append{};

    [[nodiscard]] SparseRows rows(const LabelledTokens& documents) const {
        SparseRows rows;
        for (std::size_t i = 0; i < documents.size(); ++i) {
            std::vector<feature_node>& nodes = rows.emplace_back();
            append(documents.document(i), nodes);
            nodes.push_back({count + 1, kIntercept});
            nodes.push_back({-1, 0.0});
        }
        return rows;
    }
};

/// Calls with each different word, in rising order, and how often it occurs.
template <typename Use>
void eachWord(std::span<const embedding::Row> tokens, const Use& use) {
    std::vector<embedding::Row> words(tokens.begin(), tokens.end());
    std::ranges::sort(words);
    for (auto at = words.begin(); at != words.end();) {
        const auto next = std::upper_bound(at, words.end(), *at);
        use(static_cast<std::size_t>(*at), static_cast<double>(next - at));
        at = next;
    }
}

Features wordCounts(const LabelledTokens& documents) {
    const auto n = static_cast<double>(documents.size());
    std::vector<double> holding(
        static_cast<std::size_t>(*std::ranges::max_element(documents.tokens)) + 1);
    for (std::size_t i = 0; i < documents.size(); ++i) {
        eachWord(documents.document(i),
                 [&](std::size_t word, double /*count*/) { holding[word] += 1.0; });
    }
    std::vector<int> numbers(holding.size());  // of each word, from 1; 0: none
    std::vector<double> weights(holding.size());
    int count = 0;
    for (std::size_t word = 0; word < holding.size(); ++word) {
        numbers[word] = holding[word] > 0.0 ? ++count : 0;
        weights[word] = std::log((1.0 + n) / (1.0 + holding[word])) + 1.0;
    }
    return {count, [weights = std::move(weights), numbers = std::move(numbers)](
                       std::span<const embedding::Row> tokens, std::vector<feature_node>& nodes) {
                double squares = 0.0;
                eachWord(tokens, [&](std::size_t word, double times) {
                    if (word < numbers.size() && numbers[word] > 0) {
                        const double value = times * weights[word];
                        nodes.push_back({numbers[word], value});
                        squares += value * value;
                    }
                });
                for (feature_node& node : nodes) {
                    node.value /= std::sqrt(squares);
                }
            }};
}

/// vectors  outlive the features
Features meanVectors(const LabelledTokens& documents, const RowMatrixF& vectors) {
    const auto mean = [&vectors](std::span<const embedding::Row> tokens) -> VectorD {
        VectorD sum = VectorD::Zero(vectors.cols());
        double words = 0.0;
        for (const embedding::Row token : tokens) {
            if (token < vectors.rows()) {
                sum += vectors.row(token).transpose().cast<double>();
                words += 1.0;
            }
        }
        return sum / std::max(words, 1.0);
    };
    double lengths = 0.0;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        lengths += mean(documents.document(i)).norm();
    }
    const double scale = lengths > 0.0 ? static_cast<double>(documents.size()) / lengths : 1.0;
    return {static_cast<int>(vectors.cols()), [mean, scale](std::span<const embedding::Row> tokens,
                                                            std::vector<feature_node>& nodes) {
                const VectorD vector = scale * mean(tokens);
                for (Eigen::Index i = 0; i < vector.size(); ++i) {
                    nodes.push_back({static_cast<int>(i + 1), vector[i]});
                }
            }};
}

struct FreeModel {
    void operator()(model* fitted) const { free_and_destroy_model(&fitted); }
};
using FittedModel = std::unique_ptr<model, FreeModel>;

/// Fits on some of the rows.
FittedModel fit(SparseRows& rows, std::span<const std::int32_t> labels,
                std::span<const std::size_t> chosen, int features, double cost) {
    std::vector<double> targets;
    std::vector<feature_node*> pointers;
    for (const std::size_t i : chosen) {
        targets.push_back(labels[i]);
        pointers.push_back(rows[i].data());
    }
    problem data{};
    data.l = static_cast<int>(chosen.size());
    data.n = features + 1;
    data.y = targets.data();
    data.x = pointers.data();
    data.bias = kIntercept;
    parameter how{};
    how.solver_type = L2R_LR;
    how.eps = kTolerance;
    how.C = cost;
    return FittedModel(::train(&data, &how));
}

/// The cost with the highest mean accuracy over the folds.
Result<double> chooseCost(SparseRows& rows, std::span<const std::int32_t> labels, int features,
                          std::uint64_t seed, const JobContext& job) {
    std::vector<std::size_t> order = indicesBelow(labels.size());
    SeededStream stream({seed, corpus::kFoldStream, 0, 0});
    shuffleFirst(order, order.size(), stream);
    std::array<double, kCosts.size()> accuracy{};
    for (std::size_t fold = 0; fold < kFolds; ++fold) {
        std::vector<std::size_t> inside;
        std::vector<std::size_t> outside;
        for (std::size_t i = 0; i < order.size(); ++i) {
            (i % kFolds == fold ? outside : inside).push_back(order[i]);
        }
        for (std::size_t i = 0; i < kCosts.size(); ++i) {
            RETURN_IF_ERROR(job.checkStop());
            const FittedModel fitted = fit(rows, labels, inside, features, kCosts.at(i));
            const auto hits = std::ranges::count_if(outside, [&](std::size_t row) {
                return ::predict(fitted.get(), rows[row].data()) == labels[row];
            });
            accuracy.at(i) += static_cast<double>(hits) / static_cast<double>(outside.size());
        }
    }
    return kCosts.at(
        static_cast<std::size_t>(std::ranges::max_element(accuracy) - accuracy.begin()));
}

/// Logistic regression with an intercept (LIBLINEAR's L2R_LR, tolerance 0.001; one class against
/// the rest where there are more than two) on one of two kinds of features:
///
///   linear   count of each word times ln((1 + n) / (1 + n_w)) + 1, scaled to length 1;
///            n training documents, n_w of them with the word
///   vectors  mean of the vectors of the words, scaled so that it has length 1 on average over the
///            training documents; words without a vector are passed over
///
/// Solver 0 uses no random numbers, so that models repeat; the dual solvers call rand().
Result<TextModel> trainLinear(const LabelledTokens& documents, const ClassifierOptions& options,
                              const JobContext& job) {
    static const bool silenced = [] {
        set_print_string_function([](const char* /*text*/) {});
        return true;
    }();
    static_cast<void>(silenced);
    Features features = options.kind == ClassifierKind::vectors
                            ? meanVectors(documents, *options.vectors)
                            : wordCounts(documents);
    SparseRows rows = features.rows(documents);
    if (documents.size() < kFolds) {
        return fail(ErrorCode::unsupported,
                    "there are fewer training documents than the 3 folds of the cross-validation");
    }
    ASSIGN_OR_RETURN(const double cost,
                     chooseCost(rows, documents.labels, features.count, options.seed, job));
    const std::shared_ptr<const model> fitted =
        fit(rows, documents.labels, indicesBelow(documents.size()), features.count, cost);
    return [features = std::move(features), fitted,
            classes = options.classes](const LabelledTokens& asked) {
        SparseRows askedRows = features.rows(asked);
        RowMatrixD result = RowMatrixD::Zero(static_cast<Eigen::Index>(asked.size()), classes);
        std::vector<double> estimates(static_cast<std::size_t>(fitted->nr_class));
        for (std::size_t i = 0; i < asked.size(); ++i) {
            predict_probability(fitted.get(), askedRows[i].data(), estimates.data());
            for (int k = 0; k < fitted->nr_class; ++k) {
                result(static_cast<Eigen::Index>(i), fitted->label[k]) =
                    estimates[static_cast<std::size_t>(k)];
            }
        }
        return result;
    };
}

constexpr std::string_view kLabel = "__label__";

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
/// An anonymous file in memory; it goes away with this object.
using MemoryFile = std::unique_ptr<std::FILE, CloseFile>;

Result<MemoryFile> memoryFile(std::string_view content) {
    MemoryFile file(fdopen(memfd_create("training", MFD_CLOEXEC), "w"));
    if (!file) {
        return fail(ErrorCode::unsupported,
                    "the system gives no anonymous file in memory, which fastText needs");
    }
    if (std::fwrite(content.data(), 1, content.size(), file.get()) != content.size() ||
        std::fflush(file.get()) != 0) {
        return fail(ErrorCode::resourceLimit,
                    "there is not enough memory for the training text of fastText");
    }
    return file;
}

std::string nameOf(embedding::Row word) {
    return "w" + std::to_string(word);
}

/// A line a document: its label and its words.
std::string trainingText(const LabelledTokens& documents) {
    std::string text;
    for (std::size_t i = 0; i < documents.size(); ++i) {
        text += fmt::format("{}{}", kLabel, documents.labels[i]);
        for (const embedding::Row token : documents.document(i)) {
            text += ' ';
            text += nameOf(token);
        }
        text += '\n';
    }
    return text;
}

fasttext::Args trainingOptions(const std::string& path, std::uint64_t seed) {
    fasttext::Args args;
    args.input = path;
    args.model = fasttext::model_name::sup;
    args.loss = fasttext::loss_name::softmax;
    args.lr = 0.5;
    args.epoch = 10;
    args.dim = 100;
    args.minCount = 1;
    args.wordNgrams = 1;
    args.bucket = 0;
    args.minn = 0;
    args.maxn = 0;
    args.thread = 1;
    args.verbose = 0;
    args.label = kLabel;
    // The library takes 0 for 1.
    args.seed = static_cast<int>(1 + seed % std::numeric_limits<int>::max());
    return args;
}

/// The supervised model of libfasttext: mean of learned word vectors, softmax. 10 epochs, learning
/// rate 0.5, dimension 100, single words only, one thread.
///
/// The library reads its training text from a file. It gets an anonymous one in memory, with
/// numbers in place of the words: no text reaches a disk, and no word can be taken for a label.
Result<TextModel> trainFastText(const LabelledTokens& documents, const ClassifierOptions& options,
                                const JobContext& job) {
    ASSIGN_OR_RETURN(const MemoryFile file, memoryFile(trainingText(documents)));
    const auto model = std::make_shared<fasttext::FastText>();
    try {
        model->train(
            trainingOptions(fmt::format("/proc/self/fd/{}", fileno(file.get())), options.seed),
            [&](float /*progress*/, float /*loss*/, double /*wordsPerSecond*/, double /*rate*/,
                std::int64_t /*remaining*/) {
                if (job.stopRequested()) {
                    model->abort();
                }
            });
    } catch (const std::exception& problem) {
        RETURN_IF_ERROR(job.checkStop());
        return fail(ErrorCode::unsupported, fmt::format("fastText failed: {}", problem.what()));
    }
    RETURN_IF_ERROR(job.checkStop());
    return [model, classes = options.classes](const LabelledTokens& asked) {
        const auto dictionary = model->getDictionary();
        RowMatrixD result = RowMatrixD::Zero(static_cast<Eigen::Index>(asked.size()), classes);
        for (std::size_t i = 0; i < asked.size(); ++i) {
            std::vector<std::int32_t> words;
            for (const embedding::Row token : asked.document(i)) {
                if (const std::int32_t number = dictionary->getId(nameOf(token)); number >= 0) {
                    words.push_back(number);
                }
            }
            words.push_back(dictionary->getId(fasttext::Dictionary::EOS));
            fasttext::Predictions predictions;
            model->predict(classes, words, predictions, 0.0F);
            for (const auto& [logarithm, label] : predictions) {
                const auto number = std::stol(dictionary->getLabel(label).substr(kLabel.size()));
                result(static_cast<Eigen::Index>(i), number) =
                    std::exp(static_cast<double>(logarithm));
            }
        }
        return result;
    };
}

double ratio(double part, double whole) {
    return whole > 0.0 ? part / whole : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

Result<ClassifierKind> parseClassifier(std::string_view name) {
    return valueIn(kNames, name);
}

std::string_view classifierName(ClassifierKind kind) {
    return nameIn(kNames, kind);
}

Result<TextModel> trainClassifier(const LabelledTokens& documents, const ClassifierOptions& options,
                                  const JobContext& job) {
    const auto& labels = documents.labels;
    if (std::ranges::all_of(labels, [&](std::int32_t label) { return label == labels.front(); })) {
        return fail(ErrorCode::unsupported,
                    "the training documents are all of one class; a classifier needs two");
    }
    if (documents.tokens.empty()) {
        return fail(ErrorCode::unsupported, "the training documents hold no word");
    }
    return options.kind == ClassifierKind::fasttext ? trainFastText(documents, options, job)
                                                    : trainLinear(documents, options, job);
}

std::vector<std::int32_t> predictedClasses(const RowMatrixD& probabilities) {
    std::vector<std::int32_t> predicted;
    for (Eigen::Index i = 0; i < probabilities.rows(); ++i) {
        Eigen::Index largest = 0;
        probabilities.row(i).maxCoeff(&largest);
        predicted.push_back(static_cast<std::int32_t>(largest));
    }
    return predicted;
}

Scores scoresOf(const RowMatrixD& probabilities, std::span<const std::int32_t> labels,
                std::optional<std::int32_t> positive) {
    const std::vector<std::int32_t> predictions = predictedClasses(probabilities);
    // Of each class.
    VectorD actual = VectorD::Zero(probabilities.cols());
    VectorD predicted = actual;
    VectorD hits = actual;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        actual[labels[i]] += 1.0;
        predicted[predictions[i]] += 1.0;
        hits[labels[i]] += labels[i] == predictions[i] ? 1.0 : 0.0;
    }
    double f1 = 0.0;
    double seen = 0.0;
    for (Eigen::Index k = 0; k < hits.size(); ++k) {
        const double both = actual[k] + predicted[k];
        f1 += both > 0.0 ? 2.0 * hits[k] / both : 0.0;
        seen += both > 0.0 ? 1.0 : 0.0;
    }
    Scores scores;
    scores.fill(std::numeric_limits<double>::quiet_NaN());
    scores[0] = ratio(hits.sum(), actual.sum());
    scores[1] = ratio(f1, seen);
    if (positive) {
        attack::ScoredCases cases;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            cases.push_back(
                {probabilities(static_cast<Eigen::Index>(i), *positive), labels[i] == *positive});
        }
        scores[2] = ratio(hits[*positive], predicted[*positive]);
        scores[3] = ratio(hits[*positive], actual[*positive]);
        scores[4] = attack::areaUnderCurve(cases);
    }
    return scores;
}

}  // namespace epsilens::evaluation
