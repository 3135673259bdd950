#include "core/attack/detection.h"

#include <algorithm>
#include <cmath>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;

namespace {

ScoredCases cases(const std::vector<double>& scores, const std::vector<std::uint8_t>& members) {
    return scoredCases(
        Eigen::Map<const VectorD>(scores.data(), static_cast<Eigen::Index>(scores.size())),
        members);
}

// A classifier of two classes whose logit of the true class is normal, with the given mean for
// documents that it was trained on and 0 for the others.
ClassifierOutputs outputs(std::size_t documents, double shift, std::uint64_t seed) {
    SeededStream stream(StreamKey{seed, StreamPurpose::sentence, 0, 0});
    ClassifierOutputs result;
    result.probabilities.resize(static_cast<Eigen::Index>(documents), 2);
    for (std::size_t i = 0; i < documents; ++i) {
        result.members.push_back(i % 2 == 0 ? 1 : 0);
        result.labels.push_back(static_cast<std::int32_t>(stream.below(2)));
        const double logit = stream.normal() + (i % 2 == 0 ? shift : 0.0);
        const auto row = static_cast<Eigen::Index>(i);
        result.probabilities(row, result.labels.back()) = 1.0 / (1.0 + std::exp(-logit));
        result.probabilities(row, 1 - result.labels.back()) = 1.0 / (1.0 + std::exp(logit));
    }
    return result;
}

Findings detected(const ScoredCases& cases, double threshold,
                  const BootstrapOptions& options = {}) {
    Findings findings;
    detect(cases, threshold, options, "", findings);
    return findings;
}

const Figure& of(const Findings& findings, const std::string& path) {
    return *figureAt(findings, path);
}

double areaByPairs(const ScoredCases& cases) {
    double sum = 0.0;
    double pairs = 0.0;
    for (const ScoredCase& member : cases) {
        for (const ScoredCase& other : cases) {
            if (member.isMember && !other.isMember) {
                sum += member.score > other.score ? 1.0 : member.score == other.score ? 0.5 : 0.0;
                pairs += 1.0;
            }
        }
    }
    return sum / pairs;
}

}  // namespace

TEST_CASE("Measures of a detection are their definitions") {
    const ScoredCases c = cases({5, 4, 4, 3, 2, 1}, {1, 0, 1, 1, 0, 0});
    const Findings found = detected(c, 4.0);
    CHECK(of(found, "accuracy").value == Approx(4.0 / 6.0));
    CHECK(of(found, "precision").value == Approx(2.0 / 3.0));
    CHECK(of(found, "recall").value == Approx(2.0 / 3.0));
    CHECK(of(found, "advantage").value == Approx(1.0 / 3.0));
    CHECK(of(found, "auc").value == Approx(areaByPairs(c)));
    // Only the highest score has no false alarm.
    CHECK(of(found, "tprAt1").value == Approx(1.0 / 3.0));
    CHECK(bestThreshold(c) == 3.0);
    const Findings none = detected(c, 9.0);
    CHECK(std::isnan(of(none, "precision").value));
    CHECK(of(none, "recall").value == 0.0);
}

TEST_CASE("Bootstrap intervals hold the truth about as often as they say") {
    // Scores of members N(1, 1), of others N(0, 1): AUC = Phi(1 / sqrt 2) = 0.76025. Percentile
    // intervals of 200 cases hold it in about 94% of samples; of 200 samples at least 170 do but
    // for less than 1e-6 (binomial at 0.94), and not all.
    int held = 0;
    for (std::uint32_t sample = 0; sample < 200; ++sample) {
        SeededStream stream(StreamKey{7, StreamPurpose::sentence, 0, sample});
        std::vector<double> scores;
        std::vector<std::uint8_t> members;
        for (int i = 0; i < 200; ++i) {
            members.push_back(static_cast<std::uint8_t>(i % 2));
            scores.push_back(stream.normal() + i % 2);
        }
        const Figure auc = of(detected(cases(scores, members), 0.5, {200, sample, 1}), "auc");
        held += (*auc.ci95)[0] <= 0.76025 && 0.76025 <= (*auc.ci95)[1] ? 1 : 0;
    }
    CHECK(held >= 170);
    CHECK(held < 200);
}

