#include "core/report/sample_report.h"

#include <string>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/text/tokenised_text.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;

namespace {

embedding::Vocabulary words() {
    embedding::Vocabulary vocabulary;
    for (const char* word : {"the", "quick", "fox", "slow"}) {
        vocabulary.add(word);
    }
    return vocabulary;
}

/// "The quick, blorp fox" with quick -> slow in the first of two sentences; 4 draws.
report::SampleReport exampleSample(const embedding::Vocabulary& vocabulary) {
    using statistics::OutputClass;
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

TEST_CASE("A sampled sentence marks what changed and what is unknown") {
    const embedding::Vocabulary vocabulary = words();
    const report::SampleReport sample = exampleSample(vocabulary);
    const auto& sentences = sample.settings[0].sentences;
    CHECK(report::markedSentence(sample.text, vocabulary, sentences[0]) ==
          "The *slow*, [blorp?] fox");
    CHECK(report::markedSentence(sample.text, vocabulary, sentences[1]) ==
          "The quick, [blorp?] fox");
    CHECK(report::changedWords(sample.text, sentences[0]) == 1);
    CHECK(report::changedWords(sample.text, sentences[1]) == 0);
}

TEST_CASE("The sample document holds tokens, sentences and distributions") {
    const embedding::Vocabulary vocabulary = words();
    const ordered_json json = report::sampleJson(exampleSample(vocabulary), vocabulary);
    CHECK(json["schema"] == "epsilens.sample/1");
    CHECK(json["run"]["draws"] == 4);
    CHECK(json["run"]["seed"] == 7);
    CHECK(json["run"]["unknownWords"] == 1);
    REQUIRE(json["tokens"].size() == 4);
    CHECK(json["tokens"][0]["text"] == "The");
    CHECK(json["tokens"][0]["word"] == "the");
    CHECK(json["tokens"][0]["row"] == 0);
    CHECK(json["tokens"][2]["text"] == "blorp");
    CHECK(json["tokens"][2]["word"].is_null());
    CHECK(json["tokens"][2]["row"].is_null());
    const ordered_json& result = json["results"][0];
    CHECK(result["epsilon"] == 10);
    CHECK(result["lambda"] == 0.5);
    REQUIRE(result["sentences"].size() == 2);
    CHECK(result["sentences"][0]["text"] == "The slow, blorp fox");
    CHECK(result["sentences"][0]["changed"] == 1);
    CHECK(result["sentences"][0]["words"] == ordered_json({"the", "slow", nullptr, "fox"}));
    REQUIRE(result["words"].size() == 3);
    const ordered_json& quick = result["words"][1];
    CHECK(quick["word"] == "quick");
    CHECK(quick["nw"] == 1);
    CHECK(quick["sw"] == 2);
    CHECK(quick["kept"] == 0.25);
    CHECK(quick["near"] == 0.5);
    CHECK(quick["far"] == 0.25);
    REQUIRE(quick["top"].size() == 1);
    CHECK(quick["top"][0]["word"] == "slow");
    CHECK(quick["top"][0]["count"] == 2);
    CHECK(quick["top"][0]["share"] == 0.5);
    CHECK(quick["top"][0]["class"] == "near");
    CHECK(json["guarantee"][0]["statement"] == "ε·‖·‖_RM");
}

TEST_CASE("The sample text shows sentences, shares and that it is not for release") {
    const embedding::Vocabulary vocabulary = words();
    report::SampleReport sample = exampleSample(vocabulary);
    std::string shown = report::sampleText(sample, vocabulary);
    CHECK_THAT(shown, Contains("not for release"));
    CHECK_THAT(shown, Contains("ε = 10, guarantee ε·‖·‖_RM (per word occurrence)"));
    CHECK_THAT(shown, Contains("  1  The *slow*, [blorp?] fox   (changed 1 of 3)"));
    CHECK_THAT(shown, Contains("slow 50% near"));
    // No hit in 4 draws: at 95% the share is below 1 - 0.05^(1/4) = 0.527.
    CHECK_THAT(shown, Contains("≤ 53%"));
    sample.topOutputs = 0;
    shown = report::sampleText(sample, vocabulary);
    CHECK_THAT(shown, !Contains("most frequent"));
}

TEST_CASE("No hit in 100 draws reads as at most 3%") {
    // 1 - 0.05^(1/100) = 0.0295.
    const embedding::Vocabulary vocabulary = words();
    report::SampleReport sample = exampleSample(vocabulary);
    sample.draws = 100;
    sample.settings[0].distributions[2] = {
        100, 0, 0, 100, {{1, 100, statistics::OutputClass::far}}};
    CHECK_THAT(report::sampleText(sample, vocabulary), Contains("≤ 3%"));
}

TEST_CASE("Words of a file cannot steer the terminal") {
    embedding::Vocabulary vocabulary = words();
    vocabulary.add("\x1b[31m");
    report::SampleReport sample = exampleSample(vocabulary);
    sample.settings[0].sentences[0][1] = 4;
    CHECK(report::sampleText(sample, vocabulary).find('\x1b') == std::string::npos);
}

TEST_CASE("The sample of a TEM names its metric and its radius") {
    const embedding::Vocabulary vocabulary = words();
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
