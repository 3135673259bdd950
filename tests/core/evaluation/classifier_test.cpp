#include "core/evaluation/classifier.h"

#include <cmath>
#include <stop_token>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/parallel.h"
#include "core/base/random_stream.h"

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::evaluation;
using Catch::Matchers::Contains;
using Catch::Matchers::WithinAbs;

namespace {

constexpr Row kVocabulary = 60;

/// Documents of three classes: words 20 k to 20 k + 9 come only in class k, the others anywhere.
LabelledTokens madeUpCases(int documents, std::uint64_t seed) {
    SeededStream stream({seed, StreamPurpose::wordSelection, 0, 0});
    LabelledTokens made;
    for (int i = 0; i < documents; ++i) {
        const auto label = static_cast<std::int32_t>(stream.below(3));
        made.tokens.push_back(static_cast<Row>(20 * label + static_cast<Row>(stream.below(10))));
        for (int word = 0; word < 5; ++word) {
            made.tokens.push_back(static_cast<Row>(20 * stream.below(3) + 10 + stream.below(10)));
        }
        made.finishDocument(label);
    }
    return made;
}

ClassifierOptions classifierOptions(ClassifierKind kind) {
    // Each word has an axis of its own, so that the mean of vectors is the bag of words.
    static const RowMatrixF vectors = RowMatrixF::Identity(kVocabulary, kVocabulary);
    ClassifierOptions options;
    options.kind = kind;
    options.classes = 4;  // one that no document has
    options.vectors = &vectors;
    return options;
}

}  // namespace

TEST_CASE("Every classifier learns words that tell the classes apart") {
    const ClassifierKind kind =
        GENERATE(ClassifierKind::linear, ClassifierKind::vectors, ClassifierKind::fasttext);
    CAPTURE(classifierName(kind));
    CHECK(parseClassifier(classifierName(kind)).value() == kind);
    const auto model = trainClassifier(madeUpCases(600, 1), classifierOptions(kind)).value();
    LabelledTokens test = madeUpCases(200, 2);
    // Words that the model has not seen change nothing, in a document without others either.
    for (const std::vector<Row>& seen : {std::vector<Row>{}, std::vector<Row>{5}}) {
        for (const std::vector<Row>& unseen : {std::vector<Row>{}, std::vector<Row>{1000, 1001}}) {
            test.tokens.insert(test.tokens.end(), seen.begin(), seen.end());
            test.tokens.insert(test.tokens.end(), unseen.begin(), unseen.end());
            test.finishDocument(0);
        }
    }
    const RowMatrixD probabilities = model(test);
    CHECK(probabilities.row(200) == probabilities.row(201));
    CHECK(probabilities.row(202) == probabilities.row(203));
    CHECK(scoresOf(probabilities, test.labels, std::nullopt)[0] > 0.97);
    CHECK((probabilities.rowwise().sum().array() - 1.0).abs().maxCoeff() < 1e-4);
    CHECK(probabilities.col(3).maxCoeff() == 0.0);
}

TEST_CASE("Models depend on documents and seed, not on what is trained beside them") {
    const ClassifierKind kind = GENERATE(ClassifierKind::linear, ClassifierKind::fasttext);
    const LabelledTokens documents = madeUpCases(150, 3);
    const LabelledTokens test = madeUpCases(50, 4);
    const auto alone = trainClassifier(documents, classifierOptions(kind)).value()(test);
    std::vector<RowMatrixD> beside(4);
    parallelFor(4, 2, [&](std::int64_t i) {
        beside[static_cast<std::size_t>(i)] =
            trainClassifier(documents, classifierOptions(kind)).value()(test);
    });
    for (const RowMatrixD& probabilities : beside) {
        CHECK(probabilities == alone);
    }
}

TEST_CASE("What no classifier can learn from is refused") {
    const ClassifierKind kind = GENERATE(ClassifierKind::linear, ClassifierKind::fasttext);
    LabelledTokens documents;
    documents.tokens = {1, 2};
    documents.finishDocument(0);
    CHECK_THAT(trainClassifier(documents, classifierOptions(kind)).error().message,
               Contains("one class"));
    LabelledTokens empty;
    empty.finishDocument(0);
    empty.finishDocument(1);
    CHECK_THAT(trainClassifier(empty, classifierOptions(kind)).error().message,
               Contains("no word"));
    documents.tokens.push_back(3);
    documents.finishDocument(1);
    if (kind == ClassifierKind::linear) {
        CHECK_THAT(trainClassifier(documents, classifierOptions(kind)).error().message,
                   Contains("3 folds"));
    } else {
        CHECK(trainClassifier(documents, classifierOptions(kind)).has_value());
    }
    // Training can be cancelled.
    std::stop_source source;
    source.request_stop();
    CHECK(trainClassifier(madeUpCases(100, 5), classifierOptions(kind), {source.get_token(), {}})
              .error()
              .code == ErrorCode::cancelled);
}

TEST_CASE("Scores of two classes, counted by hand") {
    // Predicted 1, 1, 0, 0, 1 for the labels 1, 0, 0, 1, 1: TP 2, FP 1, FN 1, TN 1.
    RowMatrixD probabilities(5, 2);
    probabilities << 0.1, 0.9, 0.4, 0.6, 0.7, 0.3, 0.8, 0.2, 0.5 - 1e-9, 0.5 + 1e-9;
    const std::vector<std::int32_t> labels{1, 0, 0, 1, 1};
    const Scores scores = scoresOf(probabilities, labels, 1);
    CHECK_THAT(scores[0], WithinAbs(0.6, 1e-12));
    // F1 of class 0: 2/4, of class 1: 4/6.
    CHECK_THAT(scores[1], WithinAbs((0.5 + 2.0 / 3.0) / 2.0, 1e-12));
    CHECK_THAT(scores[2], WithinAbs(2.0 / 3.0, 1e-12));
    CHECK_THAT(scores[3], WithinAbs(2.0 / 3.0, 1e-12));
    // Pairs of a positive and another: 0.9, 0.2, 0.5 against 0.6, 0.3: 2 + 0 + 1 of 6.
    CHECK_THAT(scores[4], WithinAbs(0.5, 1e-12));
    CHECK(std::isnan(scoresOf(probabilities, labels, std::nullopt)[2]));
    // Classes that neither occur nor are predicted do not count in macro F1.
    const RowMatrixD ofFour = RowMatrixD::Identity(2, 4);
    CHECK(scoresOf(ofFour, std::vector<std::int32_t>{0, 1}, std::nullopt)[1] == 1.0);
}