TEST_CASE("Logistic regression of one yes-no feature is the logarithm of its odds ratio") {
    // 30 of 40 cases with the feature are positive, 10 of 50 without.
    RowMatrixD features(90, 1);
    std::vector<std::uint8_t> labels;
    for (Eigen::Index i = 0; i < 90; ++i) {
        features(i, 0) = i < 40 ? 1.0 : 0.0;
        labels.push_back(i < 30 || (i >= 40 && i < 50) ? 1 : 0);
    }
    const VectorD scores = fitLogistic(features, labels, 1e-9)(features);
    CHECK(scores[0] == Approx(std::log(30.0 / 10.0)).epsilon(1e-6));
    CHECK(scores[89] == Approx(std::log(10.0 / 40.0)).epsilon(1e-6));
}

TEST_CASE("Logistic regression copes with separable and with constant features") {
    RowMatrixD features(20, 2);
    std::vector<std::uint8_t> labels;
    for (Eigen::Index i = 0; i < 20; ++i) {
        features(i, 0) = static_cast<double>(i);
        features(i, 1) = 7.0;
        labels.push_back(i < 10 ? 0 : 1);
    }
    const VectorD scores = fitLogistic(features, labels)(features);
    CHECK(scores.allFinite());
    CHECK(scores[9] < 0.0);
    CHECK(scores[10] > 0.0);
}

TEST_CASE("The perceptron learns what no line can tell, the same way every time") {
    SeededStream stream(StreamKey{8, StreamPurpose::sentence, 0, 0});
    RowMatrixD features(2000, 2);
    std::vector<std::uint8_t> labels;
    for (Eigen::Index i = 0; i < features.rows(); ++i) {
        features(i, 0) = stream.normal();
        features(i, 1) = stream.normal();
        labels.push_back(features(i, 0) * features(i, 1) > 0.0 ? 1 : 0);
    }
    const VectorD scores = fitPerceptron(features, labels, 1).value()(features);
    const auto area = [&](const VectorD& s) {
        return areaUnderCurve(cases({s.begin(), s.end()}, labels));
    };
    CHECK(area(scores) > 0.97);
    CHECK(area(fitLogistic(features, labels)(features)) < 0.6);
    CHECK(fitPerceptron(features, labels, 1).value()(features) == scores);
}

TEST_CASE("Members are found as far as the classifier gives them away") {
    // Losses order documents as their logits: AUC = Phi(1 / sqrt 2) = 0.76025, and with the best
    // threshold the advantage is 2 Phi(1/2) - 1 = 0.38292. 4.9 standard errors of 2,000 and 2,000.
    const auto found = inferMembership(outputs(4000, 1.0, 1), outputs(4000, 1.0, 2), {}).value();
    CHECK(of(found, "threshold.auc").value == Approx(0.76025).margin(4.9 * 0.0077));
    CHECK(of(found, "threshold.advantage").value == Approx(0.38292).margin(4.9 * 0.0155 + 0.01));
    // The perceptron sees probabilities without the class, and so knows less.
    CHECK(of(found, "perceptron.auc").value < 0.76025);
    CHECK((*of(found, "threshold.tprAt1").ci95)[0] > kFewAlarms);
    CHECK((*of(found, "perceptron.tprAt1").ci95)[0] > kFewAlarms);
}

TEST_CASE("Without a difference members are not told from chance") {
    const auto found = inferMembership(outputs(4000, 0.0, 3), outputs(4000, 0.0, 4), {}).value();
    for (const std::string model : {"threshold.", "perceptron."}) {
        CHECK(of(found, model + "auc").value == Approx(0.5).margin(4.9 * 0.0091));
        CHECK(of(found, model + "accuracy").value == Approx(0.5).margin(4.9 * 0.0079));
        CHECK((*of(found, model + "tprAt1").ci95)[0] <= kFewAlarms);
    }
}

