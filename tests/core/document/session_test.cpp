#include "core/document/session.h"

#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "core/document/session_file.h"
#include "tests/core/document/example_session.h"
#include "tests/support/peak_memory.h"
#include "tests/support/sanitized.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using Catch::Matchers::Contains;
using nlohmann::ordered_json;
using test::exampleSession;
using test::otherSession;
namespace fs = std::filesystem;

namespace {

std::string complaintAbout(const ordered_json& document) {
    const auto session = document::readSession(document.dump());
    return session ? std::string() : session.error().message;
}

std::vector<std::string> resultsIn(const test::TemporaryFolder& folder) {
    std::vector<std::string> names = folder.names();
    std::erase_if(names, [](const std::string& name) { return !name.ends_with(".results"); });
    return names;
}

unsigned modeOf(const std::string& path) {
    struct stat status {};
    REQUIRE(stat(path.c_str(), &status) == 0);
    return status.st_mode & 0777U;
}

}  // namespace

TEST_CASE("A session reads back as it was written, keys in the same order") {
    document::Session session = exampleSession();
    const std::string text = document::sessionJson(session);
    const auto read = document::readSession(text);
    REQUIRE(read);
    CHECK(document::sessionJson(read->session) == text);
    CHECK(read->session.report.limits == session.report.limits);
    CHECK(read->session.report.figureLimits == session.report.figureLimits);
    CHECK(read->session.report.epsilonOrigin == session.report.epsilonOrigin);
    REQUIRE(read->session.wordsFrom);
    CHECK(read->session.wordsFrom->dataFile == "letters.csv");
    CHECK(read->session.wordsFrom->dataRecords == 7);
    session.embedding.reset();
    session.wordsFrom.reset();
    session.results.reset();
    session.pins.clear();
    const std::string bare = document::sessionJson(session);
    REQUIRE(document::readSession(bare));
    CHECK(document::sessionJson(document::readSession(bare)->session) == bare);
    ordered_json::array_t keys;
    const ordered_json written = ordered_json::parse(text);
    for (const auto& [key, value] : written.items()) {
        keys.push_back(key);
    }
    CHECK(ordered_json(keys).dump() ==
          R"(["schema","version","embedding","settings","limits","figureLimits","pins","report",)"
          R"("keepsSentences","results","evaluation","evaluationAlone","evaluationAgain"])");
}

