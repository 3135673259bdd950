#include "core/training/is_a_pairs.h"

#include <algorithm>
#include <fstream>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <catch2/catch.hpp>

#include "core/base/random_stream.h"
#include "tests/support/refusal.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using namespace epsilens::training;
using Catch::Matchers::Contains;
using Names = std::vector<std::pair<std::string, std::string>>;

namespace {

Result<IsAList> readContent(const std::string& content, bool strict = false) {
    const test::TemporaryFolder folder;
    const IsAReadOptions options{.path = folder.file("pairs.tsv", content), .strict = strict};
    return readIsAPairs(options);
}

Names namesOf(const IsAList& list) {
    Names names;
    for (const IsAPair& pair : list.pairs) {
        names.emplace_back(list.nodes.word(pair.child), list.nodes.word(pair.parent));
    }
    return names;
}

std::vector<std::string> nodesOfPairs(const IsAList& list) {
    std::vector<std::string> nodes;
    nodes.reserve(static_cast<std::size_t>(list.nodes.size()));
    for (Row row = 0; row < list.nodes.size(); ++row) {
        nodes.emplace_back(list.nodes.word(row));
    }
    return nodes;
}

/// Lines of a file split at the tab, by the standard library alone.
Names linesOf(const std::string& path) {
    std::ifstream stream(path);
    Names lines;
    std::string line;
    while (std::getline(stream, line)) {
        const std::size_t tab = line.find('\t');
        lines.emplace_back(line.substr(0, tab), line.substr(tab + 1));
    }
    return lines;
}

/// Which node reaches which in one step or more, by Warshall's algorithm.
std::vector<std::vector<bool>> reachability(Row nodes, const std::vector<IsAPair>& pairs) {
    const auto count = static_cast<std::size_t>(nodes);
    std::vector reaches(count, std::vector<bool>(count, false));
    for (const IsAPair& pair : pairs) {
        reaches[static_cast<std::size_t>(pair.child)][static_cast<std::size_t>(pair.parent)] = true;
    }
    for (std::size_t via = 0; via < count; ++via) {
        for (std::size_t from = 0; from < count; ++from) {
            for (std::size_t to = 0; to < count; ++to) {
                reaches[from][to] = reaches[from][to] || (reaches[from][via] && reaches[via][to]);
            }
        }
    }
    return reaches;
}

std::vector<IsAPair> randomPairs(Row nodes, std::size_t count, std::uint64_t seed) {
    SeededStream stream({seed, StreamPurpose::wordSelection, 0, 0});
    std::vector<IsAPair> pairs;
    while (pairs.size() < count) {
        const auto draw = [&] {
            return static_cast<Row>(stream.below(static_cast<std::uint64_t>(nodes)));
        };
        const IsAPair pair{draw(), draw()};
        if (pair.child != pair.parent && std::ranges::find(pairs, pair) == pairs.end()) {
            pairs.push_back(pair);
        }
    }
    return pairs;
}

}  // namespace

TEST_CASE("Pairs keep the order of their lines, nodes that of their first pair") {
    const IsAList list = readContent("dog\tmammal\ncat\tmammal\nmammal\tanimal\n").value();
    CHECK(nodesOfPairs(list) == std::vector<std::string>{"dog", "mammal", "cat", "animal"});
    CHECK(list.pairs == std::vector<IsAPair>{{0, 1}, {2, 1}, {1, 3}});
    CHECK(list.report.badLines() == 0);
}

TEST_CASE("Line ends, blanks, blank lines and a byte order mark do not count") {
    const std::string byteOrderMark = "\xef\xbb\xbf";
    const Names expected{{"dog", "mammal"}, {"Katze", "S\xc3\xa4ugetier"}};
    for (const std::string& content : std::vector<std::string>{
             "dog\tmammal\nKatze\tS\xc3\xa4ugetier\n", "dog\tmammal\nKatze\tS\xc3\xa4ugetier",
             "dog\tmammal\r\nKatze\tS\xc3\xa4ugetier\r\n",
             "dog\tmammal\r\nKatze\tS\xc3\xa4ugetier\r",
             byteOrderMark + "dog\tmammal\nKatze\tS\xc3\xa4ugetier\n",
             " dog \t mammal\n\n \r\n\t\nKatze\tS\xc3\xa4ugetier \n\n"}) {
        CAPTURE(content);
        const auto list = readContent(content).value();
        CHECK(namesOf(list) == expected);
        CHECK(list.report.badLines() == 0);
    }
}

