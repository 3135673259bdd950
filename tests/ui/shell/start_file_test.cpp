#include <nlohmann/json.hpp>

#include "core/document/calibration_document.h"
#include "tests/ui/shell/whole_window.h"

using namespace epsilens;
using namespace epsilens::ui;
using nlohmann::ordered_json;
using test::kPatienceMs;

namespace {

/// The cells that the command line computes anew from a session's settings.
ordered_json recalculated(const QString& session) {
    QProcess program;
    program.start(QString(EPSILENS_CLI), {"calibrate", "--session", session, "--format", "json"});
    program.waitForFinished(kPatienceMs);
    return ordered_json::parse(program.readAllStandardOutput().toStdString(), nullptr,
                               false)["cells"];
}

/// The program of the window with settings of its own. Nobody sees it: it is asked for what it
/// remembers as opened.
class StartedProgram {
public:
    StartedProgram(const QString& folder, const QString& file) {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}) {
            environment.insert(variable, m_home.path());
        }
        environment.insert("QT_QPA_PLATFORM", "offscreen");
        m_process.setProcessEnvironment(environment);
        m_process.setWorkingDirectory(folder);
        m_process.start(QString(EPSILENS_WINDOW), {file});
    }

    [[nodiscard]] QStringList opened() const {
        return QSettings(m_home.filePath("epsilens/epsilens.conf"), QSettings::IniFormat)
            .value("files/recent")
            .toStringList();
    }
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
class StartFileTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_before = QDir::currentPath();
        prepare();
        QVERIFY(QDir::setCurrent(m_folder->path()));
    }
    void cleanup() {
        clean();
        QVERIFY(QDir::setCurrent(m_before));
    }

    void atTheStartTheMechanismIsTheOneThatPromisesMost() {
        m_window->activateWindow();
        m_window->openAtStart({"epsilens"});
        QTRY_VERIFY(state().embedding() != nullptr);
        QCOMPARE(state().mechanism().name(), mechanism::Tem::kName);
        QVERIFY(!m_window->history().stack().canUndo());
        QTRY_COMPARE(focused(), "sentenceEdit");
    }

    void aFileIsFoundFromWhereTheProgramWasStarted() {
        const auto fileAt = [](const QStringList& arguments) {
            return MainWindow::startFile(QStringList{"epsilens"} + arguments);
        };
        QCOMPARE(fileAt({}), "sample");
        QCOMPARE(fileAt({"sample-poincare"}), "sample-poincare");
        QCOMPARE(fileAt({"v.txt"}), path("v.txt"));
        QCOMPARE(fileAt({"/data/v.txt"}), "/data/v.txt");
        // A file is meant rather than the sample of its name.
        (void)write("sample", test::vectors(1));
        QCOMPARE(fileAt({"sample"}), path("sample"));
        QCOMPARE(fileAt({}), "sample");
    }

    void aSessionIsOpenedByTheProgram() {
        load();
        set([](AnalysisSettings& settings) {
            settings.seed = 9;
            settings.draws = 12;
            settings.grid.epsilons = {2, 6};
            settings.grid.lambdas = {0, 0.5};
        });
        run();
        saveTo("work.epsilens");
        const auto shown = document::calibrationDocument(*report().draft().run())["cells"];
        QCOMPARE(shown.size(), 4);
        const auto differences = ordered_json::diff(shown, recalculated(path("work.epsilens")));
        QVERIFY2(differences.empty(), differences.dump().c_str());
        StartedProgram program(m_folder->path(), "work.epsilens");
        QTRY_COMPARE(program.opened().value(0), path("work.epsilens"));
        // The embedding of the session, not the sample.
        QVERIFY(program.opened().contains(m_vectors));
        QVERIFY(program.end());
    }

    void startsInAnyFolder_data() {
        QTest::addColumn<bool>("isRoot");
        QTest::newRow("the root") << true;
        QTest::newRow("a read-only folder") << false;
    }
    void startsInAnyFolder() {
        QFETCH(const bool, isRoot);
        const QString from = isRoot ? QDir::rootPath() : path("read-only");
        QVERIFY(QDir().mkpath(from));
        QVERIFY(isRoot ||
                QFile::setPermissions(from, QFileDevice::ReadOwner | QFileDevice::ExeOwner));
        StartedProgram program(from, QDir(from).relativeFilePath(m_vectors));
        QTRY_COMPARE(program.opened().value(0), m_vectors);
        QVERIFY(program.end());
        QVERIFY(QDir::setCurrent(from));
        open("sample");
        QCOMPARE(state().embedding()->embedding.name, "sample");
    }

private:
    QString m_before;
};

EPSILENS_UI_TEST(StartFileTest)
#include "start_file_test.moc"
