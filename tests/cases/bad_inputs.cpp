#include "tests/cases/bad_inputs.h"

#include <fmt/format.h>

#include "tests/support/run_cli.h"

namespace epsilens::test {
namespace {

using namespace std::string_literals;
using Arguments = std::vector<std::string>;

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

/// Rows of three values, each written behind its word.
std::string rowsOf(std::initializer_list<const char*> values) {
    std::string text;
    int row = 0;
    for (const char* value : values) {
        text += fmt::format("w{} {}\n", row++, value);
    }
    return text;
}

Arguments run(std::initializer_list<std::string> more) {
    Arguments arguments{"calibrate", "@", "--quiet", "--draws", "20"};
    arguments.insert(arguments.end(), more);
    return arguments;
}

const std::string kOneWord = "only 1 2 3\n";
const std::string kEqual = rowsOf({"1 2 3", "1 2 3", "1 2 3", "1 2 3"});
const std::string kZero = rowsOf({"0 0 0", "0 0 0", "0 0 0"});
const std::string kSomeZero = rowsOf({"0 0 0", "1 2 3", "3 1 2", "0 1 0", "5 1 1"});
const std::string kConstant = rowsOf({"5 1 2", "5 3 1", "5 0 0", "5 2 2", "5 4 1"});
const std::string kNotFinite = rowsOf({"nan 1 2", "1 inf 3", "3 4 1", "1 1 2", "2 0 1"});
const std::string kNoneFinite = rowsOf({"nan 1 2", "1 -inf 3", "1e39 4 1"});
const std::string kHuge = rowsOf({"1e38 2e38 0", "-1e38 0 1e38", "0 3e38 1e38"});
const std::string kLong = rowsOf({"1e20 2e20 0", "-1e20 0 1e20", "0 3e20 1e20"});
const std::string kTiny = rowsOf({"1e-20 2e-20 0", "-1e-20 0 1e-20", "0 3e-20 1e-20"});
const std::string kUnit = rowsOf({"1 0 0", "0 1 0", "0 0 1", "0.6 0.8 0", "-1 0 0"});
const std::string kOnBorder = rowsOf({"0.1 0 0", "0 0.5 0", "1 0 0", "0 0 1.5"});
const std::string kInBall = rowsOf({"0.1 0 0", "0 0.5 0", "0.9 0 0", "0 0 0.3"});

}  // namespace

std::vector<BadInput> badEmbeddings() {
    const auto hyperbolic = run({"--mechanism", "hyperbolic"});
    const auto laplace = run({"--mechanism", "laplace", "--epsilon", "1"});
    const auto tem = run({"--mechanism", "tem", "--epsilon", "1"});
    const auto angular = run({"--mechanism", "tem", "--metric", "angular", "--epsilon", "1"});
    return {
        {"no file", "", {"info", "/nowhere/vectors.txt"}, 4, "cannot open the file"},
        {"a header beyond all numbers",
         "99999999999999999999 99999999999999999999\na 1\n",
         {"info", "@"},
         4,
         "allowed are 1 to 100,000"},
        {"one word and no ellipsoid", kOneWord, laplace, 0, ""},
        {"one word and a sphere", kOneWord, run({"--epsilon", "1", "--lambda", "0"}), 1,
         "only the Laplace mechanism"},
        {"one word and an ellipsoid", kOneWord, run({"--epsilon", "1", "--lambda", "0.5"}), 1,
         "only the Laplace mechanism"},
        {"one word and TEM", kOneWord, tem, 1, "TEM needs at least 2 words"},
        {"equal rows and no ellipsoid", kEqual, laplace, 0, ""},
        {"equal rows and a sphere", kEqual, run({"--epsilon", "1", "--lambda", "0"}), 1,
         "λ = 0 impossible: all vectors are equal"},
        {"equal rows and an ellipsoid", kEqual, run({"--epsilon", "1", "--lambda", "0.5"}), 1,
         "all vectors are equal"},
        {"equal rows without a grid", kEqual, run({"--mechanism", "laplace"}), 0, ""},
        {"equal rows without a lambda", kEqual, run({}), 1, "all vectors are equal"},
        {"equal rows and TEM", kEqual, tem, 0, ""},
        {"zero rows and no ellipsoid", kZero, laplace, 0, ""},
        {"zero rows and a sphere", kZero, run({"--epsilon", "1", "--lambda", "0"}), 1,
         "all vectors are equal"},
        {"zero rows and angles", kZero, angular, 1, "3 rows are zero"},
        {"a zero row among others", kSomeZero, run({"--epsilon", "1"}), 0, ""},
        {"a zero row and angles", kSomeZero, angular, 1, "1 rows are zero"},
        {"a constant column", kConstant, run({"--epsilon", "1", "--lambda", "0,0.5"}), 0, ""},
        {"a constant column and lambda 1", kConstant, run({"--epsilon", "1", "--lambda", "1"}), 1,
         "λ = 1 impossible"},
        {"a constant column and lambda almost 1", kConstant,
         run({"--epsilon", "1", "--lambda", "0.991"}), 1, "Largest usable λ: 0.99"},
        {"a constant column and the largest lambda", kConstant,
         run({"--epsilon", "1", "--lambda", "0.99"}), 0, ""},
        {"some values are not finite",
         kNotFinite,
         {"info", "@"},
         0,
         "2 rows skipped: NaN or infinite values 2"},
        {"some values are not finite and strict",
         kNotFinite,
         {"info", "@", "--strict"},
         4,
         "not a finite number"},
        {"no row is finite", kNoneFinite, {"info", "@"}, 4, "no usable row is left: 3 of 3"},
        {"values of 1e38", kHuge, run({"--epsilon", "1"}), 4, "1e-12 to 1e+18"},
        {"values of 1e38 described", kHuge, {"info", "@"}, 4, "norm 3.16e+38"},
        {"vectors of 1e20", kLong, run({"--epsilon", "1"}), 4, "multiply all vectors"},
        {"vectors of 1e-20", kTiny, run({"--epsilon", "1"}), 4, "multiply all vectors"},
        {"unit vectors and a sphere", kUnit, run({"--epsilon", "1", "--lambda", "0"}), 0, ""},
        {"unit vectors and angles", kUnit, angular, 0, ""},
        {"unit vectors and hyperbolic noise", kUnit, hyperbolic, 1, "5 rows have norm ≥ 1"},
        {"norms beyond the ball", kOnBorder, hyperbolic, 1, "2 rows have norm ≥ 1"},
        {"hyperbolic noise within the ball", kInBall,
         run({"--mechanism", "hyperbolic", "--epsilon", "5"}), 0, ""},
    };
}

std::vector<BadInput> badOptions() {
    const std::string some = madeUpGlove(40, 3, 1);
    const auto calibrate = [&](const std::string& name, Arguments more, int code,
                               const std::string& message) {
        Arguments arguments{"calibrate", "@", "--quiet"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return BadInput{name, some, std::move(arguments), code, message, {}};
    };
    Arguments manyEpsilons{"sample", "@", "--quiet", "--text", "w1 w2 w3", "--draws", "10000"};
    for (int list = 0; list < 100; ++list) {
        manyEpsilons.insert(manyEpsilons.end(), {"--epsilon", "1..40x10000"});
    }
    return {
        calibrate("epsilon 1e-300", {"--epsilon", "1e-300"}, 0, ""),
        calibrate("epsilon 1e300", {"--epsilon", "1e300"}, 0, ""),
        calibrate("epsilon over all numbers", {"--epsilon", "1e-300..1e300x5"}, 0, ""),
        calibrate("epsilon 1e-300 of TEM", {"--mechanism", "tem", "--epsilon", "1e-300"}, 0, ""),
        calibrate("epsilon 1e300 of TEM", {"--mechanism", "tem", "--epsilon", "1e300"}, 0, ""),
        calibrate("epsilon 5e-324 of TEM", {"--mechanism", "tem", "--epsilon", "5e-324"}, 2,
                  "give gamma itself"),
        calibrate("a grid beyond memory",
                  {"--draws", "1000000", "--epsilon", "1..40x10000", "--lambda", "0..0.9x10000"}, 1,
                  "of memory"),
        {"hyperbolic noise of epsilon 1e300",
         kInBall,
         run({"--mechanism", "hyperbolic", "--epsilon", "1e300"}),
         2,
         "up to ε = 1e+09",
         {}},
        {"hyperbolic noise by eq7 of epsilon 1e300",
         kInBall,
         run({"--mechanism", "hyperbolic", "--noise", "eq7", "--epsilon", "1e300"}),
         2,
         "up to ε = 1e+09",
         {}},
        {"hyperbolic noise by eq7 of epsilon 1e-300",
         kInBall,
         run({"--mechanism", "hyperbolic", "--noise", "eq7", "--epsilon", "1e-300"}),
         0,
         "",
         {}},
        {"a sample beyond memory", some, manyEpsilons, 1, "of memory", {}},
    };
}

std::vector<BadInput> badTexts() {
    const std::string words = "the 1 2 3\ncat 3 1 2\ndog 3 1 1\nשלום 1 1 2\n😀 2 2 1\nbird 0 1 1\n";
    const auto sample = [&](const std::string& name, const std::string& text, int code,
                            const std::string& message) {
        return BadInput{
            name, words,   {"sample", "@", "--epsilon", "5", "--lambda", "0", "--format", "json"},
            code, message, text};
    };
    return {
        sample("an empty text", "", 2, "no words"),
        sample("a text of blanks", " \n\t \r\n", 2, "no words"),
        sample("a text of punctuation", "... !? —", 2, "no words"),
        sample("a megabyte of words", test::repeated("the cat dog ", kMegabyte / 12), 1,
               "at most 2,000"),
        sample("a word of a megabyte", std::string(kMegabyte, 'a'), 0, "unknown word"),
        sample("more than a megabyte", std::string(kMegabyte + 1, 'a'), 1, "longer than 1,048,576"),
        sample("only unknown words", "qwx zzx", 0, "unknown word \"qwx\""),
        sample("NUL bytes", "the\0cat \0 dog"s, 4, "binary data"),
        sample("a text of NUL bytes", std::string(1000, '\0'), 4, "binary data"),
        sample("lone surrogates", "the \xed\xa0\x80 cat \xed\xbf\xbf", 4, "not UTF-8"),
        sample("bytes that are no UTF-8", "the \xff\xfe\x80 cat \xc3", 4, "not UTF-8"),
        sample("text from right to left", "שלום the \u202E cat \u202C", 0, ""),
        sample("sequences of emoji",
               "the 😀 👩‍👩‍👧‍👦 🇩🇪🇫🇷 👍🏽 cat", 0,
               "unknown word"),
        sample("combining marks without end", "the cat" + test::repeated("\u0301", 10'000), 0,
               "unknown word"),
        sample("line ends of all kinds", "the\r\ncat\rdog\n\n\u2028bird", 0, ""),
    };
}

}  // namespace epsilens::test
