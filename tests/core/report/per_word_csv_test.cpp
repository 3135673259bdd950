#include "core/report/per_word_csv.h"

#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/core/report/example_calibration.h"

// Expected values are those filled in by hand in example_calibration.cpp.

using namespace epsilens;
using Lines = std::vector<std::string>;

namespace {

Lines split(const std::string& text, char separator) {
    Lines parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);) {
        parts.push_back(part);
    }
    return parts;
}

}  // namespace

TEST_CASE("The table of words has the documented columns, quoted words and lambda-major cells") {
    const Lines lines =
        split(report::perWordCsv(test::exampleMahalanobis(), test::exampleVocabulary()), '\n');
    CHECK(lines == Lines{"word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian",
                         "plain,0,1,0.5,,0,4,0.1", "plain,0,10,0.5,,1,3,0.1",
                         "plain,0,1,1,,2,2,2.5", "plain,0,10,1,,3,1,2.5", "\"a,b\",1,1,0.5,,4,1,0",
                         "\"a,b\",1,10,0.5,,0,4,0", "\"a,b\",1,1,1,,1,3,", "\"a,b\",1,10,1,,2,2,",
                         "слово,3,1,0.5,,3,1,1e-07", "слово,3,10,0.5,,4,1,1e-07",
                         "слово,3,1,1,,0,4,40", "слово,3,10,1,,1,3,40"});
}

TEST_CASE("The table of words without critical epsilons leaves their column empty") {
    CHECK(report::perWordCsv(test::exampleLaplace(), test::exampleVocabulary()) ==
          "word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian\n"
          "\"say \"\"hi\"\"\",2,0.1,,,0,1,\n");
}

TEST_CASE("The table of words of an exact calibration has gamma and real numbers") {
    // One critical epsilon per beta, none where it is infinite.
    CHECK(split(report::perWordCsv(test::exampleTem(), test::exampleVocabulary()), '\n') ==
          Lines{"word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian",
                "plain,0,2,,20,0.5,3.5,1.5", "plain,0,8,,5,1.25,3,1.5", "plain,0,2,,20,2,2,2.5",
                "plain,0,8,,5,3,1.5,2.5", "слово,3,2,,20,4,1,0", "слово,3,8,,5,0.0625,4,0",
                "слово,3,2,,20,1,3,", "слово,3,8,,5,2,2,"});
}
