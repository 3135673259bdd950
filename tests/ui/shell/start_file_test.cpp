#include "ui/shell/start_file.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>

#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
#include "ui/report/report_panel.h"
#include "ui/shell/main_window.h"
#include "ui/shell/window_factory.h"
#include "ui/widgets/dialogs.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kPatienceMs;

namespace {

constexpr int kWords = 40;

bool writeText(const QString& path, const QByteArray& text) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

/// Words "w0", "w1", … of 4 dimensions.
QByteArray glove() {
    QByteArray text;
    for (int row = 0; row < kWords; ++row) {
        text += "w" + QByteArray::number(row);
        for (int column = 0; column < 4; ++column) {
            text += ' ' + QByteArray::number((row * (7 + column) + column * row) % 23 - 11);
        }
        text += '\n';
    }
    return text;
}

/// The cells that the command line computes anew from a session's settings.
QJsonArray recalculated(const QString& session) {
    QProcess program;
    program.start(QStringLiteral(EPSILENS_CLI),
                  {QStringLiteral("calibrate"), QStringLiteral("--session"), session,
                   QStringLiteral("--format"), QStringLiteral("json")});
    if (!program.waitForFinished(kPatienceMs)) {
        program.kill();
    }
    return QJsonDocument::fromJson(program.readAllStandardOutput())
        .object()[QStringLiteral("cells")]
        .toArray();
}

/// The program of the window with settings of its own. Nobody sees it: it is asked for what it
/// remembers as opened.
class StartedProgram {
public:
    StartedProgram(const QString& folder, const QString& file) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}) {
            environment.insert(QLatin1String(variable), m_home.path());
        }
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        m_process.setProcessEnvironment(environment);
        m_process.setWorkingDirectory(folder);
        m_process.start(QStringLiteral(EPSILENS_WINDOW), {file});
    }

    [[nodiscard]] QStringList opened() const {
        return QSettings(m_home.filePath(QStringLiteral("epsilens/epsilens.conf")),
                         QSettings::IniFormat)
            .value(QStringLiteral("files/recent"))
            .toStringList();
    }
    [[nodiscard]] QString lastOpened() const { return opened().value(0); }
    /// Returns whether it ended when it was asked to.
    [[nodiscard]] bool end() {
        m_process.terminate();
        return m_process.waitForFinished(kPatienceMs);
    }

private:
    QTemporaryDir m_home;
    QProcess m_process;
};

}  // namespace

