#include "ui/shell/command_line.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include "core/calibration/calibrate.h"
#include "core/embedding/load.h"
#include "core/engine/search_space.h"
#include "tests/ui/support/ui_test.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;
using calibration::CalibrationOptions;
using calibration::WordSelection;
using test::kPatienceMs;

Q_DECLARE_METATYPE(epsilens::calibration::CalibrationOptions)

namespace {

struct Answer {
    int exitCode = -1;
    QByteArray output;
    QByteArray errors;
};

/// What a shell makes of the text.
Answer inShell(const QString& text) {
    QProcess shell;
    shell.start(QStringLiteral("/bin/sh"), {QStringLiteral("-c"), text});
    if (!shell.waitForFinished(kPatienceMs)) {
        shell.kill();
        return {};
    }
    return {shell.exitCode(), shell.readAllStandardOutput(), shell.readAllStandardError()};
}

constexpr std::size_t kRows = 1000;

CalibrationOptions smallRun(const mechanism::Mechanism& mechanism) {
    CalibrationOptions options;
    options.grid.mechanism = mechanism;
    options.grid.epsilons = {2.5, 13.0};
    options.words.count = 12;
    options.draws = 11;
    options.seed = 5;
    options.nearNeighbours = 7;
    return options;
}

}  // namespace

class CommandLineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aShellReadsTheArgumentsAsTheyAre() {
        const QStringList arguments{QStringLiteral("plain"), QStringLiteral("a b"),
                                    QStringLiteral("it's $HOME `x`; \"y\" \\ *"),
                                    QStringLiteral("ε=1"), QString()};
        CommandLine command;
        command.arguments =
            QStringList{QStringLiteral("printf"), QStringLiteral("<%s>")} + arguments;
        QString expected;
        for (const QString& argument : arguments) {
            expected += QLatin1Char('<') + argument + QLatin1Char('>');
        }
        QCOMPARE(QString::fromUtf8(inShell(command.text()).output), expected);
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void theProgramGivesTheNumbersOfTheWindow_data() {
        QTest::addColumn<QString>("source");
        QTest::addColumn<CalibrationOptions>("options");
        QTest::newRow("laplace") << QStringLiteral("sample") << smallRun(mechanism::Laplace());
        CalibrationOptions options = smallRun(mechanism::Mahalanobis());
        options.grid.lambdas = {0.0, 0.3};
        QTest::newRow("mahalanobis") << QStringLiteral("sample") << options;
        options = smallRun(mechanism::Tem{metric::Metric::mahalanobis});
        options.grid.lambdas = {0.25};
        options.grid.gammas = {1.5, 3.0};
        QTest::newRow("tem with radii") << QStringLiteral("sample") << options;
        options = smallRun(mechanism::Tem{metric::Metric::angular});
        options.grid.betas = {0.01};
        QTest::newRow("tem with an error probability") << QStringLiteral("sample") << options;
        options = smallRun(mechanism::Hyperbolic{mechanism::RadialLaw::eq7});
        options.grid.epsilons = {12.0};
        QTest::newRow("hyperbolic") << QStringLiteral("sample-poincare") << options;
    }

    /// The numbers come from the core with the very options that the text was made from.
    void theProgramGivesTheNumbersOfTheWindow() {
        QFETCH(QString, source);
        QFETCH(CalibrationOptions, options);
        CommandLine command = calibrateCommand(options, {source, kRows, {}});
        command.arguments.first() = QStringLiteral(EPSILENS_CLI);
        command.arguments << QStringLiteral("--format") << QStringLiteral("json");
        const Answer answer = inShell(command.text());
        QVERIFY2(answer.exitCode == 0, answer.errors.constData());

        embedding::LoadOptions load;
        load.path = toStd(source);
        load.limitRows = kRows;
        const auto prepared = embedding::openAndPrepare(load);
        QVERIFY(prepared.has_value());
        const auto expected = calibration::calibrate(engine::SearchSpace(*prepared), options);
        QVERIFY2(expected.has_value(), expected ? "" : expected.error().message.c_str());
        const QJsonObject found = QJsonDocument::fromJson(answer.output).object();
        const QJsonArray cells = found[QStringLiteral("cells")].toArray();
        QCOMPARE(cells.size(), static_cast<qsizetype>(expected->cells.size()));
        for (qsizetype i = 0; i < cells.size(); ++i) {
            const QJsonObject cell = cells[i].toObject();
            const calibration::Cell& wanted = expected->cells[static_cast<std::size_t>(i)];
            QCOMPARE(cell[QStringLiteral("epsilon")].toDouble(), wanted.epsilon);
            QCOMPARE(cell[QStringLiteral("gamma")].toDouble(), wanted.gamma.value_or(0.0));
            QCOMPARE(cell[QStringLiteral("nw")].toObject()[QStringLiteral("mean")].toDouble(),
                     wanted.nw.mean);
            QCOMPARE(cell[QStringLiteral("sw")].toObject()[QStringLiteral("mean")].toDouble(),
                     wanted.sw.mean);
            QCOMPARE(cell[QStringLiteral("near")].toDouble(), wanted.near);
        }
    }

    void whatHasNoOptionIsSaid() {
        CalibrationOptions options = smallRun(mechanism::Laplace());
        options.words.kind = WordSelection::Kind::list;
        options.words.rows = {1, 2};
        const CommandLine command = calibrateCommand(options, {QStringLiteral("-v.txt"), 0, {}});
        QVERIFY(command.text().contains(QStringLiteral(" ./-v.txt ")));
        QVERIFY(command.text().contains(QStringLiteral("--words @words.txt")));
        QVERIFY(!command.text().contains(QStringLiteral("--lambda")));
        QVERIFY(!command.remark.isEmpty());
        const auto named = [&](const calibration::SelectionDescription& selection) {
            return calibrateCommand(options, {QStringLiteral("v.txt"), 0, selection});
        };
        const CommandLine sparsest = named({"sparsest:50", {}, {}, 0});
        QVERIFY(sparsest.text().contains(QStringLiteral("--words sparsest:50 ")));
        QVERIFY(sparsest.remark.isEmpty());
        const CommandLine list = named({"@my words.txt", {}, {}, 0});
        QVERIFY(list.text().contains(QStringLiteral("--words '@my words.txt' ")));
        QVERIFY(list.remark.contains(QStringLiteral("my words.txt")));
        const CommandLine data = named({"500", "texts.csv", "text", 7});
        QVERIFY(
            data.text().contains(QStringLiteral("--words 500 --data texts.csv --column text ")));
        QVERIFY(data.remark.contains(QStringLiteral("texts.csv")));
        const CommandLine lower = named(
            {"500", "-texts.csv", {}, 7, io::RecordFormat::automatic, text::CasePolicy::lower});
        QVERIFY(
            lower.text().contains(QStringLiteral("--words 500 --data ./-texts.csv --case lower ")));
        options.words.kind = WordSelection::Kind::all;
        QVERIFY(calibrateCommand(options, {}).text().contains(QStringLiteral("--words all")));
    }
};

EPSILENS_UI_TEST(CommandLineTest)
#include "command_line_test.moc"
