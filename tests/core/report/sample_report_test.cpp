#include "core/report/sample_report.h"

#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/text/tokenised_text.h"
#include "tests/core/report/report_text.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

embedding::Vocabulary sampleWords() {
    embedding::Vocabulary vocabulary;
    for (const char* word : {"the", "quick", "fox", "slow"}) {
        vocabulary.add(word);
    }
    return vocabulary;
}

/// "The quick, blorp fox" with quick -> slow in the first of two sentences; 4 draws.
report::SampleReport exampleSample(const embedding::Vocabulary& vocabulary) {
    using calibration::OutputClass;
    report::SampleReport sample;
    sample.provenance.version = "9.8.7";
    sample.mechanism = mechanism::Mahalanobis{};
    sample.text = text::tokeniseText("The quick, blorp fox",
                                     text::Lookup(vocabulary, text::CasePolicy::lower));
    sample.distinctWords = {0, 1, 2};
    sample.draws = 4;
    sample.seed = 7;
    sample.threads = 2;
    sample.nearNeighbours = 100;
    sample.topOutputs = 1;
    report::SampledSetting setting;
    setting.guarantee.epsilon = 10;
    setting.guarantee.lambda = 0.5;
    setting.guarantee.bound = 10;
    setting.guarantee.statement = "ε·‖·‖_RM";
    setting.sentences = {{0, 3, text::kAsTyped, 2}, {0, 1, text::kAsTyped, 2}};
    setting.distributions = {{4, 4, 0, 0, {{0, 4, OutputClass::kept}}},
                             {4, 1, 2, 1, {{3, 2, OutputClass::near}, {1, 1, OutputClass::kept}}},
                             {4, 0, 0, 4, {{1, 4, OutputClass::far}}}};
    sample.settings = {setting};
    return sample;
}

}  // namespace

TEST_CASE("A sample as text and as JSON is as approved, and not for release") {
    const embedding::Vocabulary vocabulary = sampleWords();
    report::SampleReport sample = exampleSample(vocabulary);
    test::checkApproved("sample.json", report::sampleJson(sample, vocabulary).dump(1));
    const std::string shown = report::sampleText(sample, vocabulary);
    test::checkApproved("sample.txt", shown);
    CHECK_THAT(shown, Contains("not for release") && Contains("The *slow*, [blorp?] fox"));
    // No hit in 4 draws: at 95% the share is below 1 - 0.05^(1/4) = 0.527.
    CHECK_THAT(shown, Contains("≤ 53%"));
    sample.topOutputs = 0;
    CHECK_THAT(report::sampleText(sample, vocabulary), !Contains("most frequent"));
}

TEST_CASE("The sample of a TEM names its metric and its radius") {
    const embedding::Vocabulary vocabulary = sampleWords();
    report::SampleReport sample = exampleSample(vocabulary);
    sample.mechanism = mechanism::Tem{mechanism::Metric::angular};
    sample.settings[0].guarantee.gamma = 1.25;
    sample.settings[0].guarantee.statement = "ε·min(∠, γ)";
    const std::string shown = report::sampleText(sample, vocabulary);
    CHECK_THAT(shown, Contains("tem, angular metric, 4 draws (R)"));
    CHECK_THAT(shown, Contains("ε = 10, γ = 1.250, guarantee ε·min(∠, γ)"));
    CHECK_THAT(shown, !Contains("λ"));
    const ordered_json json = report::sampleJson(sample, vocabulary);
    CHECK(json["mechanism"]["metric"] == "angular");
    CHECK(json["mechanism"]["exact"] == false);
    CHECK(json["results"][0]["lambda"].is_null());
    CHECK(json["guarantee"][0]["gamma"] == 1.25);
}
