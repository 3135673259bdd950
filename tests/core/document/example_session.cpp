#include "tests/core/document/example_session.h"

#include <memory>
#include <utility>

#include "tests/core/report/example_report.h"

namespace epsilens::test {

document::Session exampleSession() {
    const document::Report report = exampleReport();
    document::Session session;
    session.version = "9.8.7";
    document::SessionEmbedding embedding;
    embedding.load.path = "/data/vectors.txt.gz";
    embedding.load.inputFormat = embedding::InputFormat::glove;
    embedding.load.limitRows = 50;
    embedding.load.strict = true;
    embedding.bytes = 123'456'789'012;
    embedding.sha256 = std::string(64, 'a');
    session.embedding = embedding;
    session.current = {mechanism::Tem{metric::Metric::mahalanobis, 0.75, 8.0}, 2.5};
    session.grid = report.run.request.options;
    session.wordsFrom = calibration::SelectionDescription{"40", "letters.csv", "text", 7};
    session.percentileBand = {1, 99};
    session.letterCase = text::CasePolicy::lower;
    session.pins = {{mechanism::Laplace{}, 3.5},
                    {mechanism::Tem{metric::Metric::angular, 0.25, {}, 0.125}, 4.5},
                    {mechanism::Hyperbolic{mechanism::RadialLaw::eq7}, 5.5}};
    session.report = report.settings;
    session.report.epsilonOrigin = "A search found it.";
    session.report.figureLimits = {*evaluation::parseFigureLimit("attack.gain<=5%"),
                                   *evaluation::parseFigureLimit("classify.linear.retained>=95%")};
    session.results = report.run;
    return session;
}

document::Session otherSession() {
    document::Session session = exampleSession();
    calibration::CalibrationSummary summary = *session.results->summary;
    session.current.epsilon = 3.5;
    std::swap(summary.cells[0].nw, summary.cells[1].nw);
    session.results->summary =
        std::make_shared<const calibration::CalibrationSummary>(std::move(summary));
    return session;
}

}  // namespace epsilens::test
