#include "core/evaluation/figure_limit.h"

#include <cmath>

#include <catch2/catch.hpp>

using namespace epsilens;
using namespace epsilens::corpus;
using namespace epsilens::attack;
using namespace epsilens::evaluation;
using calibration::LimitRelation;
using Catch::Matchers::Contains;

TEST_CASE("A limit on a figure is read into its parts, and survives being written") {
    const FigureLimit gain = parseFigureLimit(" attack.gain <= 5% ").value();
    CHECK(gain.figure == FigureName{FigureName::Kind::gain});
    CHECK(gain.relation == LimitRelation::atMost);
    CHECK(gain.share() == 0.05);
    CHECK(gain.figure.task() == Task::reconstruct);
    const FigureLimit retained = parseFigureLimit("classify.fasttext.retained>=0.8").value();
    CHECK(retained.figure.classifier == ClassifierKind::fasttext);
    CHECK(retained.figure.task() == Task::classify);
    CHECK_FALSE(retained.figure.isRisk());
    for (const char* text :
         {"attack.best<=29.7%", "attack.gain<=5%", "attack.best<=0.07", "attack.best<=7%",
          "attack.upper<=40%", "classify.linear.accuracy>=0.85", "classify.vectors.macroF1>=55%",
          "classify.linear.retained>=95%"}) {
        CHECK(limitText(parseFigureLimit(text).value()) == text);
    }
    CHECK(limitText(parseFigureMatch("attack.best=20%").value()) == "attack.best=20%");
    CHECK(parseFigureMatch("classify.linear.accuracy=0.8").value().relation ==
          LimitRelation::atMost);
}

TEST_CASE("What is no limit on a figure is refused with what is allowed") {
    const auto problem = [](const char* text) { return parseFigureLimit(text).error().message; };
    CHECK_THAT(problem("attack.worst<=5%"), Contains("attack.gain and attack.upper"));
    CHECK_THAT(problem("attack.accuracy<=5%"), Contains("attack.best, attack.gain"));
    CHECK_THAT(problem("classify.magic.accuracy>=5%"), Contains("linear, vectors, fasttext"));
    CHECK_THAT(problem("classify.linear>=5%"), Contains("classify.linear.retained"));
    CHECK_THAT(problem("classify.linear.gain>=5%"), Contains("classify.linear.retained"));
    CHECK_THAT(problem("attack.gain>=5%"), Contains("write it with <="));
    CHECK_THAT(problem("attack.gain"), Contains("write it with <="));
    CHECK_THAT(problem("classify.linear.accuracy<=5%"), Contains("write it with >="));
    CHECK_THAT(problem("attack.gain<=101%"), Contains("0 to 100"));
    CHECK_THAT(problem("attack.gain<=5"), Contains("ends with %"));
    CHECK_THAT(problem("attack.gain<=nan"), Contains("limit"));
    for (const char* text :
         {"", "nw.p95<=5", "attack", "classify.", "classify.<=1", "attack.<=1"}) {
        CHECK_FALSE(parseFigureLimit(text).has_value());
        CHECK_FALSE(parseFigureMatch(text).has_value());
    }
    CHECK_THAT(parseFigureMatch("attack.best<=20%").error().message, Contains("attack.best=20%"));
    CHECK_THAT(parseFigureMatch("attack.best=0%").error().message, Contains("above 0"));
    CHECK_FALSE(namesFigure("nw.p95<=50%"));
    CHECK(namesFigure(" attack.best<=5%"));
}

/// Reference: the ends of the intervals, rounded away from the limit.
TEST_CASE("A missed limit is loosened to the next whole percent that the whole interval meets") {
    const FigureLimit most = parseFigureLimit("attack.gain<=0.05").value();
    const FigureLimit least = parseFigureLimit("classify.linear.retained>=95%").value();
    const auto looser = checkFigure(most, {0.2, std::array{0.19, 0.213}}).loosened();
    CHECK(looser == parseFigureLimit("attack.gain<=22%").value());
    CHECK(checkFigure(least, {0.7, std::array{0.643, 0.75}}).loosened() ==
          parseFigureLimit("classify.linear.retained>=64%").value());
    CHECK_FALSE(checkFigure(most, {0.04, std::array{0.03, 0.05}}).loosened());
    CHECK_FALSE(checkFigure(least, {0.1, std::array{-0.2, 0.3}}).loosened());
    CHECK_FALSE(checkFigure(least, {std::nan(""), std::nullopt}).loosened());
}

TEST_CASE("A figure is judged by the end of its interval that is farther from the limit") {
    const FigureLimit most = parseFigureLimit("attack.gain<=5%").value();
    const FigureLimit least = parseFigureLimit("classify.linear.accuracy>=80%").value();
    CHECK(checkFigure(most, {0.05, std::nullopt}).met());
    CHECK_FALSE(checkFigure(most, {0.045, std::array{0.039, 0.051}}).met());
    CHECK(checkFigure(most, {0.045, std::array{0.039, 0.051}}).isValueWithin());
    CHECK_FALSE(checkFigure(most, {0.051, std::array{0.049, 0.053}}).isValueWithin());
    CHECK(checkFigure(most, {0.045, std::array{0.04, 0.05}}).met());
    CHECK_FALSE(checkFigure(least, {0.82, std::array{0.79, 0.85}}).met());
    CHECK(checkFigure(least, {0.82, std::array{0.8, 0.84}}).margin == Approx(0.0).margin(1e-12));
    CHECK(checkFigure(least, {0.82, std::array{0.79, 0.85}}).isValueWithin());
    CHECK_FALSE(checkFigure(least, {0.79, std::array{0.78, 0.81}}).isValueWithin());
    CHECK_FALSE(checkFigure(least, {std::nan(""), std::nullopt}).met());
    CHECK_FALSE(checkFigure(least, {std::nan(""), std::nullopt}).isValueWithin());
}
