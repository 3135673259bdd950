#include "core/corpus/data_set.h"

#include <string>
#include <vector>

#include <catch2/catch.hpp>

#include "core/corpus/split.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_folder.h"

using namespace epsilens;
using namespace epsilens::corpus;
using Catch::Matchers::Contains;
using Strings = std::vector<std::string>;
using corpus::fingerprintOf;

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
    // Hidden folders and files are no classes and no documents.
    folder.file("tree/b/.DS_Store", "x");
    folder.file("tree/.git/config", "three");
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
        CHECK(data.documents.size() == 3);
        CHECK(data.classes == Strings{"a", "b"});
        CHECK(labelsOf(data) == (path == tree ? Strings{"a", "a", "b"} : Strings{"a", "b", "a"}));
        CHECK(data.documents[0].text == "win, \"now\"");
        CHECK(data.documents[1].text == "call me");
        CHECK(data.duplicates == 1);
        CHECK(data.documents[2].twin == 1);
        CHECK(data.badRows == 0);
    }
}

TEST_CASE("Rows whose columns are in doubt are bad rows") {
    // An unquoted comma, one field only, a quote inside of a field, text behind a closing quote.
    const DataSet csv = dataOf("x.csv",
                               "text,label\ngood,1\nwell, really,0\nshort\nsay \"hi\",1\n"
                               "\"a\" b,0\nfine,0\n")
                            .value();
    CHECK(csv.documents.size() == 2);
    CHECK(csv.badRows == 4);
    CHECK(csv.firstBadRows == BadRows{2, 3, 4, 5});
    // Fields that hold a tab and a line end, quoted as Python's csv module does.
    const std::string quoted = "text\tlabel\ngood\t1\n\"a\tb\"\t0\n\"a\nb\tc\"\t1\nfine\t0\n";
    const DataSet plain = dataOf("x.tsv", quoted).value();
    CHECK(plain.documents.size() == 2);
    CHECK(plain.firstBadRows == BadRows{2, 3, 4});
    const DataSet read = dataOf("x.tsv", quoted, {.format = io::RecordFormat::tsvQuoted}).value();
    CHECK(read.badRows == 0);
    CHECK(read.documents[2].text == "a\nb\tc");
    // An array or an object is no text.
    const DataSet json = dataOf("x.jsonl",
                                "{\"label\": \"a\", \"text\": \"go\"}\n"
                                "{\"label\": \"b\", \"text\": [\"go\", \"now\"]}\n"
                                "{\"label\": \"b\", \"text\": {\"en\": \"go\"}}\n"
                                "{\"label\": \"a\", \"text\": 5}\n")
                             .value();
    CHECK(json.documents.size() == 2);
    CHECK(json.documents[1].text == "5");
    CHECK(json.firstBadRows == BadRows{2, 3});
    // With strict the first row that cannot be used is an error.
    const Error error =
        dataOf("x.csv", "text,label\ngood,1\n,0\nfine,0\n", {.strict = true}).error();
    CHECK(error.code == ErrorCode::badFile);
    CHECK_THAT(error.message, Contains("row 2 "));
    CHECK(dataOf("x.csv", "text,label\ngood,1\nfine,0\n", {.strict = true}));
}

