#include "tests/ui/support/ui_test.h"

#include <clocale>
#include <cstdlib>
#include <vector>

#include "ui/state/job_runner.h"
#include "ui/widgets/rest_timer.h"
#include "ui/widgets/theme.h"

namespace epsilens::test {

namespace {

struct Entry {
    QString folder;
    QString name;
    std::function<std::unique_ptr<QObject>()> make;
};

std::vector<Entry>& entries() {
    static std::vector<Entry> instance;
    return instance;
}

}  // namespace

UiTestRegistration::UiTestRegistration(const char* sourceFile,
                                       std::function<std::unique_ptr<QObject>()> make) {
    const QFileInfo file(QString::fromUtf8(sourceFile));
    entries().push_back({file.dir().dirName(), file.baseName(), std::move(make)});
}

bool handleEventsUntil(const std::function<bool()>& condition, int patienceMs) {
    // Conditions that another thread makes true bring no event of their own.
    constexpr int kLookAgainMs = 5;
    QTimer alarm;
    alarm.start(kLookAgainMs);
    const QDeadlineTimer end(patienceMs);
    while (!condition() && !end.hasExpired()) {
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
    return condition();
}

void letPass(int milliseconds) {
    bool isOver = false;
    QTimer alarm;
    alarm.setTimerType(Qt::PreciseTimer);
    alarm.callOnTimeout([&isOver] { isOver = true; });
    alarm.start(milliseconds);
    handleEventsUntil([&isOver] { return isOver; });
}

void letJobsEnd() {
    QVERIFY(ui::jobPool()->waitForDone(kPatienceMs));
    letPass(1);
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        QTest::qFail(qPrintable(QString("cannot read %1").arg(path)), __FILE__, __LINE__);
    }
    return file.readAll();
}

QString writeFile(const QString& path, const QByteArray& content) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) {
        QTest::qFail(qPrintable(QString("cannot write %1").arg(path)), __FILE__, __LINE__);
    }
    return path;
}

namespace {

bool shown(bool isAsExpected, const QString& text, const QString& words) {
    if (!isAsExpected) {
        qWarning("not “%s” in “%s”", qPrintable(words), qPrintable(text));
    }
    return isAsExpected;
}

}  // namespace

bool holds(const QString& text, const QString& words) {
    return shown(text.contains(words), text, words);
}
bool begins(const QString& text, const QString& words) {
    return shown(text.startsWith(words), text, words);
}
bool ends(const QString& text, const QString& words) {
    return shown(text.endsWith(words), text, words);
}

QString Driver::text(const char* name) const {
    for (const char* property : {"currentText", "plainText", "text"}) {
        if (const QVariant value = find(name).property(property); value.isValid()) {
            return value.toString();
        }
    }
    return {};
}

bool Driver::says(const char* name, const QString& words) const {
    handleEventsUntil([&] { return text(name).contains(words); });
    return holds(text(name), words);
}

void Driver::click(const char* name) const {
    if (auto* action = root().findChild<QAction*>(QLatin1String(name))) {
        action->trigger();
    } else {
        find<QAbstractButton>(name).click();
    }
}

void Driver::choose(const char* list, const QString& entry) const {
    find<QComboBox>(list).setCurrentText(entry);
}

QWidget& Driver::type(const char* field, const QString& text) const {
    auto& line = find(field);
    line.setFocus();
    QMetaObject::invokeMethod(&line, "selectAll");
    if (text.isEmpty()) {
        QTest::keyClick(&line, Qt::Key_Delete);
    }
    QTest::keyClicks(&line, text);
    return line;
}

void Driver::enter(const char* field, const QString& text) const {
    QTest::keyClick(&type(field, text), Qt::Key_Return);
}

}  // namespace epsilens::test

/// Runs the test classes of the folder, or the one, named by the first argument, all without one.
/// The rest goes to Qt Test.
int main(int argc, char* argv[]) {
    const QTemporaryDir settings;
    qputenv("XDG_CONFIG_HOME", settings.path().toLocal8Bit());
    qputenv("XDG_DATA_HOME", settings.path().toLocal8Bit());
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    const QApplication application(argc, argv);
    std::setlocale(LC_NUMERIC, "C");  // NOLINT(concurrency-mt-unsafe): no threads yet
    QApplication::setOrganizationName("epsilens-tests");
    QApplication::setApplicationName("epsilens-tests");
    constexpr int kHurry = 10;
    epsilens::ui::RestTimer::hurry(kHurry);
    epsilens::ui::applyTheme(epsilens::ui::ThemeChoice::light);
    QStringList arguments = QApplication::arguments();
    const QString wanted =
        arguments.size() > 1 && !arguments.at(1).startsWith('-') ? arguments.takeAt(1) : QString();
    int failures = 0;
    bool found = false;
    for (const auto& entry : epsilens::test::entries()) {
        if (wanted.isEmpty() || wanted == entry.folder || wanted == entry.name) {
            found = true;
            failures += QTest::qExec(entry.make().get(), arguments);
        }
    }
    return found && failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
