#include "core/report/memo_words.h"

#include <array>
#include <cmath>

#include <catch2/catch.hpp>

using namespace epsilens;

namespace {

std::string wordsOf(const char* limit, int draws = 100) {
    return report::limitWords(*calibration::parseLimit(limit), draws);
}

}  // namespace

TEST_CASE("What is unknown and what is known add up to 100 in whole percent") {
    // 275 of 1,000 words: half a percent is rounded up, and what is known is 72.
    CHECK(report::percentUnknown(0.275) == 28);
    CHECK(report::percentUnknown(0.274) == 27);
    CHECK(report::percentUnknown(1.0 - 0.725) == 28);
    CHECK(report::percentUnknown(0.0) == 0);
    CHECK(report::percentUnknown(0.004) == 0);
    CHECK(report::percentUnknown(1.0) == 100);
}

TEST_CASE("Shares as whole numbers add up to a hundred, and none is off by one") {
    for (int kept = 0; kept <= 1000; kept += 7) {
        for (int near = 0; near <= 1000 - kept; near += 13) {
            const double far = (1000 - kept - near) / 1000.0;
            const report::Hundredths whole =
                report::hundredthsOf(kept / 1000.0, near / 1000.0, far);
            CAPTURE(kept, near);
            REQUIRE(whole.kept + whole.near + whole.far == 100);
            REQUIRE(std::abs(whole.kept - kept / 10.0) <= 0.5 + 1e-9);
            REQUIRE(std::abs(whole.near - near / 10.0) < 1.0);
            REQUIRE(std::abs(whole.far - 100.0 * far) < 1.0);
        }
    }
    CHECK(report::hundredthsOf(1.0, 0.0, 0.0).kept == 100);
    // "11 of 100 words survive" stood beside "a word is kept 12 times of 100 on average".
    CHECK(report::hundredthsOf(0.116, 0.187, 0.697).kept == 12);
    CHECK(report::countWords({11.6, std::array{9.0, 14.0}}, 0.0, 100.0).value == "12");
}

TEST_CASE("Counts have the digits of their intervals, and stay within their bounds") {
    const auto said = [](double value, double low, double high) {
        const report::CountWords count =
            report::countWords({value, std::array{low, high}}, 0.0, 100.0);
        return count.value + count.interval();
    };
    CHECK(said(95.4, 90.0, 101.0) == "95 (90 to 100)");
    CHECK(said(2.34, -0.5, 5.2) == "2 (0 to 5)");
    CHECK(said(10.04, 9.5, 10.6) == "10.0 (9.5 to 10.6)");
    CHECK(said(100.0, 100.0, 100.0) == "100 (100 to 100)");
    CHECK(report::countWords({28.0, {}}, 0.0, 100.0).value == "28.0");
}

TEST_CASE("What rounds to none or all says that it is neither") {
    CHECK(report::outOf100(34, 0.336) == "34 of 100");
    CHECK(report::outOf100(0, 0.001) == "fewer than 1 of 100");
    CHECK(report::outOf100(0, 0.0) == "0 of 100");
    CHECK(report::outOf100(100, 0.999) == "more than 99 of 100");
}

