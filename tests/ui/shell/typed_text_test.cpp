#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDirIterator>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProcess>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

#include "tests/ui/shell/whole_window.h"
#include "ui/curves/curves_panel.h"
#include "ui/plot/plot_widget.h"
#include "ui/release/release_dialog.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/field_problem.h"
#include "ui/widgets/remembered.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kAutosaveMs;
using test::kPatienceMs;

namespace {

/// What is typed into a field names it, whoever finds it. Letters only, so that nothing takes it
/// apart.
QString secretOf(const QString& field) {
    return QStringLiteral("Xylophon") + field;
}

/// The fields whose secrets a text holds, in whatever letter case.
QStringList secretsIn(const QByteArray& text) {
    static const QRegularExpression kSecret(QStringLiteral("xylophon(\\w*)"),
                                            QRegularExpression::CaseInsensitiveOption);
    QStringList fields;
    auto found = kSecret.globalMatch(QString::fromUtf8(text));
    while (found.hasNext()) {
        fields.append(found.next().captured(1));
    }
    fields.removeDuplicates();
    return fields;
}

/// The bytes of a file, and the text of a PDF behind them, where it is compressed.
QByteArray textOf(const QString& path) {
    QByteArray content = test::contentOf(path);
    if (path.endsWith(QStringLiteral(".pdf"))) {
        QProcess reader;
        reader.start(QStringLiteral("pdftotext"), {path, QStringLiteral("-")});
        const bool read = reader.waitForFinished() && reader.exitCode() == 0;
        content += read ? reader.readAllStandardOutput()
                        : secretOf(QStringLiteral("CannotBeRead")).toUtf8();
    }
    return content;
}

/// Files below a folder with the fields whose secrets they hold: "r.html reportAuthorLineEdit".
QStringList secretsBelow(const QString& folder) {
    QStringList found;
    QDirIterator files(folder, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        const QStringList fields = secretsIn(textOf(files.next()));
        for (const QString& field : fields) {
            found.append(files.fileName() + QLatin1Char(' ') + field);
        }
    }
    found.sort();
    return found;
}

/// As a comparison that fails shows it.
QString inOneLine(const QStringList& parts) {
    return parts.join(QStringLiteral(", "));
}

/// Where the test program has moved settings and data to.
QString ownFolder() {
    return QString::fromLocal8Bit(qgetenv("XDG_CONFIG_HOME"));
}

/// The texts of the report are there to be read by others.
bool isMeantToBeSaved(const QString& field) {
    return field.startsWith(QStringLiteral("report"));
}

}  // namespace