TEST_CASE("The threshold is that of the attacker's own classifier") {
    const auto sureOf = [](double members, double others) {
        ClassifierOutputs outputs;
        outputs.probabilities.resize(20, 2);
        for (Eigen::Index i = 0; i < 20; ++i) {
            const double sure = i % 2 == 1 ? members : others;
            outputs.probabilities.row(i) << sure, 1.0 - sure;
            outputs.labels.push_back(0);
            outputs.members.push_back(static_cast<std::uint8_t>(i % 2));
        }
        return outputs;
    };
    // Surer of all its documents than the shadow is of its members, the target has none but
    // members by the threshold of the shadow, although one of its own would tell them apart.
    const auto found = inferMembership(sureOf(0.6, 0.4), sureOf(0.99, 0.9), {}).value();
    CHECK(of(found, "threshold.recall").value == 1.0);
    CHECK(of(found, "threshold.accuracy").value == 0.5);
    CHECK(of(found, "threshold.auc").value == 1.0);
}

TEST_CASE("Resamples without any spread give way to score intervals") {
    // Twenty members above twenty others. Wilson's intervals of 20 of 20 and of 40 of 40: 0 of 20
    // ends at 0.1611 (Newcombe 1998, table I), 0 of 40 at 3.8416 / 43.8416 by the formula.
    std::vector<double> scores;
    std::vector<std::uint8_t> members;
    for (int i = 0; i < 40; ++i) {
        scores.push_back(i);
        members.push_back(i < 20 ? 0 : 1);
    }
    const Findings perfect = detected(cases(scores, members), 20.0);
    const double quarter = 3.8416 / 43.8416;
    CHECK((*of(perfect, "recall").ci95)[0] == Approx(1.0 - 0.1611).margin(6e-5));
    CHECK((*of(perfect, "accuracy").ci95)[0] == Approx(1.0 - quarter));
    CHECK((*of(perfect, "precision").ci95)[0] == Approx(1.0 - 0.1611).margin(6e-5));
    // Newcombe's of 20/20 - 0/20: 1 - sqrt(0.1611^2 + 0.1611^2).
    CHECK((*of(perfect, "advantage").ci95)[0] ==
          Approx(1.0 - 0.1611 * std::sqrt(2.0)).margin(1e-4));
    // The end A of the AUC solves (1 - A)^2 = 1.96^2 V(A); both sides by hand for 20 and 20.
    const double low = (*of(perfect, "auc").ci95)[0];
    const double variance = low * (1.0 - low) / 400.0 *
                            (1.0 + 19.0 * (1.0 - low) / (2.0 - low) + 19.0 * low / (1.0 + low));
    CHECK(1.0 - low == Approx(1.96 * std::sqrt(variance)));
    CHECK((*of(perfect, "auc").ci95)[1] == Approx(1.0));
    // No member is found with few alarms: nothing that tells from chance.
    std::ranges::reverse(members);
    const Findings none = detected(cases(scores, members), 20.0);
    CHECK(of(none, "tprAt1").value == 0.0);
    CHECK((*of(none, "tprAt1").ci95)[1] == Approx(0.1611).margin(6e-5));
    CHECK((*of(none, "tprAt1").ci95)[0] <= kFewAlarms);
}

TEST_CASE("A single cluster tells nothing about others") {
    ScoredCases all = cases({1, 2, 3, 4}, {0, 1, 0, 1});
    for (ScoredCase& one : all) {
        one.cluster = 0;
    }
    const Findings found = detected(all, 2.5);
    CHECK(of(found, "accuracy").value == 0.5);
    CHECK(found.figures.size() == 6);
    for (const Figure& figure : found.figures) {
        CHECK_FALSE(figure.ci95.has_value());
    }
}

TEST_CASE("The score interval of an AUC holds the truth as often as it says") {
    // Normal scores, members shifted by 1.5: the AUC is Phi(1.5 / sqrt 2) = 0.8556. 400 samples of
    // 25 and 25: binomial(400, 0.95) is in [357, 395] but for 1e-6; conservative is fine.
    int held = 0;
    for (std::uint32_t sample = 0; sample < 400; ++sample) {
        SeededStream stream(StreamKey{11, StreamPurpose::sentence, 0, sample});
        std::vector<double> scores;
        std::vector<std::uint8_t> members;
        for (int i = 0; i < 50; ++i) {
            scores.push_back(stream.normal() + (i < 25 ? 1.5 : 0.0));
            members.push_back(i < 25 ? 1 : 0);
        }
        const auto interval = *areaInterval(areaByPairs(cases(scores, members)), 25.0, 25.0);
        held += interval[0] <= 0.8556 && 0.8556 <= interval[1] ? 1 : 0;
    }
    CHECK(held >= 357);
}
