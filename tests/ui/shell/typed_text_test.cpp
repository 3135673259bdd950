#include "tests/ui/shell/whole_window.h"
#include "ui/curves/curves_panel.h"
#include "ui/plot/plot_widget.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/remembered.h"

using namespace epsilens;
using namespace epsilens::ui;
using test::findControl;
using test::kAutosaveMs;

namespace {

/// What is typed into a field names it, whoever finds it. Letters only, so that nothing takes it
/// apart.
QString secretOf(const QString& field) {
    return "Xylophon" + field;
}

/// The fields whose secrets a text holds, in whatever letter case.
QStringList secretsIn(const QByteArray& text) {
    static const QRegularExpression kSecret("xylophon(\\w*)",
                                            QRegularExpression::CaseInsensitiveOption);
    QStringList fields;
    auto found = kSecret.globalMatch(text);
    while (found.hasNext()) {
        fields.append(found.next().captured(1));
    }
    fields.removeDuplicates();
    return fields;
}

/// The bytes of a file, and the text of a PDF behind them, where it is compressed.
QByteArray textOf(const QString& path) {
    QByteArray content = test::contentOf(path);
    if (path.endsWith(".pdf")) {
        QProcess reader;
        reader.start("pdftotext", {path, "-"});
        const bool read = reader.waitForFinished() && reader.exitCode() == 0;
        content += read ? reader.readAllStandardOutput() : secretOf("CannotBeRead").toUtf8();
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
            found.append(files.fileName() + ' ' + field);
        }
    }
    found.sort();
    return found;
}

/// As a comparison that fails shows it.
QString inOneLine(const QStringList& parts) {
    return parts.join(", ");
}

/// Where the test program has moved settings and data to.
QString ownFolder() {
    return QString::fromLocal8Bit(qgetenv("XDG_CONFIG_HOME"));
}

/// The texts of the report are there to be read by others.
bool isMeantToBeSaved(const QString& field) {
    return field.startsWith("report");
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
        QTRY_VERIFY(QFile::exists(SessionFile::copyPath()));
        test::letPass(2 * kAutosaveMs);
        QCOMPARE(inOneLine(secretsBelow(ownFolder())), QString());

        set(&AnalysisSettings::seed, 99);
        QTRY_VERIFY(m_window->isWindowModified());
        dialogs::presetAnswer(1);  // close without saving
        QVERIFY(m_window->close());
        m_window.reset();
        QSettings().sync();
        QVERIFY(QSettings().contains("window/geometry"));
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
                 "r.html sentenceEdit, work.epsilens sentenceEdit");
        QCOMPARE(inOneLine(secretsBelow(ownFolder())), QString());
        dialogs::presetAnswer(1);
        QVERIFY(m_window->close());
    }

    // Or a search that finds nothing would show nothing.
    void whatIsMeantToBeSavedIsFound() {
        enter("reportAuthorLineEdit", secretOf("reportAuthorLineEdit"));
        type("reportPurposeEdit", secretOf("reportPurposeEdit").toUpper());
        run();
        QTRY_VERIFY(!report().draft().settings().purpose.empty());
        exportTo("r.html");
        exportTo("r.pdf");
        saveTo("work.epsilens");
        QCOMPARE(inOneLine(secretsBelow(m_folder->path())),
                 "r.html REPORTPURPOSEEDIT, r.html reportAuthorLineEdit, "
                 "r.pdf REPORTPURPOSEEDIT, r.pdf reportAuthorLineEdit, "
                 "work.epsilens REPORTPURPOSEEDIT, "
                 "work.epsilens reportAuthorLineEdit");
        dialogs::presetAnswer(1);
        QVERIFY(m_window->close());
    }

private:
    [[nodiscard]] QString input(const char* name) const { return m_inputs->filePath(name); }
    void typeIntoEveryField() {
        click("helpAction");
        QStringList typed;
        const auto fields = m_window->findChildren<QLineEdit*>();
        for (QLineEdit* field : fields) {
            const QString name = field->objectName();
            if (name.startsWith("qt_") || isMeantToBeSaved(name)) {
                continue;  // parts of Qt's number boxes take digits only
            }
            QVERIFY2(!name.isEmpty(), "a field without a name");
            enter(name.toLatin1(), secretOf(name));
            QApplication::processEvents();
            typed.append(name);
        }
        for (const char* name :
             {"wordFilterLineEdit", "spaceWordLineEdit", "epsilonGridLineEdit"}) {
            QVERIFY2(typed.contains(name), name);
        }
        typeIntoSentence();
        leaveNoFieldRefusing();
    }

    void leaveNoFieldRefusing() {
        for (const QWidget* part :
             {static_cast<QWidget*>(m_window.get()), m_window->findChild<QWidget*>("gridEditor")}) {
            QVERIFY(part != nullptr);
            while (QLineEdit* field = fieldWithProblem(*part)) {
                for (const char* number : {"0.5", "10"}) {
                    if (fieldWithProblem(*part) == field) {
                        field->selectAll();
                        QTest::keyClicks(field, number);
                        QTest::keyClick(field, Qt::Key_Return);
                    }
                }
                QVERIFY2(fieldWithProblem(*part) != field, qPrintable(field->objectName()));
            }
        }
    }

    void typeIntoSentence() {
        type("sentenceEdit", "w1 w2 " + secretOf("sentenceEdit"));
        QTRY_VERIFY(state().sentence().contains(secretOf("sentenceEdit")));
    }

    void saveEverything() {
        state().selectWord(Word(state().embedding(), 1));
        for (const char* name : {"r.html", "r.json", "r.pdf"}) {
            exportTo(name);
        }
        saveTo("work.epsilens");
        exportWords();
        exportPlots();
    }

    void exportWords() {
        // With a filter that no word passes there would be nothing to write.
        find<QLineEdit>("wordFilterLineEdit").clear();
        QTRY_VERIFY(isEnabled("exportWordsPushButton"));
        dialogs::presetSaveFile(path("words.csv"));
        click("exportWordsPushButton");
        QTRY_VERIFY(QFile::exists(path("words.csv")));
    }

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

    void save(const PlotWidget& plot, const char* ending, const char* title) {
        const QString path = this->path(plot.objectName() + ending);
        QTimer::singleShot(0, this, [path, wanted = title] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            for (QAction* action : menu->actions()) {
                if (action->text().remove('&') == wanted) {
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
        click("copyCommandAction");
        take();
        findControl<QPushButton>(curves(), "copyNumbersPushButton")->click();
        take();
        return all;
    }

    void releaseAFile() {
        const QString input = m_inputs->filePath("text.txt");
        test::writeFile(input, "w1 w2 Xylophoninput w3\n");
        click("releaseButton");
        find<QLineEdit>("inputLineEdit").setText(input);
        find<QLineEdit>("outputLineEdit").setText(path("out.txt"));
        click("outsideLimitsCheckBox");
        QTRY_VERIFY(isEnabled("releasePushButton"));
        click("releasePushButton");
        QTRY_VERIFY(!find("releaseResultLabel").isHidden());
        QVERIFY(QFile::exists(path("out.txt.json")));
        find("releaseDialog").close();
    }

    std::unique_ptr<QTemporaryDir> m_inputs;  ///< beside those of what is written
};

EPSILENS_UI_TEST(TypedTextTest)
#include "typed_text_test.moc"