TEST_CASE("A session keeps what a search found on texts") {
    document::Session session = exampleSession();
    document::KeptSearch& search = session.search.emplace();
    search.data.options.path = "/home/analyst/sms.tsv";
    search.data.fingerprint = {1'234, std::string(64, 'a')};
    search.options.grid = mechanism::Grid::of(mechanism::Mahalanobis{0.5});
    search.options.grid.epsilons = {1.0, 50.0};
    search.limits = {calibration::parseLimit("nw.p95<=50%").value()};
    search.draws = 100;
    search.figureLimits = {experiment::parseFigureLimit("attack.gain<=5%").value(),
                           experiment::parseFigureLimit("classify.linear.retained>=80%").value()};
    const auto checks = [&search](double gain, double retained) {
        return std::vector{
            experiment::checkFigure(search.figureLimits[0], {gain, std::array{-0.02, gain}}),
            experiment::checkFigure(search.figureLimits[1], {retained, {}})};
    };
    experiment::LimitsFound& found = search.found;
    found.epsilon = 7.25;
    found.checks = checks(0.04, 0.9);
    found.fresh = checks(0.06, std::nan(""));
    found.above = 7.5;
    found.binding = checks(0.051, 0.9).front();
    found.tried = {{1.0, {checks(0.01, 0.0).front()}}, {7.25, found.checks}, {7.5, {}}};
    const std::string text = document::sessionJson(session);
    const auto read = document::readSession(text);
    INFO((read ? std::string() : read.error().message));
    REQUIRE(read);
    CHECK(document::sessionJson(read->session) == text);
    const document::KeptSearch& again = read->session.search.value();
    CHECK(again.hasSameQuestion(search));
    CHECK(document::isSameData(again.data, search.data));
    CHECK(again.setting() == mechanism::Setting{mechanism::Mahalanobis{0.5}, 7.25});
    CHECK(again.found.looked == 3);
    CHECK(again.found.fresh[0].margin == found.fresh[0].margin);
    CHECK(std::isnan(again.found.fresh[1].margin));
    const auto isOther = [&](const auto& change) {
        document::KeptSearch other = search;
        change(other);
        return !search.hasSameQuestion(other);
    };
    CHECK(isOther([](auto& other) { other.limits.clear(); }));
    CHECK(isOther([](auto& other) { other.figureLimits.pop_back(); }));
    CHECK(isOther([](auto& other) { ++other.options.seed; }));
    CHECK(isOther([](auto& other) {
        other.options.grid = mechanism::Grid::of(mechanism::Mahalanobis{0.25});
    }));
    // What the search was of is one setting.
    ordered_json changed = ordered_json::parse(text);
    changed["search"]["options"]["lambdas"] = {0.25, 0.5};
    CHECK_THAT(complaintAbout(changed), Contains("one setting of a mechanism"));
}

TEST_CASE("Pinned settings keep the whole mechanism") {
    const document::Session session = exampleSession();
    const auto read = document::readSession(document::sessionJson(session));
    REQUIRE(read);
    CHECK(read->session.pins == session.pins);
    CHECK(read->session.current == session.current);
}

TEST_CASE("A session with an unknown metric is refused") {
    ordered_json changed = ordered_json::parse(document::sessionJson(exampleSession()));
    changed["pins"][2]["metric"] = "taxicab";
    CHECK_THAT(complaintAbout(changed), Contains("taxicab"));
}

TEST_CASE("The percentile band of a session is one of those that there are") {
    ordered_json session = ordered_json::parse(document::sessionJson(exampleSession()));
    for (const char* band : {"[1, 99]", "[5, 95]", "[25, 75]"}) {
        session["settings"]["percentileBand"] = ordered_json::parse(band);
        CHECK(complaintAbout(session).empty());
    }
    for (const char* band : {"[10, 90]", "[95, 5]"}) {
        CAPTURE(band);
        session["settings"]["percentileBand"] = ordered_json::parse(band);
        CHECK(complaintAbout(session) ==
              "\"settings.percentileBand\": it is not one of the bands [1, 99], [5, 95] and [25, "
              "75]");
    }
    for (const char* band : {"[5]", "[]"}) {
        session["settings"]["percentileBand"] = ordered_json::parse(band);
        CHECK(complaintAbout(session) ==
              "\"settings.percentileBand\": it does not hold two values");
    }
}

TEST_CASE("Typed sentences stay out of a session unless that was asked for") {
    document::Session session = exampleSession();
    session.report.sentences = {"my secret sentence"};
    CHECK(document::sessionJson(session).find("secret") == std::string::npos);
    session.keepsSentences = true;
    const auto read = document::readSession(document::sessionJson(session));
    REQUIRE(read);
    CHECK(read->session.report.sentences == session.report.sentences);
}

TEST_CASE("A newer session is refused by the name of its version, damaged ones by their place") {
    const ordered_json sound = ordered_json::parse(document::sessionJson(exampleSession()));
    ordered_json broken = sound;
    broken["schema"] = "epsilens.session/2";
    CHECK_THAT(complaintAbout(broken), Contains("epsilens.session/2") && Contains("newer version"));
    const ordered_json flat = sound.flatten();
    for (const auto& [pointer, value] : flat.items()) {
        CAPTURE(pointer);
        broken = sound;
        broken[ordered_json::json_pointer(pointer)] =
            value.is_object() ? ordered_json(1) : ordered_json::object();
        REQUIRE_FALSE(complaintAbout(broken).empty());
    }
    const std::string text = sound.dump(2);
    for (std::size_t length = 0; length < text.size(); length += 101) {
        const auto session = document::readSession(text.substr(0, length));
        REQUIRE_FALSE(session);
        REQUIRE(session.error().code == ErrorCode::badFile);
    }
}

TEST_CASE("A saved session belongs to its owner alone and replaces the one before") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("work.epsilens", "the one before");
    fs::permissions(path, fs::perms::all);
    REQUIRE(document::saveSession(path, exampleSession()));
    CHECK(modeOf(path) == 0600);
    CHECK(folder.names() == std::vector<std::string>{"work.epsilens"});
    const auto opened = document::openSession(path);
    REQUIRE(opened);
    CHECK(opened->results);
    const auto nowhere = document::saveSession(folder.path("missing/x.epsilens"), exampleSession());
    REQUIRE_FALSE(nowhere);
    CHECK(nowhere.error().code == ErrorCode::ioFailed);
}