/// A session at the window in which every field is typed into and everything is saved and exported.
class TypedTextTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        prepare();
        m_inputs = std::make_unique<QTemporaryDir>();
        load();
    }
    void cleanup() { clean(); }

    void noFileAndNoCopyHoldsWhatWasTyped() {
        typeIntoEveryField();
        run();
        saveEverything();
        releaseAFile();
        QCOMPARE(inOneLine(secretsIn(copies())), QString());
        // The copy for recovery exists only while the window is open.
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(SessionFile::copyPath()), kPatienceMs);
        test::letPass(2 * kAutosaveMs);
        QCOMPARE(inOneLine(secretsBelow(ownFolder())), QString());

        state().edit(&AnalysisSettings::seed, 99);
        QTRY_VERIFY(m_window->isWindowModified());
        dialogs::presetAnswer(1);  // close without saving
        QVERIFY(m_window->close());
        m_window.reset();
        QSettings().sync();
        QVERIFY(QSettings().contains(QStringLiteral("window/geometry")));
        QCOMPARE(remembered::recentFiles().size(), 2);
        QCOMPARE(inOneLine(secretsBelow(ownFolder())), QString());
        QCOMPARE(inOneLine(secretsBelow(m_folder->path())), QString());
    }

    void theSentenceIsSavedOnlyWhereTheReportHoldsIt() {
        typeIntoSentence();
        run();
        saveTo("work.epsilens");
        exportTo("before.html");
        report().draft().setIncludesSentence(true);
        saveTo("work.epsilens");
        exportTo("r.html");
        test::letPass(2 * kAutosaveMs);  // the copy for recovery is written meanwhile
        QSettings().sync();
        QCOMPARE(inOneLine(secretsBelow(m_folder->path())),
                 QStringLiteral("r.html sentenceEdit, work.epsilens sentenceEdit"));
        QCOMPARE(inOneLine(secretsBelow(ownFolder())), QString());
        dialogs::presetAnswer(1);
        QVERIFY(m_window->close());
    }

    // Or a search that finds nothing would show nothing.
    void whatIsMeantToBeSavedIsFound() {
        auto* author = &find<QLineEdit>("reportAuthorLineEdit");
        QTest::keyClicks(author, secretOf(author->objectName()));
        QTest::keyClick(author, Qt::Key_Return);
        auto* purpose = &find<QPlainTextEdit>("reportPurposeEdit");
        QTest::keyClicks(purpose, secretOf(purpose->objectName()).toUpper());
        run();
        QTRY_VERIFY(!report().draft().settings().purpose.empty());
        exportTo("r.html");
        exportTo("r.pdf");
        saveTo("work.epsilens");
        QCOMPARE(inOneLine(secretsBelow(m_folder->path())),
                 QStringLiteral("r.html REPORTPURPOSEEDIT, r.html reportAuthorLineEdit, "
                                "r.pdf REPORTPURPOSEEDIT, r.pdf reportAuthorLineEdit, "
                                "work.epsilens REPORTPURPOSEEDIT, "
                                "work.epsilens reportAuthorLineEdit"));
        dialogs::presetAnswer(1);
        QVERIFY(m_window->close());
    }

