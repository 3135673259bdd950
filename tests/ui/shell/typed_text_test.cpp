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
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTimer>
#include <QToolButton>

#include "tests/support/made_up_embedding.h"
#include "tests/ui/shell/session_window.h"
#include "tests/ui/support/ui_test.h"
#include "ui/curves/curves_panel.h"
#include "ui/plot/plot_widget.h"
#include "ui/release/release_dialog.h"
#include "ui/report/report_panel.h"
#include "ui/shell/recent_files.h"
#include "ui/shell/session_file.h"
#include "ui/shell/window_factory.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/field_problem.h"
#include "ui/widgets/panel.h"

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

bool writeBytes(const QString& path, const QByteArray& content) {
    QFile file(path);
    return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
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
class TypedTextTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        QSettings().clear();
        m_inputs = std::make_unique<QTemporaryDir>();
        m_outputs = std::make_unique<QTemporaryDir>();
        m_window = createWindow(coreLoadFunctions());
        m_window->show();
        m_window->findChild<SessionFile*>()->recovery().setDelay(kAutosaveMs);
        const std::string vectors = test::madeUpGlove(60, 4, 1);
        QVERIFY(writeBytes(input("small.txt"), QByteArray::fromStdString(vectors)));
        m_window->open(input("small.txt"));
        QTRY_VERIFY_WITH_TIMEOUT(m_window->state().embedding() != nullptr, kPatienceMs);
        test::letPass(20);
        m_window->state().edit(&AnalysisSettings::draws, 5);
    }
    void cleanup() {
        m_window.reset();
        QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).removeRecursively();
    }

    void noFileAndNoCopyHoldsWhatWasTyped() {
        typeIntoEveryField();
        calibrate();
        saveEverything();
        releaseAFile();
        QCOMPARE(inOneLine(secretsIn(copies())), QString());
        // The copy for recovery exists only while the window is open.
        QTRY_VERIFY_WITH_TIMEOUT(!recoveryCopies().isEmpty(), kPatienceMs);
        test::letPass(2 * kAutosaveMs);
        QCOMPARE(inOneLine(secretsBelow(ownFolder())), QString());

        m_window->state().edit(&AnalysisSettings::seed, 99);
        QTRY_VERIFY(m_window->isWindowModified());
        dialogs::presetAnswer(1);  // close without saving
        QVERIFY(m_window->close());
        m_window.reset();
        QSettings().sync();
        QVERIFY(QSettings().contains(QStringLiteral("window/geometry")));
        QCOMPARE(RecentFiles::list().size(), 2);
        QCOMPARE(inOneLine(secretsBelow(ownFolder())), QString());
        QCOMPARE(inOneLine(secretsBelow(m_outputs->path())), QString());
    }

    void theSentenceIsSavedOnlyWhereTheReportHoldsIt() {
        typeIntoSentence();
        calibrate();
        saveSession();
        exportReport("before.html");
        report()->draft().setIncludesSentence(true);
        saveSession();
        exportReport("r.html");
        test::letPass(3 * kAutosaveMs);  // the copy for recovery is written meanwhile
        QSettings().sync();
        QCOMPARE(inOneLine(secretsBelow(m_outputs->path())),
                 QStringLiteral("r.html sentenceEdit, work.epsilens sentenceEdit"));
        QCOMPARE(inOneLine(secretsBelow(ownFolder())), QString());
        dialogs::presetAnswer(1);
        QVERIFY(m_window->close());
    }

    // Or a search that finds nothing would show nothing.
    void whatIsMeantToBeSavedIsFound() {
        auto* author = findControl<QLineEdit>(*m_window, "reportAuthorLineEdit");
        QTest::keyClicks(author, secretOf(author->objectName()));
        QTest::keyClick(author, Qt::Key_Return);
        auto* purpose = findControl<QPlainTextEdit>(*m_window, "reportPurposeEdit");
        QTest::keyClicks(purpose, secretOf(purpose->objectName()).toUpper());
        calibrate();
        QTRY_VERIFY(!report()->draft().settings().purpose.empty());
        exportReport("r.html");
        exportReport("r.pdf");
        saveSession();
        QCOMPARE(inOneLine(secretsBelow(m_outputs->path())),
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
    [[nodiscard]] QString output(const QString& name) const { return m_outputs->filePath(name); }
    [[nodiscard]] ReportPanel* report() const {
        return findControl<ReportPanel>(*m_window, "reportPanel");
    }
    [[nodiscard]] CurvesPanel* curves() const {
        return findControl<CurvesPanel>(*m_window, "curvesPanel");
    }

    void typeIntoEveryField() {
        findControl<QAction>(*m_window, "helpAction")->trigger();
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
        for (const char* name : {"findWordLineEdit", "wordFilterLineEdit", "spaceWordLineEdit",
                                 "epsilonGridLineEdit"}) {
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
        auto* sentence = findControl<QPlainTextEdit>(*m_window, "sentenceEdit");
        sentence->clear();
        QTest::keyClicks(sentence, QStringLiteral("w1 w2 ") + secretOf(sentence->objectName()));
        QVERIFY(m_window->state().sentence().contains(secretOf(sentence->objectName())));
        QApplication::processEvents();
    }

    void typeInto(QLineEdit& field) {
        field.selectAll();
        QTest::keyClicks(&field, secretOf(field.objectName()));
        QTest::keyClick(&field, Qt::Key_Return);
        QApplication::processEvents();
    }

    void calibrate() {
        curves()->run();
        QTRY_VERIFY_WITH_TIMEOUT(report()->draft().run() != nullptr, kPatienceMs);
    }

    void saveEverything() {
        m_window->state().lookAt(Word(m_window->state().embedding(), 1));
        for (const char* name : {"r.html", "r.json", "r.pdf"}) {
            exportReport(name);
        }
        saveSession();
        exportWords();
        exportPlots();
    }

    void exportReport(const char* name) {
        QSignalSpy done(&report()->draft(), &ReportDraft::exported);
        dialogs::presetSaveFile(output(QLatin1String(name)));
        findControl<QAction>(*m_window, "exportReportAction")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kPatienceMs);
    }

    void saveSession() {
        QSignalSpy done(m_window->findChild<SessionFile*>(), &SessionFile::saved);
        dialogs::presetSaveFile(output(QStringLiteral("work.epsilens")));
        findControl<QAction>(*m_window, "saveSessionAsAction")->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(done.count(), 1, kPatienceMs);
    }

    void exportWords() {
        const QString path = output(QStringLiteral("words.csv"));
        // With a filter that no word passes there would be nothing to write.
        findControl<QLineEdit>(*m_window, "wordFilterLineEdit")->clear();
        auto* button = findControl<QPushButton>(*m_window, "exportWordsPushButton");
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
            auto* button = findControl<QToolButton>(*plot, "plotMenuButton");
            const auto openMenu = [button] { button->click(); };
            save(plot->objectName() + QStringLiteral(".svg"), "Save picture…", openMenu);
            save(plot->objectName() + QStringLiteral(".pdf"), "Save picture…", openMenu);
            if (!plot->visibleCsv().isEmpty()) {
                save(plot->objectName() + QStringLiteral(".csv"), "Save visible data (CSV)…",
                     openMenu);
                ++plotsWithData;
            }
        }
        QVERIFY(plotsWithData >= 3);
    }

    /// Saves by an action of the menu of a plot.
    void save(const QString& name, const char* title, const std::function<void()>& openMenu) {
        const QString path = output(name);
        QTimer::singleShot(0, this, [path, wanted = QString::fromUtf8(title)] {
            auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
            QVERIFY(menu != nullptr);
            const auto actions = menu->actions();
            for (QAction* action : actions) {
                if (action->text().remove(QLatin1Char('&')) == wanted) {
                    dialogs::presetSaveFile(path);
                    action->trigger();
                }
            }
            menu->close();
        });
        openMenu();
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
        findControl<QPushButton>(*m_window, "copyLogButton")->click();
        take();
        findControl<QAction>(*m_window, "copyCommandAction")->trigger();
        take();
        QTest::keyClick(curves(), Qt::Key_C, Qt::ControlModifier);
        take();
        return all;
    }

    /// Releases a file that has a word which the vocabulary does not have.
    void releaseAFile() {
        QVERIFY(writeBytes(input("text.txt"), "w1 w2 Xylophoninput w3\n"));
        findControl<QAction>(*m_window, "releaseAction")->trigger();
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

    static QStringList recoveryCopies() {
        return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation))
            .entryList({QStringLiteral("recovery*")}, QDir::Files);
    }

    std::unique_ptr<QTemporaryDir> m_inputs;
    std::unique_ptr<QTemporaryDir> m_outputs;
    std::unique_ptr<MainWindow> m_window;
};

EPSILENS_UI_TEST(TypedTextTest)
#include "typed_text_test.moc"