TEST_CASE("Large results stand in a file of their own beside the session") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("work.epsilens");
    const document::Session session = exampleSession();
    REQUIRE(document::saveSession(path, session, 1000));
    REQUIRE(resultsIn(folder).size() == 1);
    const std::string name = resultsIn(folder).front();
    CHECK_THAT(name, Catch::Matchers::Matches("work-[0-9a-f]{16}\\.results"));
    CHECK(folder.names() == std::vector<std::string>{name, "work.epsilens"});
    CHECK(modeOf(folder.path(name)) == 0600);
    CHECK(fs::file_size(path) < fs::file_size(folder.path(name)));
    const auto opened = document::openSession(path);
    REQUIRE(opened);
    REQUIRE(opened->results);
    CHECK(opened->results->summary->cells.size() == 4);
    // Gone, damaged, or somewhere else.
    folder.file(name, "{");
    CHECK_THAT(document::openSession(path).error().file, Contains(name));
    fs::remove(folder.path(name));
    CHECK(document::openSession(path).error().code == ErrorCode::badFile);
    ordered_json changed = ordered_json::parse(test::contentOf(path));
    for (const std::string& other :
         {"../" + name, std::string("/etc/passwd"), std::string(), std::string("..")}) {
        changed["results"]["file"] = other;
        folder.file("work.epsilens", changed.dump());
        CHECK_THAT(document::openSession(path).error().message, Contains("beside the session"));
    }
}

TEST_CASE("A session keeps the values of single words, inside or beside it") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("work.epsilens");
    const document::Session session = exampleSession();
    const calibration::WordTable& written = session.results->summary->perWord;
    for (const std::size_t mostInline : {std::size_t{1} << 20, std::size_t{10}}) {
        REQUIRE(document::saveSession(path, session, mostInline));
        const auto opened = document::openSession(path);
        REQUIRE(opened);
        const calibration::WordTable& read = opened->results->summary->perWord;
        CHECK(read.words == written.words);
        CHECK(read.cells == written.cells);
        CHECK(read.nw == written.nw);
        CHECK(read.sw == written.sw);
        CHECK(read.near == written.near);
        CHECK(read.criticalEpsilonMedian == written.criticalEpsilonMedian);
    }
}

TEST_CASE("Saving again leaves no results behind that nothing refers to") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("work.epsilens");
    folder.file("work.results", "not made by a session");
    REQUIRE(document::saveSession(path, exampleSession(), 1000));
    const std::vector<std::string> first = resultsIn(folder);
    REQUIRE(first.size() == 2);
    REQUIRE(document::saveSession(path, exampleSession(), 1000));
    CHECK(resultsIn(folder) == first);
    REQUIRE(document::saveSession(path, otherSession(), 1000));
    CHECK(resultsIn(folder).size() == 2);
    CHECK(resultsIn(folder) != first);
    // A copy of the session goes on referring to them.
    const std::vector<std::string> second = resultsIn(folder);
    fs::copy_file(path, folder.path("copy.epsilens"));
    REQUIRE(document::saveSession(path, exampleSession(), 1000));
    CHECK(resultsIn(folder).size() == 3);
    CHECK(document::openSession(folder.path("copy.epsilens")));
    fs::remove(folder.path("copy.epsilens"));
    REQUIRE(document::saveSession(path, exampleSession()));
    CHECK(resultsIn(folder) == std::vector<std::string>{"work.results"});
    CHECK(test::contentOf(folder.path("work.results")) == "not made by a session");
}