TEST_CASE("Bad lines are counted by reason, with their first numbers") {
    const std::string longName(kLongestName + 1, 'x');
    const auto list = readContent(
                          "a\tb\n"
                          "no tab\n"
                          "one\ttwo\tthree\n"
                          "\tb\n"
                          "a\t \n" +
                          longName + "\tb\n" + longName.substr(1) +
                          "\tb\n"
                          "bad\xff\tb\n"
                          "a\x01\tb\n"
                          "c\tb\n")
                          .value();
    CHECK(list.pairs.size() == 3);
    const IsAReport& report = list.report;
    CHECK(report.wrongFields.firstPositions == std::vector<std::int64_t>{2, 3});
    CHECK(report.emptyNames.firstPositions == std::vector<std::int64_t>{4, 5});
    CHECK(report.longNames.firstPositions == std::vector<std::int64_t>{6});
    CHECK(report.invalidText.firstPositions == std::vector<std::int64_t>{8, 9});
    CHECK(report.badLines() == 7);
}

TEST_CASE("Self pairs and repeated pairs are left out and counted") {
    const IsAList list = readContent("alone\talone\na\tb\na\ta\nb\ta\na\tb\nc\tb\na\tb\n").value();
    CHECK(namesOf(list) == Names{{"a", "b"}, {"b", "a"}, {"c", "b"}});
    // "alone" is in no pair that says something, so it is no node.
    CHECK(nodesOfPairs(list) == std::vector<std::string>{"a", "b", "c"});
    CHECK(list.report.selfPairs.firstPositions == std::vector<std::int64_t>{1, 3});
    CHECK(list.report.duplicates.count == 2);
    CHECK(list.report.duplicates.firstPositions == std::vector<std::int64_t>{5, 7});
    CHECK(list.report.badLines() == 0);
}

TEST_CASE("Blanks within names become underscores") {
    const IsAList list =
        readContent("domestic dog\tlive thing\ndomestic_dog\tcanine\nx y\tx_y\n").value();
    CHECK(namesOf(list) == Names{{"domestic_dog", "live_thing"}, {"domestic_dog", "canine"}});
    CHECK(list.report.namesWithBlanks == 2);
    CHECK(list.report.selfPairs.count == 1);
}

TEST_CASE("With strict the first bad line fails and is named") {
    const Error error = test::checkRefused(readContent("a\tb\nb\tb\na\tb\nno tab\n\tx\n", true),
                                           ErrorCode::badFile);
    CHECK(error.line == 4);
    CHECK(error.message == "not a child and a parent separated by one tab");
    CHECK_THAT(error.file, Contains("pairs.tsv"));
}

TEST_CASE("A list without pairs is refused") {
    for (const std::string content : {"", "\n \n", "no tab\n", "a\ta\n"}) {
        CAPTURE(content);
        test::checkRefused(readContent(content), ErrorCode::badFile, "a child, a tab and a parent");
    }
    const IsAReadOptions missing{.path = "/no/such/file.tsv"};
    CHECK(test::checkRefused(readIsAPairs(missing), ErrorCode::badFile).file == missing.path);
}

TEST_CASE("A list beyond the memory limit is refused") {
    const test::TemporaryFolder folder;
    const IsAReadOptions options{.path = folder.file("pairs.tsv", "a\tb\nc\td\n"),
                                 .memoryLimit = 100};
    test::checkRefused(readIsAPairs(options), ErrorCode::resourceLimit, "shorter list");
}

TEST_CASE("Reading stops when asked to") {
    const test::TemporaryFolder folder;
    const IsAReadOptions options{.path = folder.file("pairs.tsv", "a\tb\n")};
    test::checkRefused(readIsAPairs(options, test::stoppedJob()), ErrorCode::cancelled);
}

