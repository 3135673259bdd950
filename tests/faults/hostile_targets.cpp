#include "tests/faults/hostile_targets.h"

#include <stdexcept>
#include <utility>

#include "tests/core/embedding/embedding_files.h"
#include "tests/fuzz/example_documents.h"
#include "tests/support/foreign_texts.h"
#include "tests/support/made_up_embedding.h"
#include "tests/support/run_cli.h"

namespace epsilens::test {
namespace {

using Arguments = std::vector<std::string>;

Arguments joined(Arguments first, const Arguments& more) {
    first.insert(first.end(), more.begin(), more.end());
    return first;
}

/// What a command of the program writes.
std::string written(const Arguments& arguments, const std::string& input = {}) {
    CliSetup setup;
    setup.input = input;
    const CliResult result = runCli(arguments, setup);
    if (result.exitCode != 0) {
        throw std::runtime_error("an example does not work: " + result.errors);
    }
    return result.output;
}

std::string text() {
    std::string lines;
    for (int i = 0; i < 8; ++i) {
        lines += "w1 w2, w" + std::to_string(i) + " " + kSecretWord + " 3.14 na\xc3\xafve\n";
    }
    return lines;
}

std::string table() {
    std::string csv = "id,class,message\n";
    for (int i = 0; i < 30; ++i) {
        csv += std::to_string(i) + (i % 2 == 0 ? ",one" : ",two") + ",\"w" + std::to_string(i % 7) +
               " w" + std::to_string(i % 5) + ", " + kSecretWord + "\"\n";
    }
    return csv;
}

class Targets {
public:
    explicit Targets(const TemporaryFolder& folder)
        : m_glove(madeUpGlove(40, 3, 1)),
          m_embedding(folder.file("words.txt", m_glove)),
          m_calibration(calibrated({"--format", "json"})),
          m_folder(folder) {
        addEmbeddings();
        addTexts();
        addTables();
        addLists();
        addDocuments();
    }

    std::vector<HostileTarget> take() { return std::move(m_targets); }

private:
    [[nodiscard]] std::string calibrated(const Arguments& more) const {
        return written(joined(run(), joined(more, {"--quiet"})));
    }
    [[nodiscard]] Arguments run() const {
        return {"calibrate", m_embedding, "--epsilon", "2,8", "--lambda", "0.5",
                "--words",   "10",        "--draws",   "10",  "--seed",   "1"};
    }

    void add(Arguments arguments, std::string content,
             std::function<std::string(const std::string&)> wrap = {}) {
        m_targets.push_back({std::move(arguments), std::move(content), std::move(wrap), false});
    }
    void addInput(Arguments arguments, std::string content) {
        m_targets.push_back({std::move(arguments), std::move(content), {}, true});
    }

    void addEmbeddings() {
        const Arguments small{"--epsilon", "2,8", "--words", "5", "--draws", "5"};
        add({"info", "{file}", "--density", "-o", "{out}/info.txt"}, m_glove);
        add({"info", "{file}", "--strict"}, "3 2\na 1 2\nb 3 4\nc 5 6\n");
        add(joined({"calibrate", "{file}", "--lambda", "0,0.5", "--per-word", "{out}/words.csv",
                    "-o", "{out}/run.txt"},
                   small),
            m_glove);
        add(joined({"calibrate", "{file}", "--mechanism", "tem"}, small), m_glove);
        add(joined({"calibrate", "{file}", "--mechanism", "hyperbolic"}, small),
            "a 0.1 0.2\nb 0.3 -0.4\nc 0.5 0.6\nd -0.7 0.1\ne 0.2 0.2\nf 0 0\n");
        add({"recommend", "{file}", "--words", "5", "--draws", "10", "--limit", "nw.mean<=50%"},
            m_glove);
        add({"sample", "{file}", "--text", "w1 w2", "--epsilon", "2", "--draws", "2"}, m_glove);
        add({"guarantee", "{file}", "--epsilon", "2", "--pair", "w1,w2"}, m_glove);
        const WordsAndValues rows{{"ab", {1.0F, -2.0F}}, {"c", {0.5F, 3.0F}}, {"w1", {2, 1}}};
        const Arguments info{"info", "{file}", "--format", "json", "-o", "{out}/info.json"};
        for (const bool lineEnds : {false, true}) {
            add(info, word2vecBinary(rows, lineEnds));
        }
        FasttextParts quantised;
        quantised.quantised = true;
        add(info, fasttextModel({}));
        add(info, fasttextModel(quantised));
        for (const char* compression : {"gzip", "xz", "bzip2", "zstd"}) {
            add(info, compressed(m_glove, compression));
            add(info, m_glove, [compression](const std::string& content) {
                return compressed(content, compression);
            });
        }
        add(info, zipped({{"a.txt", m_glove}}));
        add(info, m_glove, [](const std::string& content) { return zipped({{"a.txt", content}}); });
        using namespace std::string_literals;
        add(info, "\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'shape': (2, 2)}\n"s +
                      std::string(16, '\x3f'));
    }