TEST_CASE("A limit in words counts words and draws") {
    CHECK(wordsOf("nw.p95<=50%") == "95 of 100 words are kept in at most 50 of 100 draws");
    CHECK(wordsOf("nw.p5>=2") == "95 of 100 words are kept in at least 2 of 100 draws");
    CHECK(wordsOf("nw.max<=50") == "all words are kept in at most 50 of 100 draws");
    CHECK(wordsOf("nw.min<=1") == "some words are kept in at most 1 of 100 draws");
    CHECK(wordsOf("sw.min>=20") == "all words have at least 20 different outputs in 100 draws");
    CHECK(wordsOf("sw.max>=20") == "some words have at least 20 different outputs in 100 draws");
    CHECK(wordsOf("kept.mean<=30%") == "on average words are kept in at most 30% of their draws");
    CHECK(wordsOf("kept.p50<=0.3") == "50 of 100 words are kept in at most 30% of their draws");
    CHECK(wordsOf("far.mean<=0.5") == "at most 50% of the outputs are words far from the original");
    CHECK(wordsOf("near.mean>=5%") == "at least 5% of the outputs are words near the original");
    CHECK(wordsOf("shannonEntropy.p1>=4") ==
          "99 of 100 words have outputs with at least 4 bits of Shannon entropy");
    CHECK(wordsOf("minEntropy.mean>=1.5") ==
          "on average words have outputs with at least 1.5 bits of min-entropy");
    CHECK(wordsOf("nw.p95<=0%") == "95 of 100 words are kept in none of 100 draws");
    CHECK(wordsOf("kept.max<=0") == "all words are kept in none of their draws");
    CHECK(wordsOf("far.mean<=0") == "none of the outputs are words far from the original");
    CHECK(wordsOf("kw.min>=3") == "all words have outputs that at least 3 of the words share");
}

TEST_CASE("A limit on texts is told in words, with its interval") {
    const auto said = [](const char* limit, evaluation::FigureValue figure) {
        return report::checkWords(
            evaluation::checkFigure(*evaluation::parseFigureLimit(limit), figure));
    };
    CHECK(said("attack.gain<=5%", {0.0421, std::array{0.039, 0.045}}) ==
          "an attacker guesses at most 5 of 100 words more than without the release: yes, 4.2 "
          "(3.9 to 4.5)");
    // The upper end of the interval misses the limit.
    CHECK(said("attack.best<=0.2", {0.199, std::array{0.18, 0.21}}) ==
          "an attacker guesses at most 20 of 100 words: NO, 19.9 (18.0 to 21.0)");
    CHECK(said("attack.upper<=30%", {0.28, std::nullopt}) ==
          "whoever saw the noise itself would guess at most 30 of 100 words: yes, 28.0");
    CHECK(said("classify.linear.accuracy>=90%", {0.95, std::nullopt}) ==
          "a linear classifier of the words puts at least 90 of 100 texts into the right class: "
          "yes, 95.0");
    CHECK(said("classify.vectors.retained>=95%", {0.87, std::array{0.82, 0.91}}) ==
          "a classifier of mean word vectors keeps at least 95% of its usefulness: NO, 87% "
          "(82 to 91)");
    // No interval ends beyond all of them, and its digits are those of its ends.
    CHECK(said("classify.linear.retained>=85%", {0.955, std::array{0.90, 1.01}}) ==
          "a linear classifier of the words keeps at least 85% of its usefulness: yes, 96% (90 to "
          "100)");
    // What misses the bound does not look like it.
    CHECK(said("attack.best<=20%", {0.17, std::array{0.13, 0.2001}}) ==
          "an attacker guesses at most 20 of 100 words: NO, 17.00 (13.00 to 20.01)");
    CHECK(said("attack.gain<=0", {-0.01, std::array{-0.02, -0.001}}) ==
          "an attacker guesses no more words than without the release: yes, -1.0 (-2.0 to -0.1)");
    CHECK(said("classify.fasttext.macroF1>=0.5", {std::nan(""), std::nullopt}) ==
          "fastText's classifier has a macro F1 of at least 50%: undetermined; the gap between "
          "original and random text is within the variation between repeats");
}

TEST_CASE("A verdict has as many digits as tell its value from the bound") {
    const auto verdict = [](double value) {
        calibration::LimitCheck check{*calibration::parseLimit("nw.p95<=50%"), value, 50,
                                      50 - value};
        return report::checkWords(check, 100).substr(wordsOf("nw.p95<=50%").size());
    };
    CHECK(verdict(43.21) == ": yes, 43.2");
    CHECK(verdict(50) == ": yes, 50");
    CHECK(verdict(56) == ": NO, 56");
    CHECK(verdict(50.004) == ": NO, 50.004");
    CHECK(verdict(49.9996) == ": yes, 49.9996");
}
