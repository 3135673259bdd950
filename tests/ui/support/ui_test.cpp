#include "tests/ui/support/ui_test.h"

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <QApplication>
#include <QDeadlineTimer>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QProcess>
#include <QTemporaryDir>
#include <QThread>
#include <QTimer>

#include "ui/state/job_runner.h"
#include "ui/widgets/rest_timer.h"
#include "ui/widgets/theme.h"

namespace epsilens::test {

namespace {

struct Entry {
    QString name;
    std::function<std::unique_ptr<QObject>()> make;
};

std::vector<Entry>& entries() {
    static std::vector<Entry> instance;
    return instance;
}

/// A test class in a process of its own.
struct Run {
    QString name;
    QProcess process;
    QElapsedTimer time;
};

std::unique_ptr<Run> startRun(const QString& name, const QStringList& arguments) {
    auto run = std::make_unique<Run>();
    run->name = name;
    run->time.start();
    run->process.setProcessChannelMode(QProcess::MergedChannels);
    run->process.start(QApplication::applicationFilePath(), QStringList(name) + arguments);
    return run;
}

/// Tells of a run that has ended, what it wrote only when it failed; returns whether it passed.
bool tellOf(Run& run) {
    // A program that did not start has an exit code of 0, too.
    const bool ended = run.process.error() == QProcess::UnknownError;
    const bool passed = ended && run.process.exitCode() == EXIT_SUCCESS;
    std::printf("%s %s, %.1f s\n", passed ? "passed" : "FAILED", qPrintable(run.name),
                static_cast<double>(run.time.elapsed()) / 1000.0);
    if (!passed) {
        std::printf("%s%s\n", run.process.readAll().constData(),
                    ended ? "" : qPrintable(run.process.errorString()));
    }
    std::fflush(stdout);
    return passed;
}

/// Runs every class in a process of its own, one for each processor at a time; returns how many
/// failed.
int runApart(const QStringList& arguments) {
    const auto atOnce = static_cast<std::size_t>(QThread::idealThreadCount());
    std::vector<std::unique_ptr<Run>> running;
    auto next = entries().begin();
    int failures = 0;
    while (next != entries().end() || !running.empty()) {
        while (next != entries().end() && running.size() < atOnce) {
            running.push_back(startRun((next++)->name, arguments));
        }
        const auto hasEnded = [](const auto& run) {
            return run->process.state() == QProcess::NotRunning;
        };
        handleEventsUntil([&] { return std::any_of(running.begin(), running.end(), hasEnded); },
                          kPatienceMs);
        std::erase_if(running, [&](const auto& run) {
            const bool ended = hasEnded(run);
            failures += ended && !tellOf(*run) ? 1 : 0;
            return ended;
        });
    }
    return failures;
}

}  // namespace

UiTestRegistration::UiTestRegistration(const char* sourceFile,
                                       std::function<std::unique_ptr<QObject>()> make) {
    entries().push_back({QFileInfo(QString::fromUtf8(sourceFile)).baseName(), std::move(make)});
}

void handleEventsUntil(const std::function<bool()>& condition, int patienceMs) {
    // Conditions that another thread makes true bring no event of their own.
    constexpr int kLookAgainMs = 5;
    QTimer alarm;
    alarm.start(kLookAgainMs);
    const QDeadlineTimer end(patienceMs);
    while (!condition() && !end.hasExpired()) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
}

void letPass(int milliseconds) {
    bool isOver = false;
    QTimer alarm;
    alarm.setTimerType(Qt::PreciseTimer);
    alarm.callOnTimeout([&isOver] { isOver = true; });
    alarm.start(milliseconds);
    handleEventsUntil([&isOver] { return isOver; }, kPatienceMs);
}

void letJobsEnd() {
    QVERIFY(ui::jobPool()->waitForDone(kPatienceMs));
    letPass(1);
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        QTest::qFail(qPrintable(QStringLiteral("cannot read %1").arg(path)), __FILE__, __LINE__);
    }
    return file.readAll();
}

}  // namespace epsilens::test

/// Runs the test class named by the first argument, all without one; "apart" stands for all, each
/// in a process of its own. The rest goes to Qt Test.
int main(int argc, char* argv[]) {
    const QTemporaryDir settings;
    qputenv("XDG_CONFIG_HOME", settings.path().toLocal8Bit());
    qputenv("XDG_DATA_HOME", settings.path().toLocal8Bit());
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C");  // NOLINT(concurrency-mt-unsafe): no threads yet
    QApplication::setOrganizationName(QStringLiteral("epsilens-tests"));
    QApplication::setApplicationName(QStringLiteral("epsilens-tests"));
    constexpr int kHurry = 10;
    epsilens::ui::RestTimer::hurry(kHurry);
    epsilens::ui::applyTheme(epsilens::ui::ThemeChoice::light);
    QStringList arguments = QApplication::arguments();
    const QString wanted = arguments.size() > 1 && !arguments.at(1).startsWith(QLatin1Char('-'))
                               ? arguments.takeAt(1)
                               : QString();
    if (wanted == QLatin1String("apart")) {
        return epsilens::test::runApart(arguments.mid(1)) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
    }
    int failures = 0;
    bool found = false;
    for (const auto& entry : epsilens::test::entries()) {
        if (wanted.isEmpty() || wanted == entry.name) {
            found = true;
            failures += QTest::qExec(entry.make().get(), arguments);
        }
    }
    return found && failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
