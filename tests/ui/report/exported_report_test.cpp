#include <QSignalSpy>
#include <QTemporaryFile>

#include <nlohmann/json.hpp>

#include "core/calibration/recommend.h"
#include "core/document/verification.h"
#include "tests/ui/report/report_fixture.h"
#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using nlohmann::ordered_json;
using test::kPatienceMs;

namespace {

/// A report of the toy run with all that the window puts into it.
struct ExportedReport : test::DraftFixture {
    ExportedReport() {
        state.lookAt(QStringLiteral("paris london"));
        draft.setIncludesSentence(true);
        document::ReportSettings texts = draft.settings();
        texts.title = "a title";
        texts.purpose = "a purpose";
        texts.reason = "a reason";
        draft.setSettings(texts);
    }

    /// Empty when nothing was written.
    std::string json() {
        const QSignalSpy computed(&results, &ui::SessionResults::densityChanged);
        results.computeDensity();
        draft.setRun(run);
        test::handleEventsUntil([&] { return draft.run() && computed.count() == 1; }, kPatienceMs);
        state.edit(&ui::AnalysisSettings::limits, calibration::defaultLimits());
        state.edit(&ui::AnalysisSettings::chooseEpsilon, 8);
        state.edit(&ui::AnalysisSettings::setParameters, {.lambda = 0});
        return exported("r.json").toStdString();
    }
};

}  // namespace

/// What the window exports as JSON can be verified as what the command line writes.
class ExportedReportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_json = m_exported.json();
        QVERIFY(!m_json.empty());
    }

    void aRunDoneAgainGivesTheSame() {
        const auto document = ordered_json::parse(m_json);
        QVERIFY(document["report"]["density"].is_object());
        QVERIFY(!document["report"]["limits"].empty());
        QCOMPARE(differences(m_json), QStringList());
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void aChangedNumberIsNamed_data() {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("expected");
        // Other fields follow from these, so that the file is refused before it is compared.
        const char* const refused = "the rest of the file";
        const auto row = [](const char* pointer, const char* expected) {
            QTest::newRow(pointer) << QString::fromUtf8(pointer) << QString::fromUtf8(expected);
        };
        row("/calibration/cells/1/nw/p95", refused);
        row("/calibration/cells/2/kept", "calibration.cells[2].kept (ε = 2, λ = 0.5)");
        row("/calibration/guarantee/3/bound", refused);
        row("/calibration/pairs/0/distance", refused);
        row("/calibration/run/draws", refused);
        row("/report/density/meanOfDensest", "report.density.meanOfDensest");
        row("/findings/cell", refused);
        row("/findings/limits/0/value", refused);
    }
    void aChangedNumberIsNamed() {
        QFETCH(const QString, pointer);
        QFETCH(const QString, expected);
        ordered_json changed = ordered_json::parse(m_json);
        ordered_json& number = changed.at(ordered_json::json_pointer(pointer.toStdString()));
        QVERIFY(number.is_number());
        // Half a share is a share.
        if (number.is_number_integer()) {
            number = number.get<int>() + 1;
        } else {
            number = number.get<double>() / 2;
        }
        const QStringList found = differences(changed.dump());
        QCOMPARE(found.size(), 1);
        QVERIFY2(found.front() == expected || (expected.startsWith(QLatin1String("the rest")) &&
                                               found.front().contains(expected)),
                 qPrintable(found.front()));
    }

private:
    /// The places that verifying a document names; what hinders it, if anything does.
    [[nodiscard]] QStringList differences(const std::string& json) const {
        QTemporaryFile file;
        if (!file.open() || file.write(QByteArray::fromStdString(json)) < 0 || !file.flush()) {
            return {file.errorString()};
        }
        const auto found = document::openDocument(file.fileName().toStdString())
                               .and_then([this](const document::KeptDocument& document) {
                                   return document::repeatRun(document, *test::toySpace(), 1)
                                       .and_then([&document](const ordered_json& again) {
                                           return document::compareWith(document, again);
                                       });
                               });
        QStringList places;
        if (!found) {
            places.append(QString::fromStdString(found.error().message));
        } else {
            for (const document::Difference& difference : *found) {
                places.append(QString::fromStdString(difference.place));
            }
        }
        return places;
    }

    ExportedReport m_exported;
    std::string m_json;
};

EPSILENS_UI_TEST(ExportedReportTest)
#include "exported_report_test.moc"
