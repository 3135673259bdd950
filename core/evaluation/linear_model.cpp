#include "core/evaluation/classifier.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>
#include <vector>

#include <linear.h>

#include "core/base/pass_on.h"
#include "core/base/random_stream.h"
#include "core/corpus/streams.h"

namespace epsilens::evaluation {
namespace {

constexpr std::array kCosts{0.1, 1.0, 10.0};
constexpr std::size_t kFolds = 3;
constexpr double kTolerance = 0.001;
constexpr double kIntercept = 1.0;

/// Documents as LIBLINEAR takes them: nodes with rising index from 1, ended by index -1.
struct SparseRows {
    std::vector<feature_node> nodes{};
    std::vector<std::size_t> starts{};

    [[nodiscard]] feature_node* row(std::size_t index) { return nodes.data() + starts[index]; }
};

/// How documents become features.
struct Features {
    int count = 0;
    /// Appends the features of a document, indices from 1.
    std::function<void(std::span<const embedding::Row> tokens, std::vector<feature_node>& nodes)>
        append{};

    [[nodiscard]] SparseRows rows(const LabelledTokens& documents) const {
        SparseRows rows;
        for (std::size_t i = 0; i < documents.size(); ++i) {
            rows.starts.push_back(rows.nodes.size());
            append(documents.document(i), rows.nodes);
            rows.nodes.push_back({count + 1, kIntercept});
            rows.nodes.push_back({-1, 0.0});
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
    int count = 0;
    for (std::size_t word = 0; word < holding.size(); ++word) {
        numbers[word] = holding[word] > 0.0 ? ++count : 0;
    }
    return {count, [n, holding = std::move(holding), numbers = std::move(numbers)](
                       std::span<const embedding::Row> tokens, std::vector<feature_node>& nodes) {
                const std::size_t first = nodes.size();
                double squares = 0.0;
                eachWord(tokens, [&](std::size_t word, double times) {
                    if (word < numbers.size() && numbers[word] > 0) {
                        const double value =
                            times * (std::log((1.0 + n) / (1.0 + holding[word])) + 1.0);
                        nodes.push_back({numbers[word], value});
                        squares += value * value;
                    }
                });
                for (std::size_t i = first; i < nodes.size(); ++i) {
                    nodes[i].value /= std::sqrt(squares);
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
        pointers.push_back(rows.row(i));
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

double accuracyOn(const FittedModel& fitted, SparseRows& rows, std::span<const std::int32_t> labels,
                  std::span<const std::size_t> chosen) {
    const auto hits = std::ranges::count_if(
        chosen, [&](std::size_t i) { return ::predict(fitted.get(), rows.row(i)) == labels[i]; });
    return static_cast<double>(hits) / static_cast<double>(chosen.size());
}

/// The cost with the highest mean accuracy over the folds.
Result<double> chooseCost(SparseRows& rows, std::span<const std::int32_t> labels, int features,
                          std::uint64_t seed, const JobContext& job) {
    std::vector<std::size_t> order(labels.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    SeededStream stream({seed, corpus::kFoldStream, 0, 0});
    for (std::size_t i = 0; i < order.size(); ++i) {
        std::swap(order[i], order[i + stream.below(order.size() - i)]);
    }
    std::array<double, kCosts.size()> accuracy{};
    for (std::size_t fold = 0; fold < kFolds; ++fold) {
        std::vector<std::size_t> inside;
        std::vector<std::size_t> outside;
        for (std::size_t i = 0; i < order.size(); ++i) {
            (i % kFolds == fold ? outside : inside).push_back(order[i]);
        }
        for (std::size_t i = 0; i < kCosts.size(); ++i) {
            RETURN_IF_ERROR(job.checkStop());
            accuracy.at(i) += accuracyOn(fit(rows, labels, inside, features, kCosts.at(i)), rows,
                                         labels, outside);
        }
    }
    return kCosts.at(
        static_cast<std::size_t>(std::ranges::max_element(accuracy) - accuracy.begin()));
}

}  // namespace

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
    std::vector<std::size_t> all(documents.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const std::shared_ptr<const model> fitted =
        fit(rows, documents.labels, all, features.count, cost);
    return [features = std::move(features), fitted,
            classes = options.classes](const LabelledTokens& asked) {
        SparseRows askedRows = features.rows(asked);
        RowMatrixD result = RowMatrixD::Zero(static_cast<Eigen::Index>(asked.size()), classes);
        std::vector<double> estimates(static_cast<std::size_t>(fitted->nr_class));
        for (std::size_t i = 0; i < asked.size(); ++i) {
            predict_probability(fitted.get(), askedRows.row(i), estimates.data());
            for (int k = 0; k < fitted->nr_class; ++k) {
                result(static_cast<Eigen::Index>(i), fitted->label[k]) =
                    estimates[static_cast<std::size_t>(k)];
            }
        }
        return result;
    };
}

}  // namespace epsilens::evaluation
