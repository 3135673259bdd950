#include "core/corpus/share.h"

#include <cmath>
#include <tuple>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"

using namespace epsilens;
using namespace epsilens::corpus;

TEST_CASE("Wilson's interval has its published values") {
    // Newcombe 1998, table I, method 3: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    struct Case {
        double hits, count, low, high;
    };
    for (const Case& c : {Case{81, 263, 0.2553, 0.3662}, Case{15, 148, 0.0624, 0.1605},
                          Case{0, 20, 0.0, 0.1611}, Case{1, 29, 0.0061, 0.1718}}) {
        const auto interval = wilsonInterval(c.hits / c.count, c.count);
        CHECK(interval[0] == Approx(c.low).margin(6e-5));
        CHECK(interval[1] == Approx(c.high).margin(6e-5));
    }
}

TEST_CASE("Equal tokens of a document count once") {
    std::vector<float> values;
    std::vector<std::int32_t> documents;
    for (std::int32_t document = 0; document < 50; ++document) {
        for (int token = 0; token < 30; ++token) {
            values.push_back(document % 2 == 0 ? 1.0F : 0.0F);
            documents.push_back(document);
        }
    }
    // Student's t of 49 degrees is 2.009575.
    const auto expected = wilsonInterval(0.5, 49.0 * std::pow(1.96 / 2.009575, 2.0));
    CHECK((*shareByDocuments(values, documents).ci95)[0] == Approx(expected[0]).epsilon(1e-6));
}

TEST_CASE("Tokens of other documents with the same draw widen the interval by what they share") {
    // Reference: the sum over all pairs of tokens of one document or of one draw.
    constexpr std::size_t kTokens = 60;
    SeededStream stream({3, StreamPurpose{200}, 0, 0});
    std::vector<float> values;
    std::vector<std::int32_t> documents;
    SharedDraws draws;
    for (std::size_t i = 0; i < kTokens; ++i) {
        documents.push_back(static_cast<std::int32_t>(i / 4));
        draws.push_back(static_cast<std::int32_t>(stream.below(9)));
        values.push_back(draws.back() < 3 || stream.below(9) < 3 ? 1.0F : 0.0F);
    }
    double mean = 0.0;
    for (const float value : values) {
        mean += static_cast<double>(value) / static_cast<double>(kTokens);
    }
    const auto product = [&](std::size_t i, std::size_t j) {
        return (static_cast<double>(values[i]) - mean) * (static_cast<double>(values[j]) - mean);
    };
    double ofDocuments = 0.0;
    double ofDraws = 0.0;
    for (std::size_t i = 0; i < kTokens; ++i) {
        for (std::size_t j = 0; j < kTokens; ++j) {
            const bool isOneDocument = documents[i] == documents[j];
            ofDocuments += isOneDocument ? product(i, j) : 0.0;
            ofDraws += draws[i] == draws[j] && !isOneDocument ? product(i, j) : 0.0;
        }
    }
    REQUIRE(ofDraws > 0.0);
    const double squares = ofDocuments * 15.0 / 14.0 + ofDraws;
    // Student's t of 14 degrees is 2.144787.
    const double count =
        mean * (1.0 - mean) * kTokens * kTokens / squares * std::pow(1.96 / 2.144787, 2.0);
    const auto interval = *shareByDocuments(values, documents, draws).ci95;
    CHECK(interval[0] == Approx(wilsonInterval(mean, count)[0]).epsilon(1e-6));
    CHECK(interval[1] == Approx(wilsonInterval(mean, count)[1]).epsilon(1e-6));
    const auto difference =
        differenceByDocuments(values, std::vector<float>(kTokens, 0.0F), documents, draws);
    CHECK((*difference.ci95)[1] - mean ==
          Approx(2.144787 * std::sqrt(squares) / kTokens).epsilon(1e-6));
}

TEST_CASE("Without any success, or without a second document, little is claimed") {
    const std::vector<float> none(300, 0.0F);
    std::vector<std::int32_t> documents(300, 0);
    CHECK_FALSE(shareByDocuments(none, documents).ci95.has_value());
    for (std::size_t i = 0; i < documents.size(); ++i) {
        documents[i] = static_cast<std::int32_t>(i / 10);
    }
    CHECK((*shareByDocuments(none, documents).ci95)[1] ==
          Approx(wilsonInterval(0.0, 30.0)[1]).epsilon(1e-12));
}