TEST_CASE("Real lists are read as the standard library reads them") {
    for (const std::string file : {"mammal_closure.tsv", "noun_closure.test.tsv",
                                   "poincare_hypernyms.tsv", "poincare_hypernyms_large.tsv"}) {
        CAPTURE(file);
        const auto path = test::sharedFile("data/poincare/" + file);
        if (!path) {
            return test::skipForWantOfData();
        }
        const Names lines = linesOf(*path);
        std::set<std::pair<std::string, std::string>> distinct(lines.begin(), lines.end());
        const auto selfPairs = std::ranges::count_if(
            lines, [](const auto& line) { return line.first == line.second; });
        std::set<std::string> nodes;
        std::erase_if(distinct, [](const auto& line) { return line.first == line.second; });
        for (const auto& [child, parent] : distinct) {
            nodes.insert({child, parent});
        }
        const IsAReadOptions options{.path = *path};
        const auto list = readIsAPairs(options).value();
        const Names names = namesOf(list);
        CHECK(std::set(names.begin(), names.end()) == distinct);
        CHECK(names.size() == distinct.size());
        CHECK(list.report.selfPairs.count == selfPairs);
        CHECK(list.report.duplicates.count ==
              static_cast<std::int64_t>(lines.size() - distinct.size()) - selfPairs);
        CHECK(list.report.badLines() == 0);
        CHECK(list.nodes.size() == static_cast<std::int64_t>(nodes.size()));
    }
}

TEST_CASE("A graph knows the parents and the degrees of its nodes") {
    const IsAGraph graph(5, std::vector<IsAPair>{{0, 3}, {0, 1}, {2, 1}, {1, 0}});
    CHECK(graph.nodeCount() == 5);
    CHECK(std::vector(graph.parentsOf(0).begin(), graph.parentsOf(0).end()) ==
          std::vector<Row>{1, 3});
    CHECK(graph.parentsOf(4).empty());
    CHECK(graph.isA(0, 3));
    CHECK_FALSE(graph.isA(3, 0));
    CHECK_FALSE(graph.isA(0, 2));
    // Node 1: child of 0, parent of 0 and 2.
    CHECK(graph.degree(0) == 3);
    CHECK(graph.degree(1) == 3);
    CHECK(graph.degree(4) == 0);
}

TEST_CASE("Cycles are counted and the smallest is shown") {
    // 0 -> 1 -> 2 -> 0, 3 <-> 4 on the way from it, 5 <-> 6 apart, 7 behind all.
    const std::vector<IsAPair> pairs{{0, 1}, {1, 2}, {2, 0}, {2, 3}, {3, 4},
                                     {4, 3}, {6, 5}, {5, 6}, {4, 7}};
    const Cycles cycles = findCycles(IsAGraph(8, pairs));
    CHECK(cycles.groups == 3);
    CHECK(cycles.nodes == 7);
    CHECK(cycles.example == std::vector<Row>{3, 4});
}

TEST_CASE("Cycles agree with reachability on random graphs") {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        constexpr Row kNodes = 30;
        const std::size_t count = 10 + 2 * seed;
        const std::vector<IsAPair> pairs = randomPairs(kNodes, count, seed);
        const auto reaches = reachability(kNodes, pairs);
        // Nodes that reach themselves; a group is counted at its first node.
        std::int64_t nodes = 0;
        std::int64_t groups = 0;
        for (std::size_t node = 0; node < kNodes; ++node) {
            nodes += reaches[node][node] ? 1 : 0;
            bool first = reaches[node][node];
            for (std::size_t other = 0; other < node; ++other) {
                first = first && !(reaches[node][other] && reaches[other][node]);
            }
            groups += first ? 1 : 0;
        }
        const Cycles cycles = findCycles(IsAGraph(kNodes, pairs));
        CAPTURE(seed);
        CHECK(cycles.nodes == nodes);
        CHECK(cycles.groups == groups);
    }
}

TEST_CASE("A chain of 300,000 nodes does not exhaust the stack") {
    constexpr Row kNodes = 300'000;
    std::vector<IsAPair> pairs;
    for (Row node = 0; node + 1 < kNodes; ++node) {
        pairs.push_back({node, node + 1});
    }
    CHECK(findCycles(IsAGraph(kNodes, pairs)).groups == 0);
    pairs.push_back({kNodes - 1, 0});
    const Cycles cycles = findCycles(IsAGraph(kNodes, pairs));
    CHECK(cycles.groups == 1);
    CHECK(cycles.nodes == kNodes);
}
