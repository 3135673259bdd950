#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "tests/cli/terminal.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::json;
using test::Terminal;

TEST_CASE("evaluate measures texts, and at a large epsilon what they are as they stand") {
    const Terminal terminal;
    // 60 texts whose class follows from one word each.
    std::string csv = "id,class,message\n";
    for (int i = 0; i < 60; ++i) {
        csv += fmt::format("{},{},\"w{} w{}, number {}\"\n", i, i % 2 == 0 ? "ham" : "spam",
                           10 + i % 7, i % 6, i);
    }
    terminal.file("mail.csv", csv);
    const std::string line =
        "evaluate small.txt --data mail.csv --mechanism laplace --epsilon 1,1e6 --repeats 2 ";
    const json found = terminal.found(line + "--task classify,reconstruct --threads 1");
    const auto accuracy = [](const json& part) {
        return part["classify"]["linear"]["accuracy"]["mean"].get<double>();
    };
    CHECK(accuracy(found["original"]) == 1.0);
    // No word moves, so that the output is the word.
    const json& cell = found["cells"][1];
    CHECK(accuracy(cell) == accuracy(found["ceiling"]));
    CHECK(cell["reconstruct"]["echo"]["mean"] == 1.0);
    CHECK(cell["nw"]["mean"] == 100.0);
    CHECK(cell["sw"]["mean"] == 1.0);
    CHECK(found["run"]["survival"] == json({{"words", 60}, {"draws", 100}}));
    CHECK(found["cells"] ==
          terminal.found(line + "--task classify,reconstruct --threads 2")["cells"]);

    // Text for study can be read like the texts that it was made of: a header, and 60 documents at
    // two epsilons.
    terminal.printed(line + "--save-perturbed texts.study.csv");
    const std::string study = terminal.content("texts.study.csv");
    CHECK(std::ranges::count(study, '\n') == 121);
    CHECK(terminal.document("texts.study.csv.json")["run"]["seed"] == 1);
    terminal.printed("evaluate small.txt --data texts.study.csv --label-column label --epsilon 1");
    CHECK_THAT(terminal.printed(line + "--classifier linear,fasttext"),
               Contains("Classifier fasttext"));
}

TEST_CASE("recommend holds limits on attackers and classifiers by their whole intervals") {
    const Terminal terminal;
    std::string csv = "text,label\n";
    for (int i = 0; i < 80; ++i) {
        const int word = i % 2 == 0 ? 1 + i % 5 : 30 + i % 5;
        csv += fmt::format("w{0} w{0} w{1},{2}\n", word, i % 7 + 10, i % 2 == 0 ? "a" : "b");
    }
    terminal.file("texts.csv", csv);
    const std::string line = "recommend small.txt --mechanism laplace --data texts.csv ";
    const std::string span = line + "--epsilon 0.05..200x2 ";
    const json setting = terminal.found(span +
                                        "--limit attack.best<=70% --repeats 3 --limit "
                                        "classify.linear.accuracy>=60%")["settings"][0];
    const json& checks = setting["figures"]["checks"];
    REQUIRE(checks.size() == 2);
    CHECK(checks[0]["ci95"][1].get<double>() <= 0.7);
    CHECK(checks[1]["ci95"][0].get<double>() >= 0.6);
    const json matched = terminal.found(span + "--match attack.best=70%")["settings"][0]["figures"];
    CHECK(matched["checks"][0]["value"].get<double>() <= 0.7);
    CHECK(matched["binding"]["value"].get<double>() > 0.7);
    terminal.fails(line +
                       "--epsilon 0.05,1 --limit attack.gain<=0.1% --limit "
                       "classify.linear.accuracy>=100%",
                   3, "NO, 49");
}

TEST_CASE("compare weights by texts, and measures labelled ones") {
    const Terminal terminal;
    std::string texts = "class\tmessage\n";
    for (int i = 0; i < 12; ++i) {
        const std::string place(static_cast<std::size_t>(i), 'a');
        texts += i % 2 == 0 ? "good\tthe nice warm summer day in paris " + place + "\n"
                            : "bad\tthe cold rainy winter night in london " + place + "\n";
    }
    terminal.file("texts.tsv", texts);
    const json document =
        terminal.found("compare sample --mechanism tem --repeats 2 --words 30 --data texts.tsv");
    REQUIRE(document["rows"].size() == 1);
    // 14 different words occur, so 30 evenly spaced tokens are no more.
    CHECK(document["run"]["words"].get<int>() <= 14);
    for (const char* figure : {"classify.linear.accuracy", "attack.best"}) {
        const double mean = document["rows"][0][figure]["mean"];
        CHECK(mean >= 0.0);
        CHECK(mean <= 1.0);
    }
}