private:
    [[nodiscard]] QString input(const char* name) const {
        return m_inputs->filePath(QLatin1String(name));
    }
    [[nodiscard]] QString output(const QString& name) const { return m_folder->filePath(name); }

    void typeIntoEveryField() {
        trigger("helpAction");
        QStringList typed;
        const auto fields = m_window->findChildren<QLineEdit*>();
        for (QLineEdit* field : fields) {
            const QString name = field->objectName();
            if (name.startsWith(QStringLiteral("qt_")) || isMeantToBeSaved(name)) {
                continue;  // parts of Qt's number boxes take digits only
            }
            QVERIFY2(!name.isEmpty(), "a field without a name");
            typeInto(*field);
            typed.append(name);
        }
        for (const char* name :
             {"wordFilterLineEdit", "spaceWordLineEdit", "epsilonGridLineEdit"}) {
            QVERIFY2(typed.contains(QLatin1String(name)), name);
        }
        typeIntoSentence();
        leaveNoFieldRefusing();
    }

    /// No run starts while a field refuses what was typed into it.
    void leaveNoFieldRefusing() {
        for (const QWidget* part : {static_cast<QWidget*>(m_window.get()),
                                    m_window->findChild<QWidget*>(QStringLiteral("gridEditor"))}) {
            QVERIFY(part != nullptr);
            while (QLineEdit* field = fieldWithProblem(*part)) {
                for (const char* number : {"0.5", "10"}) {
                    if (fieldWithProblem(*part) == field) {
                        field->selectAll();
                        QTest::keyClicks(field, QLatin1String(number));
                        QTest::keyClick(field, Qt::Key_Return);
                    }
                }
                QVERIFY2(fieldWithProblem(*part) != field, qPrintable(field->objectName()));
            }
        }
    }

    void typeIntoSentence() {
        auto* sentence = &find<QPlainTextEdit>("sentenceEdit");
        sentence->clear();
        QTest::keyClicks(sentence, QStringLiteral("w1 w2 ") + secretOf(sentence->objectName()));
        QVERIFY(state().sentence().contains(secretOf(sentence->objectName())));
        QApplication::processEvents();
    }

    void typeInto(QLineEdit& field) {
        field.selectAll();
        QTest::keyClicks(&field, secretOf(field.objectName()));
        QTest::keyClick(&field, Qt::Key_Return);
        QApplication::processEvents();
    }

    void saveEverything() {
        state().lookAt(Word(state().embedding(), 1));
        for (const char* name : {"r.html", "r.json", "r.pdf"}) {
            exportTo(name);
        }
        saveTo("work.epsilens");
        exportWords();
        exportPlots();
    }

    void exportWords() {
        const QString path = output(QStringLiteral("words.csv"));
        // With a filter that no word passes there would be nothing to write.
        find<QLineEdit>("wordFilterLineEdit").clear();
        auto* button = &find<QPushButton>("exportWordsPushButton");
        QTRY_VERIFY_WITH_TIMEOUT(button->isEnabled(), kPatienceMs);
        dialogs::presetSaveFile(path);
        button->click();
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(path), kPatienceMs);
    }

    /// Pictures of all plots, and their data where they have any.
    void exportPlots() {
        int plotsWithData = 0;
        const auto plots = m_window->findChildren<PlotWidget*>();
        for (const PlotWidget* plot : plots) {
            save(*plot, ".svg", "Save picture…");
            save(*plot, ".pdf", "Save picture…");
            if (!plot->visibleCsv().isEmpty()) {
                save(*plot, ".csv", "Save visible data (CSV)…");
                ++plotsWithData;
            }
        }
        QVERIFY(plotsWithData >= 3);
    }

    /// Saves by an action of the menu of a plot.
    void save(const PlotWidget& plot, const char* ending, const char* title) {
        const QString path = output(plot.objectName() + QLatin1String(ending));
        QTimer::singleShot(0, this, [path, wanted = QString::fromUtf8(title)] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            for (QAction* action : menu->actions()) {
                if (action->text().remove(QLatin1Char('&')) == wanted) {
                    dialogs::presetSaveFile(path);
                    action->trigger();
                }
            }
            menu->close();
        });
        findControl<QToolButton>(plot, "plotMenuButton")->click();
        QVERIFY2(QFile::exists(path), qPrintable(path));
    }

    /// Everything that a button or a key puts into the clipboard.
    QByteArray copies() {
        QByteArray all;
        const auto take = [&all] {
            const QString text = QApplication::clipboard()->text();
            QVERIFY(!text.isEmpty());
            all += text.toUtf8();
            QApplication::clipboard()->clear();
        };
        find<QPushButton>("copyLogButton").click();
        take();
        trigger("copyCommandAction");
        take();
        findControl<QPushButton>(curves(), "copyNumbersPushButton")->click();
        take();
        return all;
    }

    /// Releases a file that has a word which the vocabulary does not have.
    void releaseAFile() {
        QVERIFY(!test::writeFile(input("text.txt"), "w1 w2 Xylophoninput w3\n").isEmpty());
        trigger("releaseAction");
        auto* dialog = m_window->findChild<ReleaseDialog*>();
        QVERIFY(dialog != nullptr);
        findControl<QLineEdit>(*dialog, "inputLineEdit")->setText(input("text.txt"));
        findControl<QLineEdit>(*dialog, "outputLineEdit")
            ->setText(output(QStringLiteral("out.txt")));
        findControl<QCheckBox>(*dialog, "outsideLimitsCheckBox")->setChecked(true);
        auto* release = findControl<QPushButton>(*dialog, "releasePushButton");
        QTRY_VERIFY_WITH_TIMEOUT(release->isEnabled(), kPatienceMs);
        release->click();
        QTRY_VERIFY_WITH_TIMEOUT(!findControl<QLabel>(*dialog, "releaseResultLabel")->isHidden(),
                                 kPatienceMs);
        QVERIFY(QFile::exists(output(QStringLiteral("out.txt.json"))));
        dialog->close();
    }

    std::unique_ptr<QTemporaryDir> m_inputs;  ///< beside those of what is written
};

EPSILENS_UI_TEST(TypedTextTest)
#include "typed_text_test.moc"