TEST_CASE("The interval of a share holds the truth as often as it says") {
    // Documents with a success rate of their own, uniform about the truth. Of 400 texts
    // binomial(400, 0.95) is in [357, 395] but for 1e-6. By the normal law about 58 of those with
    // four documents would miss it, as the standard error of four is often too small: 0.145 is the
    // probability of Student's t of three degrees beyond 1.96.
    const auto [documents, tokens, truth] =
        GENERATE(std::tuple(120, 20, 0.2), std::tuple(4, 40, 0.3));
    int held = 0;
    for (std::uint32_t text = 0; text < 400; ++text) {
        SeededStream stream(StreamKey{5, StreamPurpose::sentence, 0, text});
        std::vector<float> values;
        std::vector<std::int32_t> places;
        for (std::int32_t document = 0; document < documents; ++document) {
            const double rate = truth - 0.2 + 0.4 * stream.uniform();
            const auto count = tokens == 20 ? 1 + static_cast<int>(stream.below(20)) : tokens;
            for (int token = 0; token < count; ++token) {
                values.push_back(stream.uniform() < rate ? 1.0F : 0.0F);
                places.push_back(document);
            }
        }
        const auto interval = *shareByDocuments(values, places).ci95;
        held += interval[0] <= truth && truth <= interval[1] ? 1 : 0;
    }
    CAPTURE(documents, held);
    CHECK(held >= 357);
    CHECK((documents == 4 || held <= 395));
}

TEST_CASE("A difference is that of the shares, and paired") {
    const std::vector<float> first{1, 1, 0, 1, 0, 1};
    const std::vector<float> second{0, 1, 0, 0, 0, 1};
    const std::vector<std::int32_t> documents{0, 0, 1, 1, 2, 2};
    const Measured difference = differenceByDocuments(first, second, documents);
    // Differences by document 1, 1, 0 of 2 tokens each: r = 1/3, rests 1/3, 1/3, -2/3.
    const double error = std::sqrt(1.5 * (1.0 + 1.0 + 4.0) / 9.0) / 6.0;
    CHECK(difference.value == Approx(1.0 / 3.0));
    // Student's t of two degrees is 4.302653.
    CHECK((*difference.ci95)[0] == Approx(1.0 / 3.0 - 4.302653 * error).epsilon(1e-6));
    CHECK((*difference.ci95)[1] == 1.0);
}

TEST_CASE("Documents that do not vary have the interval of so many draws") {
    // Twenty documents, half of the words of each: Wilson's of 10 of 20 by its formula,
    // 1/2 -+ 1.96 / 2 / sqrt(20 + 1.96^2).
    std::vector<float> half;
    std::vector<std::int32_t> documents;
    for (std::int32_t i = 0; i < 40; ++i) {
        half.push_back(static_cast<float>(i % 2));
        documents.push_back(i / 2);
    }
    const double reach = 0.98 / std::sqrt(20.0 + 1.96 * 1.96);
    CHECK((*shareByDocuments(half, documents).ci95)[0] == Approx(0.5 - reach));
    CHECK((*shareByDocuments(half, documents).ci95)[1] == Approx(0.5 + reach));
    // No document differs, of 20: Newcombe 1998, table I.
    const auto same = *differenceByDocuments(half, half, documents).ci95;
    CHECK(same[1] == Approx(0.1611).margin(6e-5));
    CHECK(same[0] == -same[1]);
    // All differ by 1/2: (1 + 1/2) / 2 = 3/4 as a share of 20, its ends doubled less 1.
    const auto more = *differenceByDocuments(half, std::vector<float>(40, 0.0F), documents).ci95;
    CHECK(more[0] == Approx(2.0 * wilsonInterval(0.75, 20.0)[0] - 1.0));
    CHECK(more[1] == Approx(2.0 * wilsonInterval(0.75, 20.0)[1] - 1.0));
}
