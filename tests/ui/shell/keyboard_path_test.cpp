#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QKeySequence>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>

#include "tests/ui/shell/whole_window.h"
#include "ui/live/live_panel.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::kPatienceMs;

namespace {

constexpr int kLookMs = 5;
constexpr int kMostTabs = 60;

/// A key as the user presses it: it goes to whatever has the focus.
void press(int key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWidget* focused = QApplication::focusWidget();
    QTest::keyClick(focused != nullptr ? focused : QApplication::activeWindow(),
                    static_cast<Qt::Key>(key), modifiers);
}

void typeOver(const QString& text) {
    press(Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(QApplication::focusWidget(), text);
}

/// Those with a letter after & that an earlier one has, or that is none of A to Z.
QStringList unfitLetters(const QStringList& texts) {
    QStringList unfit;
    QList<int> letters;
    for (const QString& text : texts) {
        const QKeySequence letter = QKeySequence::mnemonic(text);
        if (letter.isEmpty()) {
            continue;
        }
        const int key = letter[0].key();
        if (key < Qt::Key_A || key > Qt::Key_Z || letters.contains(key)) {
            unfit.append(text);
        }
        letters.append(key);
    }
    return unfit;
}

/// Types a path into the file dialog that the next key opens. The dialog handles events itself, so
/// the keys come from a timer.
class DialogTypist {
public:
    explicit DialogTypist(QString path) : m_path(std::move(path)) {
        QObject::connect(&m_timer, &QTimer::timeout, &m_timer, [this] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (dialog != nullptr && dialog->isAncestorOf(QApplication::focusWidget())) {
                m_timer.stop();
                typeOver(m_path);
                press(Qt::Key_Return);
            }
        });
        m_timer.start(kLookMs);
    }
    [[nodiscard]] bool hasTyped() const { return !m_timer.isActive(); }

private:
    QString m_path;
    QTimer m_timer;
};

/// Presses Tab until the control of that name has the focus.
bool tabTo(const char* objectName) {
    QStringList visited;
    for (int i = 0; i < kMostTabs; ++i) {
        if (QApplication::focusWidget() != nullptr &&
            QApplication::focusWidget()->objectName() == QLatin1String(objectName)) {
            return true;
        }
        visited.append(QApplication::focusWidget() != nullptr
                           ? QApplication::focusWidget()->objectName()
                           : QString());
        press(Qt::Key_Tab);
    }
    qWarning("Tab went to %s", qPrintable(visited.join(QLatin1Char(' '))));
    return false;
}

}  // namespace

