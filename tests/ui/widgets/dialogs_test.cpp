#include "ui/widgets/dialogs.h"

#include "tests/ui/support/ui_test.h"

using namespace epsilens;
using namespace epsilens::ui;

/// Names as they are typed, which the desktop's dialog hands over.
class DialogsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_filters = {"PDF (*.pdf)", "HTML (*.html *.htm)"};
    }

    void aNameWithoutEndingGetsOne() {
        QCOMPARE(saved("report"), path("report.pdf"));
        QCOMPARE(saved("report.HTML"), path("report.HTML"));
        QCOMPARE(saved("report.htm"), path("report.htm"));
        QCOMPARE(saved("2.5"), path("2.5.pdf"));
        dialogs::presetSaveFile(QString());
        QCOMPARE(dialogs::saveFile(nullptr, {}, {}, m_filters), QString());
    }

    void anyNameWillDoWhereAllFilesAreShown() {
        m_filters.append("All files (*)");
        QCOMPARE(saved("report"), path("report"));
    }

    void aFileThatTheDialogCouldNotAskAboutIsAskedAbout() {
        QFile there(path("report.pdf"));
        QVERIFY(there.open(QIODevice::WriteOnly));
        dialogs::presetAnswer(std::nullopt);
        QCOMPARE(saved("report"), QString());
        dialogs::presetAnswer(0);
        QCOMPARE(saved("report"), path("report.pdf"));
        // The dialog itself has asked.
        QCOMPARE(saved("report.pdf"), path("report.pdf"));
    }

    void everyAnswerHasAKeyOfItsOwn() {
        QStringList keys;
        QTimer::singleShot(0, this, [&keys] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            QVERIFY(box != nullptr);
            for (const QAbstractButton* button : box->buttons()) {
                keys.append(QKeySequence::mnemonic(button->text()).toString());
            }
            box->reject();
        });
        QVERIFY(!dialogs::ask(nullptr, "Epsilens", "Save?", {"&Save", "&Discard"}));
        keys.sort();
        QCOMPARE(keys, (QStringList{"Alt+C", "Alt+D", "Alt+S"}));
    }

    void textTypedAheadAnswersNothing() {
        const auto answerTo = [this](Qt::Key key, Qt::KeyboardModifiers modifiers) {
            bool stays = false;
            QTimer::singleShot(0, this, [&] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                QVERIFY(box != nullptr && QTest::qWaitForWindowActive(box));
                QTest::keyClicks(box->focusWidget(), "we end");
                stays = box->isVisible();
                QTest::keyClick(box->focusWidget(), key, modifiers);
                // A button that a key chooses is seen going down.
                if (!QTest::qWaitFor([box] { return !box->isVisible(); }, 2000)) {
                    box->reject();
                }
            });
            const auto answer =
                dialogs::ask(nullptr, "Epsilens", "Export?", {"&Wait", "&Export now"});
            return stays ? answer : std::optional(-1);
        };
        QCOMPARE(answerTo(Qt::Key_Return, {}), std::optional(0));
        QCOMPARE(answerTo(Qt::Key_E, Qt::AltModifier), std::optional(1));
        QCOMPARE(answerTo(Qt::Key_Escape, {}), std::nullopt);
    }

private:
    [[nodiscard]] QString path(const char* name) const { return m_folder->filePath(name); }
    [[nodiscard]] QString saved(const char* typed) const {
        dialogs::presetSaveFile(path(typed));
        return dialogs::saveFile(nullptr, "Save", {}, m_filters);
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    QStringList m_filters;
};

EPSILENS_UI_TEST(DialogsTest)
#include "dialogs_test.moc"
