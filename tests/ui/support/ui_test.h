#pragma once

#include <algorithm>
#include <functional>
#include <memory>

#include <QSignalSpy>
#include <QTest>
#include <QtWidgets>

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
        QTest::qFail(qPrintable(QString("no control %1").arg(QLatin1String(objectName))), __FILE__,
                     __LINE__);
    }
    return found;
}

/// Handles events until the condition holds, or the patience is over, and says whether it does.
/// Sleeps until the next event, so that an answer is seen when it comes.
bool handleEventsUntil(const std::function<bool()>& condition, int patienceMs = kPatienceMs);

/// Handles events until every timer that is due within so many milliseconds has fired: however busy
/// the machine is, timers fire in the order of their times.
void letPass(int milliseconds);

/// Lets every job come to its end, and takes its answer.
void letJobsEnd();

/// Bytes of a file. Fails the test when it cannot be read.
[[nodiscard]] QByteArray contentOf(const QString& path);

/// Writes a file; returns its path. Fails the test when it cannot be written.
QString writeFile(const QString& path, const QByteArray& content);

/// Whether a text has these words, somewhere, at its beginning or at its end; shows it if not.
[[nodiscard]] bool holds(const QString& text, const QString& words);
[[nodiscard]] bool begins(const QString& text, const QString& words);
[[nodiscard]] bool ends(const QString& text, const QString& words);

/// Somebody at a window, at a dialog or at a part of one, who finds its controls by their names.
class Driver {
public:
    Driver() = default;
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;
    virtual ~Driver() = default;

    template <typename T = QWidget>
    [[nodiscard]] T& find(const char* name) const {
        return *findControl<T>(root(), name);
    }
    /// What a label, a button, a field or a list shows.
    [[nodiscard]] QString text(const char* name) const;
    /// Whether it shows these words, now or once what goes on has ended.
    [[nodiscard]] bool says(const char* name, const QString& words) const;
    [[nodiscard]] bool isShown(const char* name) const { return find(name).isVisible(); }
    [[nodiscard]] bool isEnabled(const char* name) const { return find(name).isEnabled(); }
    /// A button, or an action of a menu.
    void click(const char* name) const;
    void choose(const char* list, const QString& entry) const;
    /// Types over what is in a field, which keeps the focus.
    QWidget& type(const char* field, const QString& text) const;
    /// The same with Return behind it.
    void enter(const char* field, const QString& text) const;

protected:
    [[nodiscard]] virtual const QObject& root() const = 0;
};

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