TEST_CASE("Columns may be named, by word or number, and are said") {
    const std::string content = "a,b,c\nx y z w,1,u\nlong text here,0,v\n";
    const DataSet named = dataOf("x.csv", content, {.textColumn = "c", .labelColumn = "b"}).value();
    CHECK(named.documents[0].text == "u");
    CHECK(named.columns == "text: column c; label: column b");
    const DataSet numbered =
        dataOf("x.csv", "x y z w,1\nlong text,0\nmore text,1\nlast one,0\n", {.textColumn = "1"})
            .value();
    CHECK(numbered.documents.size() == 4);
    CHECK(numbered.columns ==
          "text: column 1; label: column 2 (guessed); line 1: a document (guessed)");
    CHECK_THAT(dataOf("x.csv", content, {.labelColumn = "d"}).error().message,
               Contains("\"d\"") && Contains("first line: 3"));
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

TEST_CASE("A guess that cannot be of labels is refused with a way out") {
    // 60 lines of prose: the part before the comma comes twice, so that it looks like 30 labels of
    // 60; and 160 lines with 80.
    const auto prose = [](int lines) {
        std::string text;
        for (int i = 0; i < lines; ++i) {
            text += "on day " + std::to_string(i / 2) + ", it rained " + std::to_string(i) + "\n";
        }
        return text;
    };
    CHECK(dataOf("x.csv", prose(60)).value().classes.size() == 30);
    const Error refused = dataOf("x.csv", prose(160)).error();
    CHECK(refused.code == ErrorCode::invalidArgument);
    CHECK_THAT(refused.message,
               Contains("80 different values in 160 documents") && Contains("--label-column"));
    CHECK(dataOf("x.csv", prose(160), {.textColumn = "2", .labelColumn = "1"})
              .value()
              .classes.size() == 80);
    // A column that is called so may have many.
    CHECK(dataOf("x.csv", "label,text\n" + prose(160)).value().classes.size() == 80);
}

TEST_CASE("A column of one class, or of as many as documents, is not taken for labels") {
    CHECK_FALSE(dataOf("x.tsv", "ham\tgo now\nham\tcall me\nham\twait\n").value().labelColumn);
    CHECK_FALSE(dataOf("x.tsv", "ham\tgo now\nspam\twin money\n").value().labelColumn);
    CHECK(dataOf("x.tsv", "ham\tgo now\nspam\twin money\n", {.labelColumn = "1"}).value().classes ==
          Strings{"ham", "spam"});
}

TEST_CASE("Only a column whose fields name parts is a split") {
    const std::string parts = "text,label,part\na b,0,noun\nc d,1,verb\ne f,0,noun\n";
    const DataSet words = dataOf("x.csv", parts).value();
    CHECK(words.documents.size() == 3);
    CHECK(words.badRows == 0);
    CHECK_FALSE(words.splitColumn);
    // Who names it means it.
    CHECK_FALSE(dataOf("x.csv", parts, {.splitColumn = "part"}));
    const DataSet split =
        dataOf("x.csv", "text,label,part\na b,0,train\nc d,1,test\ne f,0,train\n").value();
    CHECK(split.hasSplit());
    CHECK_THAT(split.columns, Contains("split: column part (guessed)"));
}

TEST_CASE("A first line of names is told from documents") {
    const std::string rows = "0,it is good\n1,it is bad\n0,all fine here\n1,not so good\n";
    for (const DataSetOptions& options :
         {DataSetOptions{}, DataSetOptions{.textColumn = "2", .labelColumn = "1"}}) {
        const DataSet data = dataOf("x.csv", "y,phrase\n" + rows, options).value();
        CHECK(data.classes == Strings{"0", "1"});
        CHECK(data.documents.size() == 4);
        CHECK_THAT(data.columns, Contains("text: column phrase") && Contains("label: column y") &&
                                     Contains("line 1: names of the columns (guessed)"));
        const DataSet bare = dataOf("x.csv", rows + "0,last one\n", options).value();
        CHECK(bare.documents.size() == 5);
        CHECK_THAT(bare.columns, Contains("line 1: a document (guessed)"));
    }
    // Known names need no guess.
    CHECK_THAT(dataOf("x.csv", "label,text\n" + rows).value().columns, !Contains("line 1"));
}

TEST_CASE("Two files have columns and bad rows of their own") {
    const test::TemporaryFolder folder;
    const DataSet data = readDataSet({folder.file("a.csv", "text,label\nx y,0\n,1\nz,1\n"),
                                      folder.file("b.csv", "class,message\n0,u\n1,v\n1,\n,w\n")})
                             .value();
    CHECK(data.columns ==
          "text: column text (guessed); label: column label (guessed); of the test "
          "file: text: column message (guessed); label: column class (guessed)");
    CHECK(data.textColumn->name == "text");
    CHECK(data.badRows == 3);
    CHECK(data.badTestRows == 2);
    CHECK(data.firstBadRows == BadRows{2});
    CHECK(data.firstBadTestRows == BadRows{3, 4});
    CHECK_THAT(readDataSet({folder.path("a.csv"), folder.file("c.csv", "text,author\nu,v\n")})
                   .error()
                   .message,
               Contains("one of the two parts of the data set has labels"));
    folder.file("tree/a/1.txt", "one");
    folder.file("tree/b/1.txt", "two");
    CHECK_THAT(readDataSet({folder.path("tree"), folder.path("c.csv")}).error().message,
               Contains("one of the two parts of the data set has labels"));
    CHECK(readDataSet({folder.path("tree"), folder.path("a.csv")}).value().classes.size() == 4);
}

TEST_CASE("Lists in messages are short") {
    CHECK(rowsText({1, 2}, 2) == "1, 2");
    CHECK(rowsText({1, 2}, 3) == "1, 2, …");
    CHECK(classesText({"a", "b"}) == "a, b");
    CHECK(classesText(Strings(11, "a")) == "a, a, a, a, a, a, a, a, a, a, …");
    const std::string rows = "text,label\n" + test::repeated(",0\nx,1\n", 20);
    CHECK(dataOf("x.csv", rows).value().firstBadRows.size() == 10);
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
        return test::skipForWantOfData();
    }
    // Origin: the README files of the data sets.
    const DataSet messages = readDataSet({.path = *sms, .format = io::RecordFormat::tsv}).value();
    CHECK(messages.documents.size() == 5574);
    CHECK(messages.classes == Strings{"ham", "spam"});
    CHECK(messages.documents.size() - static_cast<std::size_t>(messages.duplicates) == 5171);
    // Three begin with a quote and have an odd number of quotes.
    CHECK(readDataSet({*sms}).value().badRows == 3);
    const DataSet disasters = readDataSet({*tweets}).value();
    CHECK(disasters.documents.size() == 7613);
    CHECK(disasters.labelColumn->name == "target");
    const DataSet questions = readDataSet({*trec}).value();
    CHECK(questions.documents.size() == 5452);
    CHECK(questions.classes.size() == 6);
}