    [[nodiscard]] Arguments release() const {
        return {"sanitize", m_embedding, "--epsilon", "5", "--lambda", "0.5"};
    }

    void addTexts() {
        addInput(release(), text());
        addInput(joined(release(), {"--invalid", "replace", "--unknown", "drop", "--sidecar",
                                    "{out}/sidecar.json", "-o", "{out}/text.txt"}),
                 text());
        add(joined(release(), {"--text-file", "{file}", "-o", "{out}/text.txt"}), text());
        add({"sample", m_embedding, "--text", "w1 w2", "--epsilon", "1", "--session", "{file}"},
            session());
        for (const ForeignText& foreign : foreignTexts()) {
            addInput(release(), foreign.bytes);
            addInput(joined(release(), {"--encoding", foreign.encoding}), foreign.bytes);
        }
        addInput(release(), compressed(text(), "gzip"));
        add(joined(release(),
                   {"--stop-words", "{file}", "--text-file", m_folder.file("plain.txt", text())}),
            "w1\nw2\n");
    }

    void addTables() {
        const std::string data = table();
        add(joined(release(), {"--column", "message", "--data-format", "csv", "--text-file",
                               "{file}", "-o", "{out}/table.csv"}),
            data);
        std::string lines;
        for (int i = 0; i < 6; ++i) {
            lines +=
                "{\"id\": " + std::to_string(i) + ", \"message\": \"w1 w2 " + kSecretWord + "\"}\n";
        }
        addInput(joined(release(), {"--column", "message", "--data-format", "jsonl"}), lines);
        const Arguments evaluate{"evaluate",  m_embedding,       "--mechanism", "laplace",
                                 "--epsilon", "1,200",           "--repeats",   "1",
                                 "--data",    "{file}",          "--format",    "json",
                                 "-o",        "{out}/found.json"};
        add(evaluate, data);
        add(evaluate, data, [](const std::string& content) { return compressed(content, "gzip"); });
        add({"info", m_embedding, "--density", "--data", "{file}"}, data);
        add({"calibrate", m_embedding, "--data", "{file}", "--epsilon", "2", "--draws", "5"}, data);
    }

    void addLists() {
        const std::string words = "w1\nw2\nw3\n";
        add({"info", m_embedding, "--vocabulary", "{file}"}, words);
        add({"calibrate", m_embedding, "--words", "@{file}", "--epsilon", "2", "--draws", "5"},
            words);
        add({"train-poincare", "{file}", "--epochs", "2", "--dimensions", "2", "-o",
             "{out}/pairs.vec"},
            "dog\tanimal\ncat\tanimal\nhound\tdog\nhot dog\tfood\n");
    }

    [[nodiscard]] std::string session() const {
        for (const fuzz::ExampleDocument& example : fuzz::exampleDocuments()) {
            if (example.target == "session") {
                return example.json;
            }
        }
        throw std::runtime_error("there is no example of a session");
    }

    void addDocuments() {
        for (const char* format : {"html", "text", "json"}) {
            add({"report", "--from", "{file}", "--format", format, "-o", "{out}/report"},
                m_calibration);
        }
        const std::string calibration = m_folder.file("run.json", m_calibration);
        const std::string report = written({"report", "--from", calibration, "--epsilon", "2",
                                            "--lambda", "0.5", "--format", "json", "--quiet"});
        add({"verify", "--from", "{file}", "-o", "{out}/found.txt"}, m_calibration);
        add({"verify", "--from", "{file}"}, report);
        add({"report", "--from", "{file}"}, report);
        for (const fuzz::ExampleDocument& example : fuzz::exampleDocuments()) {
            add({"report", "--from", "{file}", "--format", "html"}, example.json);
            if (example.target == "session") {
                add({"info", m_embedding, "--session", "{file}"}, example.json);
                add(joined(release(), {"--session", "{file}", "--text-file",
                                       m_folder.file("plain.txt", text())}),
                    example.json);
            }
        }
        addEvaluations(calibration);
    }

    void addEvaluations(const std::string& calibration) {
        const std::string evaluation = written(
            {"evaluate", m_embedding, "--mechanism", "mahalanobis", "--lambda", "0.5", "--epsilon",
             "2,8", "--repeats", "2", "--data", m_folder.file("table.csv", table()), "--task",
             "classify,reconstruct", "--format", "json", "--quiet"});
        add({"report", "--from", calibration, "--epsilon", "2", "--lambda", "0.5", "--evaluation",
             "{file}", "--format", "html", "-o", "{out}/report.html"},
            evaluation);
    }

    std::string m_glove;
    std::string m_embedding;
    std::string m_calibration;
    const TemporaryFolder& m_folder;
    std::vector<HostileTarget> m_targets{};
};

}  // namespace

std::vector<HostileTarget> hostileTargets(const TemporaryFolder& folder) {
    return Targets(folder).take();
}

}  // namespace epsilens::test
