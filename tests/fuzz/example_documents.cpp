#include "tests/fuzz/example_documents.h"

#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "core/document/json_parts.h"
#include "core/document/report_document.h"
#include "core/document/session.h"
#include "tests/core/report/example_calibration.h"

namespace epsilens::fuzz {
namespace {

document::Session exampleSession(const document::Report& report) {
    document::Session session;
    session.version = "9.8.7";
    document::SessionEmbedding embedding;
    embedding.load.path = "/data/vectors.txt.gz";
    embedding.load.limitRows = 50;
    embedding.bytes = 123'456'789'012;
    embedding.sha256 = std::string(64, 'a');
    session.embedding = embedding;
    session.current = {mechanism::Tem{metric::Metric::mahalanobis, 0.75, 8.0}, 2.5};
    session.grid = report.run.request.options;
    session.pins = {{mechanism::Laplace{}, 3.5}};
    session.report = report.settings;
    session.report.sentences = {"a sentence"};
    session.keepsSentences = true;
    return session;
}

}  // namespace

std::vector<ExampleDocument> exampleDocuments() {
    std::vector<ExampleDocument> documents;
    for (const auto& summary :
         {test::exampleMahalanobis(), test::exampleLaplace(), test::exampleTemByBeta()}) {
        const calibration::Run record = test::exampleRun(summary);
        documents.push_back(
            {"calibration", document::jsonText(document::calibrationDocument(record))});
    }
    const document::Report report = test::exampleReport();
    documents.push_back({"report", document::reportJson(report).value()});
    document::Session session = exampleSession(report);
    documents.push_back({"session", document::sessionJson(session)});
    session.results = report.run;
    documents.push_back({"session", document::sessionJson(session)});
    return documents;
}

}  // namespace epsilens::fuzz