TEST_CASE("The fingerprint of a file is its SHA-256") {
    const test::TemporaryFolder folder;
    const auto found = fingerprintOf({folder.file("abc.txt", "abc")}).value();
    CHECK(found.bytes == 3);
    // FIPS 180-2, appendix B.1
    CHECK(found.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(fingerprintOf({folder.path("missing.csv")}).error().code == ErrorCode::badFile);
}

TEST_CASE("The fingerprint of a folder knows every byte and name, but not where it lies") {
    const auto fingerprintIn = [](const char* name, const char* content) {
        const test::TemporaryFolder folder;
        folder.file("data/ham/1.txt", "one");
        folder.file(std::string("data/spam/") + name, content);
        return fingerprintOf({folder.path("data")}).value();
    };
    const auto found = fingerprintIn("2.txt", "two");
    CHECK(found.bytes == 6);
    // By hashlib of Python: of the lines "SHA-256 ham/1.txt" and "SHA-256 spam/2.txt".
    CHECK(found.sha256 == "2aed7d9f36ea193127b38c8b569a3f84c51399fd5cf7c4de6d5a7e15477c6cdf");
    CHECK(found == fingerprintIn("2.txt", "two"));
    CHECK(found.sha256 != fingerprintIn("2.txt", "twp").sha256);
    CHECK(found.sha256 != fingerprintIn("3.txt", "two").sha256);
}

TEST_CASE("Documents with the same text stay on one side of a random split") {
    // Ten texts, each twice.
    DataSet data;
    for (std::int32_t i = 0; i < 20; ++i) {
        data.documents.emplace_back().twin = i % 10;
    }
    const auto splits = splitDocuments(data, 20, 5, false).value();
    REQUIRE(splits.size() == 20);
    for (const DocumentSplit& split : splits) {
        std::vector<int> side(20, 0);
        for (const std::size_t document : split.training) {
            side[document] += 1;
        }
        for (const std::size_t document : split.test) {
            side[document] += 2;
        }
        for (std::size_t text = 0; text < 10; ++text) {
            CHECK((side[text] == 1 || side[text] == 2));
            CHECK(side[text + 10] == side[text]);
        }
        // 0.7 of the texts.
        CHECK(split.training.size() == 14);
    }
    CHECK(splits[0].training != splits[1].training);
    CHECK(splitDocuments(data, 20, 6, false).value()[0].training != splits[0].training);
}

TEST_CASE("An own split leaves out what belongs to neither part") {
    DataSet data;
    for (const Split part : {Split::training, Split::none, Split::test}) {
        data.documents.emplace_back().split = part;
    }
    const DocumentSplit split = splitDocuments(data, 1, 5, false).value().front();
    CHECK(split.training == std::vector<std::size_t>{0});
    CHECK(split.test == std::vector<std::size_t>{2});
}
