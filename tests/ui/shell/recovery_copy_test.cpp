#include "ui/shell/recovery_copy.h"

#include <atomic>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSemaphore>
#include <QThread>

#include "core/document/session_file.h"
#include "tests/ui/support/ui_test.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

namespace {

constexpr int kDelayMs = 20;

std::optional<document::Session> someSession() {
    document::Session session;
    session.current.epsilon = 3.5;
    return session;
}

}  // namespace

class RecoveryCopyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() {
        remembered::setNothing(false);
        QDir(QFileInfo(RecoveryCopy::path()).absolutePath()).removeRecursively();
    }

    void isWrittenWhenChangesRestAndGoesInTheEnd() {
        {
            RecoveryCopy copy(someSession);
            copy.setDelay(kDelayMs);
            test::letPass(3 * kDelayMs);
            QVERIFY(!QFile::exists(RecoveryCopy::path()));
            copy.noteChange();
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(RecoveryCopy::path()), kPatienceMs);
            const auto kept = document::openSession(toStdPath(RecoveryCopy::path()));
            QVERIFY(kept.has_value());
            QCOMPARE(kept->current.epsilon, 3.5);
            QVERIFY(RecoveryCopy::isCopy(RecoveryCopy::path()));
        }
        QVERIFY(!QFile::exists(RecoveryCopy::path()));
    }

    /// The disk may take its time; the window goes on, and what is late does not stay behind.
    void theWindowDoesNotWaitForTheDisk() {
        QSemaphore begun;
        QSemaphore mayEnd;
        std::atomic<bool> isElsewhere = false;
        const auto slow = [&](const QString& path, const document::Session& session) {
            isElsewhere = QThread::currentThread() != QCoreApplication::instance()->thread();
            begun.release();
            mayEnd.acquire();
            QThread::msleep(100);
            return document::saveSession(toStdPath(path), session);
        };
        {
            RecoveryCopy copy(someSession, slow);
            copy.setDelay(kDelayMs);
            mayEnd.release();
            copy.noteChange();
            QTRY_COMPARE_WITH_TIMEOUT(begun.available(), 1, kPatienceMs);
            QVERIFY(isElsewhere);
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(RecoveryCopy::path()), kPatienceMs);
            copy.noteChange();
            QTRY_COMPARE_WITH_TIMEOUT(begun.available(), 2, kPatienceMs);
            QVERIFY(QFile::remove(RecoveryCopy::path()));
            mayEnd.release();
            // Leaves while the second copy is being written.
        }
        QVERIFY(!QFile::exists(RecoveryCopy::path()));
        test::letJobsEnd();
        QVERIFY(!QFile::exists(RecoveryCopy::path()));
    }

    void nothingIsKeptWhereNothingIsToBe() {
        RecoveryCopy empty([]() -> std::optional<document::Session> { return std::nullopt; });
        empty.setDelay(kDelayMs);
        empty.noteChange();
        RecoveryCopy copy(someSession);
        copy.setDelay(kDelayMs);
        copy.noteChange();
        remembered::setNothing(true);  // before the changes rest
        test::letPass(10 * kDelayMs);
        QVERIFY(!QFile::exists(RecoveryCopy::path()));
    }
};

EPSILENS_UI_TEST(RecoveryCopyTest)
#include "recovery_copy_test.moc"