TEST_CASE("Results stay beside a session whatever its name") {
    for (const char* name : {"my \"best\" one.epsilens", "back\\slash.epsilens", "STUDY.EPSILENS",
                             "no ending", "\xC3\xA4.epsilens"}) {
        CAPTURE(name);
        const test::TemporaryFolder folder;
        REQUIRE(document::saveSession(folder.path(name), exampleSession(), 1000));
        REQUIRE(document::saveSession(folder.path(name), otherSession(), 1000));
        REQUIRE(resultsIn(folder).size() == 1);
        const auto opened = document::openSession(folder.path(name));
        REQUIRE(opened);
        CHECK(opened->current.epsilon == otherSession().current.epsilon);
        // What another session of such a name refers to stays, too.
        fs::copy_file(folder.path(name), folder.path("COPY.Epsilens"));
        REQUIRE(document::saveSession(folder.path(name), exampleSession(), 1000));
        CHECK(document::openSession(folder.path("COPY.Epsilens")));
    }
}

TEST_CASE("A session with results but without vectors is refused") {
    document::Session session = exampleSession();
    session.embedding.reset();
    const auto read = document::readSession(document::sessionJson(session));
    REQUIRE_FALSE(read);
    CHECK(read.error().code == ErrorCode::badFile);
    const test::TemporaryFolder folder;
    const auto saved = document::saveSession(folder.path("work.epsilens"), session, 1000);
    REQUIRE_FALSE(saved);
    CHECK(saved.error().code == ErrorCode::invalidArgument);
    CHECK(folder.names().empty());
}

TEST_CASE("A session that is saved through a link has its results beside the file itself") {
    const test::TemporaryFolder folder;
    fs::create_directory(folder.path("real"));
    const std::string real = folder.path("real/work.epsilens");
    const std::string link = folder.path("link.epsilens");
    folder.file("real/vectors.txt", "x");
    document::Session session = exampleSession();
    session.embedding->load.path = folder.path("real/vectors.txt");
    REQUIRE(document::saveSession(real, session, 1000));
    fs::create_symlink(real, link);
    fs::create_directory_symlink(folder.path("real"), folder.path("folder"));
    session = otherSession();
    session.embedding->load.path = folder.path("folder/vectors.txt");
    for (const std::string& path : {link, folder.path("folder/work.epsilens"), real}) {
        CAPTURE(path);
        REQUIRE(document::saveSession(path, session, 1000));
        CHECK(resultsIn(folder).empty());
        int results = 0;
        for (const auto& file : fs::directory_iterator(folder.path("real"))) {
            results += file.path().extension() == ".results" ? 1 : 0;
        }
        CHECK(results == 1);
        for (const std::string& opened : {link, folder.path("folder/work.epsilens"), real}) {
            const auto read = document::openSession(opened);
            REQUIRE(read);
            CHECK(read->embedding->relativePath == "vectors.txt");
            CHECK(read->results);
        }
    }
    CHECK(fs::is_symlink(link));
}

TEST_CASE("A session that cannot be written leaves the results of the one before alone") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("work.epsilens");
    REQUIRE(document::saveSession(path, exampleSession(), 1000));
    const std::vector<std::string> before = resultsIn(folder);
    fs::rename(path, folder.path("moved.epsilens"));
    fs::create_directory(path);
    const auto written = document::saveSession(path, otherSession(), 1000);
    REQUIRE_FALSE(written);
    CHECK(written.error().code == ErrorCode::ioFailed);
    CHECK_THAT(resultsIn(folder), Catch::VectorContains(before.front()));
    const auto opened = document::openSession(folder.path("moved.epsilens"));
    REQUIRE(opened);
    CHECK(opened->results->summary->perWord.nw == exampleSession().results->summary->perWord.nw);
}