/// From opening a file to an exported report with key events alone.
class KeyboardPathTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        prepare();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanupTestCase() { clean(); }

    void controlOAndAPathOpenAFile() {
        QVERIFY(answerDialogOf(Qt::Key_O, m_vectors));
        QTRY_VERIFY_WITH_TIMEOUT(state().embedding() != nullptr, kPatienceMs);
        QCOMPARE(state().embedding()->wordCount(), 40);
    }

    void aSentenceIsTyped() {
        press(Qt::Key_L, Qt::ControlModifier);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("sentenceEdit"));
        typeOver(QStringLiteral("w3 w7"));
        const auto& model = find<live::LivePanel>("livePanel").model();
        QTRY_VERIFY_WITH_TIMEOUT(model.words().size() == 2 && !model.isBehind(), kPatienceMs);
        // Tab leaves the text.
        press(Qt::Key_Tab);
        QVERIFY(QApplication::focusWidget()->objectName() != QStringLiteral("sentenceEdit"));
    }

    void epsilonAndLambdaAreTyped() {
        press(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
        typeOver(QStringLiteral("3.5"));
        press(Qt::Key_Return);
        QCOMPARE(state().epsilon(), 3.5);
        press(Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        typeOver(QStringLiteral("0.25"));
        press(Qt::Key_Return);
        QCOMPARE(state().lambda(), 0.25);
    }

    void theDialFollowsTheBarAboveIt() {
        QVERIFY(tabTo("detailsButton"));
        press(Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("tabBar"));
        press(Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("epsilonSlider"));
    }

    /// Whatever the height of the dial: they stay under the pointer.
    void theTabsStayAtOnePlace() {
        QTabBar* bar = &m_window->tabBar();
        QCOMPARE(bar->count(), tabs().count());
        const QPoint place = bar->mapTo(m_window.get(), QPoint());
        for (int tab = 0; tab < bar->count(); ++tab) {
            QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(tab).center());
            QCoreApplication::processEvents();
            QCOMPARE(tabs().currentIndex(), tab);
            QCOMPARE(bar->mapTo(m_window.get(), QPoint()), place);
        }
        tabs().setCurrentIndex(0);
        QCOMPARE(bar->currentIndex(), 0);
    }

    void theDetailsTakeTheFocusAndGiveItBack() {
        auto* details = &find<QDockWidget>("setupDock");
        press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(details->isVisible());
        QVERIFY(details->isAncestorOf(QApplication::focusWidget()));
        press(Qt::Key_D, Qt::ControlModifier | Qt::ShiftModifier);
        QVERIFY(!details->isVisible());
        QCOMPARE(QApplication::focusWidget()->objectName(), QStringLiteral("detailsButton"));
    }

    void aLimitIsFilledInAndChangedInTheSetUp() {
        QVERIFY(tabTo("firstLimitField"));
        typeOver(QStringLiteral("60"));
        press(Qt::Key_Return);
        QCOMPARE(state().limits().size(), std::size_t{1});
        QVERIFY(tabTo("detailsButton"));
        press(Qt::Key_Space);
        QVERIFY(find<QDockWidget>("setupDock").isAncestorOf(QApplication::focusWidget()));
        QVERIFY(tabTo("limitsToggleButton"));
        press(Qt::Key_Space);
        QVERIFY(tabTo("limitsLineEdit"));
        typeOver(QStringLiteral("nw.p95<=40%"));
        press(Qt::Key_Return);
        QCOMPARE(state().limits().front().value, 40.0);
    }

    void f5Calibrates() {
        press(Qt::Key_F5);
        QTRY_VERIFY_WITH_TIMEOUT(curves().result() != nullptr, kPatienceMs);
        QCOMPARE(tabs().currentIndex(), 4);
    }

    void everyTabHasAKeyAndTakesTheFocus() {
        for (int tab = 0; tab < tabs().count(); ++tab) {
            press(Qt::Key_1 + tab, Qt::ControlModifier);
            QCOMPARE(tabs().currentIndex(), tab);
            QVERIFY(tabs().currentWidget()->isAncestorOf(QApplication::focusWidget()));
        }
    }

    void theReportIsFilledInAndExported() {
        auto* author = &find<QLineEdit>("reportAuthorLineEdit");
        press(Qt::Key_4, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(author->isVisible(), kPatienceMs);
        press(Qt::Key_4, Qt::ControlModifier);
        QVERIFY(tabTo("reportAuthorLineEdit"));
        typeOver(QStringLiteral("A. Analyst"));
        QVERIFY(answerDialogOf(Qt::Key_E, path("report.html")));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path("report.html")), kPatienceMs);
        const QByteArray text = test::contentOf(path("report.html"));
        QVERIFY(text.contains("A. Analyst"));
        QVERIFY(text.contains("small.txt"));
    }

    /// Alt and a letter, which every keyboard has, lead to one entry of a menu only.
    void lettersOfMenusAreTheirOwn() {
        const auto menus = m_window->menuBar()->findChildren<QMenu*>(Qt::FindDirectChildrenOnly);
        QVERIFY(menus.size() >= 5);
        for (const QMenu* menu : menus) {
            QStringList texts;
            for (const QAction* action : menu->actions()) {
                texts.append(action->text());
            }
            QCOMPARE(unfitLetters(texts), QStringList());
        }
    }

    /// And to one control of the window, whatever tab is in front.
    void lettersOfControlsAreTheirOwn() {
        for (QDockWidget* pane : m_window->findChildren<QDockWidget*>()) {
            pane->show();
        }
        QStringList unfit;
        for (int tab = 0; tab < tabs().count(); ++tab) {
            tabs().setCurrentIndex(tab);
            QStringList texts;
            for (const QAction* action : m_window->menuBar()->actions()) {
                texts.append(action->text());
            }
            for (const QLabel* label : m_window->findChildren<QLabel*>()) {
                if (label->isVisible() && label->buddy() != nullptr) {
                    texts.append(label->text());
                }
            }
            for (const QAbstractButton* button : m_window->findChildren<QAbstractButton*>()) {
                if (button->isVisible()) {
                    texts.append(button->text());
                }
            }
            for (const QString& text : unfitLetters(texts)) {
                unfit.append(tabs().tabText(tab) + QStringLiteral(": ") + text);
            }
        }
        QVERIFY2(unfit.isEmpty(), qPrintable(unfit.join(QLatin1Char('\n'))));
    }

private:
    /// Presses Ctrl and a key that opens a file dialog, and types the path there.
    [[nodiscard]] bool answerDialogOf(int key, const QString& path) {
        const DialogTypist typist(path);
        press(key, Qt::ControlModifier);
        // What a window manager does when a dialog closes.
        m_window->activateWindow();
        return typist.hasTyped() && QTest::qWaitForWindowActive(m_window.get());
    }
    [[nodiscard]] QTabWidget& tabs() const { return m_window->tabs(); }
};

EPSILENS_UI_TEST(KeyboardPathTest)
#include "keyboard_path_test.moc"
