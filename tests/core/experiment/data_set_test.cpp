#include "core/experiment/data_set.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "tests/support/shared_data.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using namespace epsilens::experiment;
using Catch::Matchers::Contains;
using Strings = std::vector<std::string>;

namespace {

Result<DataSet> dataOf(std::string_view name, const std::string& content,
                       DataSetOptions options = {}) {
    const test::TemporaryFolder folder;
    options.path = folder.file(name, content);
    return readDataSet(options);
}

Strings labelsOf(const DataSet& data) {
    Strings labels;
    for (const Document& document : data.documents) {
        labels.push_back(data.classes.at(static_cast<std::size_t>(document.label)));
    }
    return labels;
}

}  // namespace

TEST_CASE("One data set in every layout gives the same documents") {
    const test::TemporaryFolder folder;
    folder.file("tree/b/2.txt", "call me");
    folder.file("tree/a/1.txt", "win, \"now\"");
    folder.file("tree/a/3.txt", "call me");
    const std::string tree = folder.path("tree");
    const Strings paths{
        folder.file("x.csv",
                    "id,target,text\n1,a,\"win, \"\"now\"\"\"\n2,b,call me\n3,a,call me\n"),
        folder.file("x.tsv", "text\tlabel\nwin, \"now\"\ta\ncall me\tb\ncall me\ta\n"),
        folder.file("plain", "a\twin, \"now\"\nb\tcall me\na\tcall me\n"),
        folder.file(
            "x.jsonl",
            "{\"n\": 1, \"label\": \"a\", \"text\": \"win, \\\"now\\\"\"}\n"
            "{\"text\": \"call me\", \"label\": \"b\"}\n{\"label\": \"a\", \"text\": \"call "
            "me\", \"more\": [1]}\n"),
        tree};
    for (const std::string& path : paths) {
        CAPTURE(path);
        const DataSet data = readDataSet({path}).value();
        CHECK(data.classes == Strings{"a", "b"});
        CHECK(labelsOf(data) == (path == tree ? Strings{"a", "a", "b"} : Strings{"a", "b", "a"}));
        CHECK(data.documents[0].text == "win, \"now\"");
        CHECK(data.documents[1].text == "call me");
        CHECK(data.duplicates == 1);
        CHECK(data.documents[2].twin == 1);
        CHECK(data.badRows == 0);
    }
}

TEST_CASE("Bad rows are counted with their numbers") {
    const DataSet data =
        dataOf("x.csv", "text,label\ngood,1\n,0\nshort\n  ,1\nno label,\nfine,0\n").value();
    CHECK(data.documents.size() == 2);
    CHECK(data.badRows == 4);
    CHECK(data.firstBadRows == std::vector<std::int64_t>{2, 3, 4, 5});
}

TEST_CASE("Columns may be named, by word or number, and are said") {
    const std::string content = "a,b,c\nx y z w,1,u\nlong text here,0,v\n";
    const DataSet named = dataOf("x.csv", content, {.textColumn = "c", .labelColumn = "b"}).value();
    CHECK(named.documents[0].text == "u");
    CHECK(columnsText(named) == "text: column c; label: column b");
    const DataSet numbered =
        dataOf("x.csv", "x y z w,1\nlong text,0\nmore text,1\nlast one,0\n", {.textColumn = "1"})
            .value();
    CHECK(numbered.documents.size() == 4);
    CHECK(columnsText(numbered) == "text: column 1; label: column 2 (guessed)");
    CHECK_THAT(dataOf("x.csv", content, {.labelColumn = "d"}).error().message,
               Contains("\"d\"") && Contains("a, b, c"));
}

TEST_CASE("Splits come from a column or from a second file") {
    const DataSet column =
        dataOf("x.csv", "text,label,split\na,0,train\nb,1,TEST\nc,1,dev\nd,0,what\n").value();
    CHECK(column.hasSplit());
    CHECK(column.documents[1].split == Split::test);
    CHECK(column.documents[2].split == Split::none);
    CHECK(column.badRows == 1);
    const test::TemporaryFolder folder;
    const DataSet files = readDataSet({folder.file("a.tsv", "text\tauthor\nx\tann\n"),
                                       folder.file("b.tsv", "text\tauthor\ny\tbob\nz\tann\n")})
                              .value();
    CHECK(files.authors == Strings{"ann", "bob"});
    CHECK(files.classes.empty());
    CHECK(files.documents[0].split == Split::training);
    CHECK(files.documents[2].split == Split::test);
    CHECK(files.documents[2].author == 0);
}

TEST_CASE("What is no data set is refused with one sentence and the file") {
    CHECK_THAT(dataOf("x.csv", "").error().message, Contains("no records"));
    CHECK_THAT(dataOf("x.csv", "text,label\n,\n").error().message, Contains("no document"));
    CHECK_THAT(dataOf("x.jsonl", "[1,2]\n").error().message, Contains("not a JSON object"));
    CHECK(dataOf("x.csv", "text,label\na,\"b\n").error().line == 2);
    CHECK_FALSE(readDataSet({"/nonexistent/x.csv"}).error().file.empty());
    const test::TemporaryFolder folder;
    folder.file("tree/readme.txt", "nothing");
    CHECK_THAT(readDataSet({folder.path("tree")}).error().message, Contains("each class"));
}

TEST_CASE("Public data sets are read as their descriptions count them") {
    const auto sms = test::sharedFile("data/datasets/SMSSpamCollection");
    const auto tweets = test::sharedFile("data/datasets/nlp-getting-started-train.csv");
    const auto trec = test::sharedFile("data/datasets/trec.train.tsv.gz");
    if (!sms || !tweets || !trec) {
        WARN("SKIPPED: the shared data are not there");
        return;
    }
    // Origin: the README files of the data sets.
    const DataSet messages = readDataSet({*sms}).value();
    CHECK(messages.documents.size() == 5574);
    CHECK(messages.classes == Strings{"ham", "spam"});
    CHECK(messages.documents.size() - static_cast<std::size_t>(messages.duplicates) == 5171);
    const DataSet disasters = readDataSet({*tweets}).value();
    CHECK(disasters.documents.size() == 7613);
    CHECK(disasters.labelColumn->name == "target");
    const DataSet questions = readDataSet({*trec}).value();
    CHECK(questions.documents.size() == 5452);
    CHECK(questions.classes.size() == 6);
}