TEST_CASE("Results beside a session begin at 50 MB") {
    const test::TemporaryFolder folder;
    const std::string path = folder.path("work.epsilens");
    document::Session session = exampleSession();
    calibration::CalibrationSummary summary = *session.results->summary;
    // 3 words x 8 bytes x 4/3 letters a draw and lambda
    const auto fill = [&](double megabytes) {
        summary.draws = static_cast<int>(megabytes * (1U << 20U) / (3 * 2 * 8 * 4.0 / 3.0));
        summary.critical.assign(2, {});
        for (calibration::CriticalTable& table : summary.critical) {
            table.values.assign(3 * static_cast<std::size_t>(summary.draws), 1.5);
        }
        session.results->summary = std::make_shared<const calibration::CalibrationSummary>(summary);
        REQUIRE(document::saveSession(path, session));
    };
    fill(49.5);
    CHECK(resultsIn(folder).empty());
    CHECK(fs::file_size(path) > 49U << 20U);
    fill(50.5);
    REQUIRE(resultsIn(folder).size() == 1);
    CHECK(fs::file_size(path) < 1U << 20U);
    CHECK(modeOf(folder.path(resultsIn(folder).front())) == 0600);
    const auto bytes = static_cast<double>(fs::file_size(folder.path(resultsIn(folder).front())));
    const test::PeakMemory peak;
    const auto opened = document::openSession(path);
    REQUIRE(opened);
    CHECK(opened->results->summary->critical.at(1).values == summary.critical.at(1).values);
    if (!test::kSanitized) {
        CHECK(peak.bytes() < 4.0 * bytes);
    }
}

TEST_CASE("Results of other vectors than those of the session are refused by name") {
    const test::TemporaryFolder folder;
    document::Session session = exampleSession();
    const std::string sha256 = session.embedding->sha256;
    const std::string path = folder.path("work.epsilens");
    for (const std::size_t mostInline : {std::size_t{1} << 20, std::size_t{10}}) {
        session.embedding->sha256 = sha256;
        REQUIRE(document::saveSession(path, session, mostInline));
        session.embedding->sha256 = std::string(64, 'b');
        const auto refused = document::saveSession(path, session, mostInline);
        REQUIRE_FALSE(refused);
        CHECK_THAT(refused.error().message, Contains("not belong to the vectors"));
        REQUIRE(document::openSession(path));  // that of before
        // As another program would leave it: the digest of the vectors stands first in the file.
        std::string text = test::contentOf(path);
        text.replace(text.find(sha256), sha256.size(), session.embedding->sha256);
        folder.file("work.epsilens", text);
        const auto opened = document::openSession(path);
        REQUIRE_FALSE(opened);
        CHECK(opened.error().code == ErrorCode::badFile);
        CHECK_THAT(opened.error().message, Contains("not belong to the vectors"));
    }
    CHECK(document::openSession(path).error().file == folder.path(resultsIn(folder).front()));
    session.results.reset();
    REQUIRE(document::saveSession(path, session));
    CHECK(document::openSession(path));
}

TEST_CASE("A folder that was moved with its embedding still opens") {
    const test::TemporaryFolder folder;
    folder.file("old/data/vectors.txt", "x");
    document::Session session = exampleSession();
    session.embedding->load.path = folder.path("old/data/vectors.txt");
    REQUIRE(document::saveSession(folder.path("old/work.epsilens"), session));
    fs::rename(folder.path("old"), folder.path("new"));
    const auto opened = document::openSession(folder.path("new/work.epsilens"));
    REQUIRE(opened);
    const auto places =
        document::embeddingPlaces(*opened->embedding, folder.path("new/work.epsilens"));
    CHECK(*document::firstExisting(places) == folder.path("new/data/vectors.txt"));
    // Beside the session as the last resort.
    fs::rename(folder.path("new/data/vectors.txt"), folder.path("new/vectors.txt"));
    CHECK(*document::firstExisting(places) == folder.path("new/vectors.txt"));
    session.embedding->load.path = "sample";
    CHECK(document::embeddingPlaces(*session.embedding, "x.epsilens") ==
          std::vector<std::string>{"sample"});
}