/// What stands behind the program's name when it is started.
class StartFileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_before = QDir::currentPath();
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir::setCurrent(m_folder->path()));
    }
    void cleanup() {
        m_window.reset();
        QVERIFY(QDir::setCurrent(m_before));
    }

    void withoutAFileItIsTheSample() {
        QCOMPARE(fileAt({}), QStringLiteral("sample"));
        QCOMPARE(fileAt({QStringLiteral("sample-poincare")}), QStringLiteral("sample-poincare"));
    }

    void atTheStartTheMechanismIsTheOneThatPromisesMost() {
        m_window = createWindow();
        m_window->show();
        m_window->activateWindow();
        openStartFile(*m_window, {QStringLiteral("epsilens")});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
        QCOMPARE(m_window->state().mechanism().name(), mechanism::Tem::kName);
        QVERIFY(!m_window->history().stack().canUndo());
        QTRY_COMPARE(m_window->focusWidget()->objectName(), QStringLiteral("sentenceEdit"));
    }

    void aFileIsFoundFromWhereTheProgramWasStarted() {
        const QString here = QDir::currentPath();
        QCOMPARE(fileAt({QStringLiteral("v.txt")}), here + QStringLiteral("/v.txt"));
        QCOMPARE(fileAt({QStringLiteral("/data/v.txt")}), QStringLiteral("/data/v.txt"));
        // A file is meant rather than the sample of its name.
        QVERIFY(writeText(QStringLiteral("sample"), glove()));
        QCOMPARE(fileAt({QStringLiteral("sample")}), here + QStringLiteral("/sample"));
        QCOMPARE(fileAt({}), QStringLiteral("sample"));
    }

    void aSessionOpensWithVectorsSettingsAndResults() {
        saveSession();
        openWindow({QStringLiteral("work.epsilens")});
        QTRY_VERIFY_WITH_TIMEOUT(report().draft().run() != nullptr, kPatienceMs);
        QCOMPARE(m_window->state().embedding()->wordCount(), kWords);
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("work.epsilens")));
        const AnalysisState& state = m_window->state();
        QCOMPARE(state.epsilon(), 3.5);
        QCOMPARE(state.lambda(), 0.75);
        QCOMPARE(state.draws(), 12);
        QCOMPARE(state.seed(), std::uint64_t{9});
        QCOMPARE(state.grid().epsilons, (std::vector<double>{2, 6}));
        QTRY_VERIFY_WITH_TIMEOUT(curves().result() != nullptr, kPatienceMs);
        const RunCurvesHandle& run = curves().result();
        const QJsonArray expected = recalculated(QStringLiteral("work.epsilens"));
        QCOMPARE(expected.size(), qsizetype{4});
        for (qsizetype i = 0; i < expected.size(); ++i) {
            const auto mean = [&](const char* statistic) {
                return expected[i][QLatin1String(statistic)][QLatin1String("mean")].toDouble();
            };
            const calibration::Cell& cell = run->summary().cells[static_cast<std::size_t>(i)];
            QCOMPARE(cell.epsilon, expected[i][QLatin1String("epsilon")].toDouble());
            QCOMPARE(cell.lambda, expected[i][QLatin1String("lambda")].toDouble());
            QCOMPARE(cell.nw.mean, mean("nw"));
            QCOMPARE(cell.sw.mean, mean("sw"));
        }
        QVERIFY(findControl<QLabel>(*m_window, "readingLabel")
                    ->text()
                    .startsWith(
                        QStringLiteral("There is no curve for λ 0.75, the value set; this is the "
                                       "nearest one. At ε 3.5, λ 0.5: N<sub>w</sub> ")));
    }

    /// What a program remembers as opened, since nobody sees its window.
    void theProgramOpensTheSessionItIsGiven() {
        saveSession();
        m_window.reset();
        StartedProgram program(m_folder->path(), QStringLiteral("work.epsilens"));
        QTRY_COMPARE_WITH_TIMEOUT(program.lastOpened(), absolute("work.epsilens"), kPatienceMs);
        // The embedding of the session, not the sample.
        QVERIFY(program.opened().contains(absolute("small.txt")));
        QVERIFY(program.end());
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void theProgramStartsFromAnyFolder_data() { addFolders(); }
    void theProgramStartsFromAnyFolder() {
        QFETCH(const bool, isRoot);
        const QString from = folderOf(isRoot);
        QVERIFY(writeText(QStringLiteral("small.txt"), glove()));
        const QString file = absolute("small.txt");
        StartedProgram program(from, QDir(from).relativeFilePath(file));
        QTRY_COMPARE_WITH_TIMEOUT(program.lastOpened(), file, kPatienceMs);
        QVERIFY(program.end());
    }

    // Qt Test finds the data by this name. NOLINTNEXTLINE(readability-identifier-naming)
    void theSampleOpensInAnyFolder_data() { addFolders(); }
    void theSampleOpensInAnyFolder() {
        QFETCH(const bool, isRoot);
        QVERIFY(QDir::setCurrent(folderOf(isRoot)));
        openWindow({});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
        QCOMPARE(m_window->state().embedding()->embedding.name, std::string("sample"));
    }

private:
    static void addFolders() {
        QTest::addColumn<bool>("isRoot");
        QTest::newRow("the root") << true;
        QTest::newRow("a read-only folder") << false;
    }
    /// The root, or a folder in which nobody may write.
    [[nodiscard]] QString folderOf(bool isRoot) const {
        if (isRoot) {
            return QDir::rootPath();
        }
        const QString folder = m_folder->filePath(QStringLiteral("read-only"));
        const bool made =
            QDir().mkpath(folder) &&
            QFile::setPermissions(folder, QFileDevice::ReadOwner | QFileDevice::ExeOwner);
        return made ? folder : QString();
    }
    static QString absolute(const char* name) {
        return QDir::current().filePath(QLatin1String(name));
    }
    static QString fileAt(const QStringList& arguments) {
        return startFile(QStringList{QStringLiteral("epsilens")} + arguments);
    }
    void openWindow(const QStringList& arguments) {
        m_window = createWindow();
        m_window->show();
        m_window->open(fileAt(arguments));
    }
    /// Saves work.epsilens with the results of two epsilons and two lambdas on small.txt.
    void saveSession() {
        QVERIFY(writeText(QStringLiteral("small.txt"), glove()));
        openWindow({QStringLiteral("small.txt")});
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
        // The range of epsilon, which is found next, sets epsilon.
        QTRY_COMPARE_WITH_TIMEOUT(m_window->jobs().runningCount(), 0, kPatienceMs);
        AnalysisState& state = m_window->state();
        state.edit(&AnalysisSettings::chooseEpsilon, 3.5);
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.75});
        state.edit(&AnalysisSettings::draws, 12);
        state.edit(&AnalysisSettings::seed, 9);
        state.edit([](AnalysisSettings& settings) {
            settings.grid.epsilons = {2, 6};
            settings.grid.lambdas = {0, 0.5};
        });
        curves().run();
        QTRY_VERIFY_WITH_TIMEOUT(report().draft().run() != nullptr, kPatienceMs);
        dialogs::presetSaveFile(QDir::current().filePath(QStringLiteral("work.epsilens")));
        findControl<QAction>(*m_window, "saveSessionAsAction")->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(
            QFile::exists(QStringLiteral("work.epsilens")) && !m_window->isWindowModified(),
            kPatienceMs);
    }
    [[nodiscard]] CurvesPanel& curves() const {
        return *findControl<CurvesPanel>(*m_window, "curvesPanel");
    }
    [[nodiscard]] ReportPanel& report() const {
        return *findControl<ReportPanel>(*m_window, "reportPanel");
    }

    QString m_before;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;
};

EPSILENS_UI_TEST(StartFileTest)
#include "start_file_test.moc"
