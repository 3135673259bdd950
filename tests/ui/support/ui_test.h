#pragma once

#include <algorithm>
#include <functional>
#include <memory>

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QTest>

namespace epsilens::test {

/// How long an answer may take on a machine that is busy; a test that passes waits far less.
inline constexpr int kPatienceMs = 30'000;

/// Makes a test class known to the program; its name is that of its source file without ending.
class UiTestRegistration {
public:
    UiTestRegistration(const char* sourceFile, std::function<std::unique_ptr<QObject>()> make);
};

/// The child of that type and object name; fails the test by a null dereference only after saying
/// so.
template <typename T>
T* findControl(const QObject& root, const char* objectName) {
    auto* found = root.findChild<T*>(QLatin1String(objectName));
    if (found == nullptr) {
        QTest::qFail(qPrintable(QStringLiteral("no control %1").arg(QLatin1String(objectName))),
                     __FILE__, __LINE__);
    }
    return found;
}

/// Handles events until the condition holds, or the patience is over. Sleeps until the next event,
/// so that an answer is seen when it comes.
void handleEventsUntil(const std::function<bool()>& condition, int patienceMs);

/// Handles events until every timer that is due within so many milliseconds has fired: however busy
/// the machine is, timers fire in the order of their times.
void letPass(int milliseconds);

/// Lets every job come to its end, and takes its answer.
void letJobsEnd();

/// Bytes of a file. Fails the test when it cannot be read.
[[nodiscard]] QByteArray contentOf(const QString& path);

}  // namespace epsilens::test

// Qt's own loop looks every 50 ms only, which adds up over hundreds of waits; and 5 s, which Qt
// waits unless told otherwise, can be too little on a busy machine.
#undef QTRY_IMPL
#define QTRY_IMPL(expr, timeout)                                               \
    epsilens::test::handleEventsUntil([&] { return static_cast<bool>(expr); }, \
                                      std::max(timeout, epsilens::test::kPatienceMs));

// The registration object is named after the class, which makes a second one of that name an error.
#define EPSILENS_UI_TEST(TestClass)                                         \
    static const epsilens::test::UiTestRegistration kRegistered##TestClass( \
        __FILE__, [] { return std::make_unique<TestClass>(); });
