#include "core/document/csv_rows.h"

#include <sstream>
#include <string>
#include <vector>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/core/report/example_calibration.h"

// The expected tables are written by hand from the documents beside them.

using namespace epsilens;
using document::csvRows;
using nlohmann::ordered_json;
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

TEST_CASE("A table of rows has what is the same for all, their guarantee and their members") {
    const auto json = ordered_json::parse(R"({
        "version": "0.1", "mechanism": {"name": "tem", "exact": true},
        "run": {"draws": 100, "seed": 9007199254740993, "partial": false},
        "guarantee": [{"metric": "Euclidean", "bound": 2, "cap": null, "statement": "a, b"},
                      {"metric": "Euclidean", "bound": 4.5, "cap": 40}],
        "cells": [{"epsilon": 2, "lambda": null, "nw": {"mean": 0.1, "ci95": [-0.5, 1e-7]}},
                  {"epsilon": 4.5, "lambda": null, "nw": {"mean": 7, "ci95": null}, "exact": true}]
    })");
    CHECK(csvRows(json, "cells") ==
          "mechanism,draws,seed,partial,metric,bound,cap,epsilon,lambda,nw.mean,nw.ci95Low,"
          "nw.ci95High,exact\n"
          "tem,100,9007199254740993,false,Euclidean,2,,2,,0.1,-0.5,1e-07,\n"
          "tem,100,9007199254740993,false,Euclidean,4.5,40,4.5,,7,,,true\n");
}

TEST_CASE("Rows within rows follow the single members of what they belong to") {
    const auto json = ordered_json::parse(R"({
        "settings": [
            {"epsilon": 1, "sentences": ["x"], "words": [{"word": "a", "top": [{"word": "b"}]},
                                                         {"word": "c", "top": []}]},
            {"epsilon": 2, "words": []}]
    })");
    CHECK(csvRows(json, "settings.words") ==
          "epsilon,words.word,words.top.1.word\n1,a,b\n1,c,\n2,,\n");
    CHECK(csvRows(json, "settings") ==
          "epsilon,words.1.word,words.1.top.1.word,words.2.word\n1,a,b,c\n2,,,\n");
}

TEST_CASE("A document can be the only row, without its sentences and lists of values") {
    const auto json = ordered_json::parse(R"({
        "schema": "s/1", "run": {"draws": 3}, "sentence": "no", "reach": [1, 2.5],
        "values": [1, 2, 3]
    })");
    CHECK(csvRows(json, "") == "schema,run.draws,reachLow,reachHigh\ns/1,3,1,2.5\n");
}

TEST_CASE("What some rows lack has no column of its own") {
    const auto json = ordered_json::parse(R"({"rows": [
        {"fresh": null, "match": null}, {"fresh": {"seed": 5}, "match": null}]})");
    CHECK(csvRows(json, "rows") == "match,fresh.seed\n,\n,5\n");
}

TEST_CASE("Texts of a table are quoted, and none is a formula") {
    const auto json = ordered_json::parse(
        R"({"rows": [{"a,b": "=1+1", "c": "say \"hi\", now"}, {"a,b": "-x", "c": "\u0441"}]})");
    CHECK(csvRows(json, "rows") == "\"a,b\",c\n'=1+1,\"say \"\"hi\"\", now\"\n'-x,\u0441\n");
}

TEST_CASE("A document without rows has an empty table") {
    CHECK(csvRows(ordered_json::parse(R"({"rows": []})"), "rows") == "\n");
}

// Expected values are those filled in by hand in example_calibration.cpp.
TEST_CASE("The table of words has the documented columns, quoted words and lambda-major cells") {
    const Lines lines =
        split(document::perWordCsv(test::exampleMahalanobis(), test::exampleVocabulary()), '\n');
    CHECK(lines == Lines{"word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian",
                         "plain,0,1,0.5,,0,4,0.1", "plain,0,10,0.5,,1,3,0.1",
                         "plain,0,1,1,,2,2,2.5", "plain,0,10,1,,3,1,2.5", "\"a,b\",1,1,0.5,,4,1,0",
                         "\"a,b\",1,10,0.5,,0,4,0", "\"a,b\",1,1,1,,1,3,", "\"a,b\",1,10,1,,2,2,",
                         "слово,3,1,0.5,,3,1,1e-07", "слово,3,10,0.5,,4,1,1e-07",
                         "слово,3,1,1,,0,4,40", "слово,3,10,1,,1,3,40"});
}

TEST_CASE("The table of words without critical epsilons leaves their column empty") {
    CHECK(document::perWordCsv(test::exampleLaplace(), test::exampleVocabulary()) ==
          "word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian\n"
          "\"say \"\"hi\"\"\",2,0.1,,,0,1,\n");
}

TEST_CASE("The table of words of an exact calibration has gamma and real numbers") {
    // One critical epsilon per beta, none where it is infinite.
    CHECK(split(document::perWordCsv(test::exampleTem(), test::exampleVocabulary()), '\n') ==
          Lines{"word,row,epsilon,lambda,gamma,nw,sw,criticalEpsilonMedian",
                "plain,0,2,,20,0.5,3.5,1.5", "plain,0,8,,5,1.25,3,1.5", "plain,0,2,,20,2,2,2.5",
                "plain,0,8,,5,3,1.5,2.5", "слово,3,2,,20,4,1,0", "слово,3,8,,5,0.0625,4,0",
                "слово,3,2,,20,1,3,", "слово,3,8,,5,2,2,"});
}
