#include "tests/ui/shell/whole_window.h"
#include "tests/ui/support/toy_embedding.h"
#include "ui/choose/choose_panel.h"
#include "ui/choose/output_view.h"
#include "ui/setup/setup_panel.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/job_runner.h"
#include "ui/state/session_results.h"
#include "ui/widgets/qt_convert.h"

using namespace epsilens;
using namespace epsilens::ui;

namespace {

/// Every word tells which embedding it is of and where it stands there: "large17".
embedding::EmbeddingHandle numberedWords(const std::string& name, int words) {
    embedding::Embedding made;
    made.vectors = test::toyEmbedding(words, 4)->vectors();
    for (int row = 0; row < words; ++row) {
        (void)made.vocabulary.add(name + std::to_string(row));
    }
    made.name = name + ".txt";
    made.path = "/somewhere/" + made.name;
    made.report.sha256 = std::string(64, name.front());
    return embedding::prepareEmbedding(std::move(made)).value();
}

/// "small", "large", "fewer rows" of the large one, "none".
embedding::EmbeddingHandle make(const QString& name) {
    return name == "none"    ? nullptr
           : name == "small" ? numberedWords("small", 24)
                             : numberedWords("large", name == "large" ? 160 : 40);
}

void collectCells(QStringList& texts, const QAbstractItemModel& model) {
    for (int row = 0; row < model.rowCount(); ++row) {
        for (int column = 0; column < model.columnCount(); ++column) {
            for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole}) {
                texts << model.index(row, column).data(role).toString();
            }
        }
    }
}

/// What the widgets of a window say, those on other tabs included.
QStringList textsOf(const QWidget& window) {
    QStringList texts;
    for (const QWidget* widget : window.findChildren<QWidget*>()) {
        texts << widget->accessibleName() << widget->accessibleDescription() << widget->toolTip();
        texts << widget->property("text").toString();  // of labels, buttons and fields
        if (const auto* list = qobject_cast<const QComboBox*>(widget)) {
            collectCells(texts, *list->model());
        } else if (const auto* text = qobject_cast<const QTextEdit*>(widget)) {
            texts << text->toPlainText();
        } else if (const auto* view = qobject_cast<const QAbstractItemView*>(widget)) {
            if (view->model() != nullptr) {
                collectCells(texts, *view->model());
            }
        } else if (const auto* output = qobject_cast<const choose::OutputView*>(widget)) {
            texts << output->sentence().text;
        }
    }
    return texts;
}

}  // namespace

/// Puts another embedding under the whole window while everything shows words of the one before.
class EmbeddingChangeTest : public QObject, protected test::WholeWindow {
    Q_OBJECT

private Q_SLOTS:
    void allPanelsFollow_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::addColumn<bool>("jobsRun");
        for (const char* before : {"large", "small", "none"}) {
            for (const char* after : {"large", "small", "same", "fewer rows", "none"}) {
                for (const bool jobsRun : {false, true}) {
                    QTest::addRow("%s, then %s, %s", before, after,
                                  jobsRun ? "amid jobs" : "at rest")
                        << before << after << jobsRun;
                }
            }
        }
    }

    void allPanelsFollow() {
        QFETCH(QString, before);
        QFETCH(QString, after);
        QFETCH(bool, jobsRun);
        prepare();
        for (int tab = 0; tab < tabs().count(); ++tab) {
            put(make(before));
            tabs().setCurrentIndex(0);
            if (state().embedding()) {
                fillPanels();
                if (QTest::currentTestFailed()) {
                    return;
                }
            }
            tabs().setCurrentIndex(tab);
            if (state().embedding() && jobsRun) {
                startJobs();
            }
            put(after == "same" ? state().embedding() : make(after));
            checkPanels();
            QTRY_VERIFY(isAtRest());
            checkPanels();
            if (QTest::currentTestFailed()) {
                qWarning("on the tab %s", qPrintable(tabs().tabText(tab)));
                return;
            }
        }
    }

    void cleanup() { clean(); }

private:
    choose::ChooseModel& live() { return find<choose::ChoosePanel>("choosePanel").model(); }

    void put(const embedding::EmbeddingHandle& embedding) {
        state().setEmbedding(embedding, embedding
                                            ? std::make_shared<const engine::SearchSpace>(embedding)
                                            : nullptr);
    }

    bool isAtRest() {
        return isIdle() && !live().outputJob().isRunning() && !live().isBehind() &&
               (!state().embedding() || !text("planeLabel").isEmpty());
    }
    int rowsOf(const char* table) { return find<QAbstractItemView>(table).model()->rowCount(); }

    void fillPanels() {
        const QString name =
            toQString(state().embedding()->vocabulary().word(0)).chopped(1).toUpper();
        const int last = state().embedding()->wordCount() - 1;
        // Typed in capitals, which are looked up and put out as such, but are no words themselves.
        m_typed = {name + "3", name + "7", name + QString::number(last - 1)};
        set(&AnalysisSettings::draws, 20);
        state().setSentence(m_typed.join(' '));
        live().setActive(true);
        limit("nw.p95<=50%");
        set(&AnalysisSettings::pinPresent);
        enter("spaceWordLineEdit", name.toLower() + QString::number(last));
        QVERIFY(state().selectedWord().has_value());
        m_window->results().computeDensity();
        QTRY_VERIFY(curves().obstacle().isEmpty());
        curves().run();
        QTRY_VERIFY(isFilled());
    }

    bool isFilled() {
        return isAtRest() && curves().result() && m_window->results().density() &&
               live().detail() && rowsOf("spaceNeighbourTableView") > 0 &&
               rowsOf("wordsTableView") > 0 && report().draft().run();
    }

    /// Jobs of all kinds that are done before the embedding changes, and whose answers arrive only
    /// afterwards.
    void startJobs() {
        set(&AnalysisSettings::seed, state().seed() + 1);
        state().setSentence(state().sentence() + " largee15");
        enter("spaceWordLineEdit", "largee15");
        find<QLineEdit>("wordFilterLineEdit").setText("1");
        click("findEpsilonButton");
        curves().run();
        QVERIFY(jobPool()->waitForDone(test::kPatienceMs));
    }

    void checkPanels() {
        static const QRegularExpression kWord("\\b(?:small|large)\\d+\\b",
                                              QRegularExpression::CaseInsensitiveOption);
        const QStringList texts = textsOf(*m_window);
        for (const QString& text : texts) {
            auto matches = kWord.globalMatch(text);
            while (matches.hasNext()) {
                const QString word = matches.next().captured();
                QVERIFY2(m_typed.contains(word) || isPresent(word),
                         qPrintable(QString("%1 in “%2”").arg(word, text)));
            }
        }
        // What was found with other vectors is gone.
        const RunCurvesHandle& result = curves().result();
        QVERIFY(!result || result->embedding.lock() == state().embedding());
    }

    bool isPresent(const QString& word) {
        return state().embedding() &&
               state().embedding()->vocabulary().find(toStd(word.toLower())).has_value();
    }

    QStringList m_typed;
};

EPSILENS_UI_TEST(EmbeddingChangeTest)
#include "embedding_change_test.moc"
