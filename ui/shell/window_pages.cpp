#include "ui/shell/main_window.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <QtWidgets>

#include "ui/choose/choose_panel.h"
#include "ui/curves/curves_panel.h"
#include "ui/dial/dial_model.h"
#include "ui/dial/dial_panel.h"
#include "ui/help/help_window.h"
#include "ui/mechanisms/mechanisms_page.h"
#include "ui/plot/xy_plot.h"
#include "ui/present/presentation.h"
#include "ui/report/report_panel.h"
#include "ui/setup/setup_panel.h"
#include "ui/shell/field_keys.h"
#include "ui/shell/session_file.h"
#include "ui/shell/setting_bar.h"
#include "ui/shell/status_area.h"
#include "ui/space/space_panel.h"
#include "ui/state/epsilon_search.h"
#include "ui/state/guarantee_model.h"
#include "ui/state/mechanism_view.h"
#include "ui/tradeoff/trade_off_panel.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/dialogs.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/number_field.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/remembered.h"
#include "ui/widgets/value_slider.h"
#include "ui/words/words_panel.h"

namespace epsilens::ui {

namespace {

std::vector<QWidget*> stopsOf(QWidget& group) {
    std::vector<QWidget*> stops;
    for (QWidget* next = group.nextInFocusChain(); next != &group;
         next = next->nextInFocusChain()) {
        if (group.isAncestorOf(next) && (next->focusPolicy() & Qt::TabFocus) != 0) {
            stops.push_back(next);
        }
    }
    return stops;
}

}  // namespace

void MainWindow::addPages() {
    m_choose = choose::newChoosePanel(m_state);
    m_mechanisms = newMechanismsPage(m_state, m_setup->guarantee(), m_jobs);
    m_tradeOff = newTradeOffPanel(m_state, m_setup->guarantee());
    m_report = newReportPanel(m_state, m_results);
    m_curves = new CurvesPanel(m_state);
    m_words = newWordsPanel(m_state, m_results, m_measurement);
    m_panels = {m_choose, m_mechanisms,           m_tradeOff, m_report,
                m_curves, newSpacePanel(m_state), m_words};
    for (Panel* panel : m_panels) {
        m_tabs->addTab(panel, panel->title());
        m_tabBar->addTab(panel->title());
    }
    // What only explains stands apart from the path.
    m_tabBar->setTabButton(m_tabs->indexOf(m_curves), QTabBar::LeftSide,
                           hintLabel(tr("explore:"), m_tabBar));
    addDial();
    connectCurves();
    connectWords();
    connectTradeOff();
    connectOwnTexts();
    connectReport();

    m_jobs.setInteractive(&m_choose->model().outputJob());
    m_jobs.watch(&m_choose->model().guessJob());
    connect(m_mechanisms, &MechanismsPage::mechanismTaken, this, &MainWindow::showMessage);
    for (const ValueSlider* slider : findChildren<ValueSlider*>()) {
        m_history.followDrags(*slider);
    }
    for (const XyPlot* plot : findChildren<XyPlot*>()) {
        m_history.followDrags(*plot);
    }
}

void MainWindow::addDial() {
    auto* search = new EpsilonSearch(m_state, limits(), m_measurement, m_setup);
    auto* model = new DialModel(m_state, m_setup->guarantee(), *search, m_measurement, m_setup);
    addToolBarBreak(Qt::TopToolBarArea);
    m_dialBar = addStrip(tr("Dial"), "dialToolBar");
    m_dial = new DialPanel(*model, m_dialBar);
    m_dialBar->addWidget(m_dial);
    connect(m_tabs, &QTabWidget::currentChanged, m_dial,
            [this](int index) { m_dial->setLarge(index <= 0); });
    connect(m_dial, &DialPanel::promiseHelpRequested, this, [this] {
        showHelp(*this, QStringLiteral("guarantees#looks-private-promises-little"));
        showMessage(tr("The help explains it, in its own window; Esc closes that."));
    });
    // Tab goes as the eye does: from the bar to the tabs and the dial below, made after the panels.
    QWidget* last = stopsOf(*m_setting).back();
    QWidget::setTabOrder(last, m_tabBar);
    last = m_tabBar;
    for (QWidget* stop : stopsOf(*m_dial)) {
        QWidget::setTabOrder(last, stop);
        last = stop;
    }
}

void MainWindow::addNextStep() {
    auto* next = described(new QToolButton(m_tabStrip), "nextStepButton", tr("Next step"),
                           tr("Goes on along the path from a text to its release."));
    next->setAutoRaise(true);
    auto* gap = new QWidget(m_tabStrip);
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_tabStrip->addWidget(gap);
    m_tabStrip->addWidget(next);
    Corpus& texts = m_tradeOff->model().source();
    static constexpr int kReport = 3;
    const auto show = [this, &texts, next] {
        const QWidget* from = m_tabs->currentWidget();
        const QString step = from == m_choose     ? tr("Next: see what each mechanism promises ▸")
                             : from == m_tradeOff ? tr("Next: write the memo ▸")
                             : from == m_report   ? tr("Next: release a text ▸")
                             : from != m_mechanisms ? tr("Back to the choice ▸")
                             : texts.texts()        ? tr("Next: measure your own texts ▸")
                                                    : tr("Next: open your own texts ▸");
        // Large text leaves no room for all of it beside the tabs.
        next->setText(!isLargeText(next->fontMetrics())   ? step
                      : m_tabs->currentIndex() <= kReport ? tr("Next ▸")
                                                          : tr("Back ▸"));
        next->setToolTip(step);
    };
    connect(m_tabs, &QTabWidget::currentChanged, next, show);
    connect(&texts, &Corpus::changed, next, show);
    connect(next, &QToolButton::clicked, this, [this] {
        const int from = m_tabs->currentIndex();
        if (from == kReport) {
            m_releaseAction->trigger();
        } else {
            m_tabs->setCurrentIndex(from < kReport ? from + 1 : 0);
        }
    });
    followFont(next, [show](const QFontMetrics&) { show(); });
}

/// A presentation shows what Choose knows, which is kept up while that tab is in front.
void MainWindow::presentFullScreen() {
    if (auto* open = findChild<QWidget*>(QStringLiteral("presentation"))) {
        open->activateWindow();
        return;
    }
    showPanel(m_choose);
    QWidget* presentation = newPresentation(m_dial->model(), m_choose->model(), this);
    presentation->showFullScreen();
    presentation->setFocus(Qt::OtherFocusReason);
}

void MainWindow::connectCurves() {
    m_jobs.watch(&m_curves->runner());
    m_jobs.watch(&m_curves->refiner());
    const auto showRun = [this] {
        m_report->setRunState(m_curves->obstacle(), m_curves->isRunning());
    };
    connect(m_curves, &CurvesPanel::runStateChanged, m_report, showRun);
    showRun();
    connect(m_report, &ReportPanel::runRequested, m_curves, &CurvesPanel::run);
    connect(m_curves, &CurvesPanel::gridWanted, this, [this] { showPanel(m_curves); });
    connect(m_curves, &CurvesPanel::resultChanged, this, [this] {
        const RunCurvesHandle& result = m_curves->result();
        if (!result || !result->isOf(m_state.embedding())) {
            return;
        }
        m_measurement.followWords(result->run->request.options.words);
        // The report has those of a session already.
        if (!result->isRestored) {
            m_report->draft().setRun(result->run);
        }
    });
}

void MainWindow::connectWords() {
    m_jobs.watch(m_words->exporter());
    m_jobs.watch(&m_results.densityRunner());
    connect(&m_results, &SessionResults::densityFailed, this, [this](const Error& error) {
        if (error.code != ErrorCode::cancelled) {
            present(noticeFor(error));
        }
    });
    connect(m_words, &WordsPanel::wordActivated, this, [this](const Word& word) {
        if (m_state.sentence().trimmed().isEmpty()) {
            m_state.setSentence(word.text());
        }
        m_state.selectWord(word);
        showPanel(m_choose);
    });
}

void MainWindow::connectTradeOff() {
    TradeOffModel& model = m_tradeOff->model();
    TextsSearch& goals = m_tradeOff->goals();
    m_jobs.watch(&model.runner());
    m_jobs.watch(&goals.runner());
    m_jobs.watch(&model.source().reader());
    connect(&goals, &TextsSearch::changed, this,
            [this, &goals] { limits().setOnTexts(goals.findings()); });
    connect(&model, &TradeOffModel::changed, this, [this, &model] {
        m_report->draft().setEvaluations(model.stored(),
                                         model.search() != nullptr ? model.kept().search : nullptr);
        m_dial->model().setAttacker(model.attackerSentence());
    });
    connect(m_dial, &DialPanel::attackersRequested, this, [this] { showPanel(m_tradeOff); });
    // On other words the dial could find a limit missed by which the search went.
    connect(&goals, &TextsSearch::epsilonChosen, this,
            [this] { m_measurement.measureWordsOfRuns(); });
    connect(&goals, &TextsSearch::ended, this, [this](const QString& outcome) {
        if (m_tabs->currentWidget() != m_tradeOff) {
            present({Severity::info,
                     tr("Find ε on texts: %1").arg(outcome),
                     {{tr("Show in Texts"), [this] { showPanel(m_tradeOff); }}}});
        }
    });
    connect(&m_dial->model().search(), &EpsilonSearch::searchOnTextsRequested, this,
            [this, &goals] {
                showPanel(m_tradeOff);
                // It would be of other limits than the fields show.
                if (QLineEdit* refusing = fieldWithProblem(*m_tradeOff)) {
                    showField(*refusing);
                } else if (!goals.isRunning()) {
                    goals.find();
                }
            });
}

void MainWindow::connectOwnTexts() {
    Corpus& texts = m_tradeOff->model().source();
    auto* own =
        new CurrentMeasurement(m_state, m_jobs, {}, CurrentMeasurement::Subject::text, m_tradeOff);
    connect(&m_dial->model(), &DialModel::ownTextRequested, own, &CurrentMeasurement::measure);
    connect(own, &CurrentMeasurement::changed, this, [this, own, &texts] {
        const auto known = texts.measuredBy(own->result());
        const auto measured = own->isCurrent() ? known : std::nullopt;
        m_report->draft().setOwnText(measured);
        auto shown = measured;
        if (known && own->wasCancelled()) {
            shown = known;
            shown->measurement.reset();
        }
        m_dial->model().setOwnText(std::move(shown));
        m_words->setOwnTexts(measured, known.has_value());
    });
    connect(&m_choose->model(), &choose::ChooseModel::wordsReset, this, [this] {
        std::vector<Word> words;
        std::vector<calibration::Row> rows;
        int occurrences = 0;
        for (const choose::TextWord& typed : m_choose->model().words()) {
            if (typed.word && typed.occurrences > 0) {
                words.push_back(*typed.word);
                rows.push_back(typed.word->row());
                occurrences += typed.occurrences;
            }
        }
        std::ranges::sort(rows);
        m_report->draft().setTypedWords(std::move(rows));
        m_dial->model().setTyped(std::move(words), occurrences);
    });
    connect(&texts, &Corpus::coverageChanged, this, [this, own, &texts] {
        const QString file = texts.texts() ? toQString(texts.texts()->data.file) : QString();
        own->setText(texts.words());
        m_mechanisms->setTexts(texts.words(), file);
        m_choose->model().setPrior(texts.prior(), file);
    });
}

void MainWindow::addDataMenu() {
    Corpus& texts = m_tradeOff->model().source();
    auto* menu = new QMenu(m_tradeOff);
    menu->setObjectName(QStringLiteral("dataMenu"));
    QAction* open = add(*menu, "openDataAction", {}, {}, [this] { m_tradeOff->chooseFile(); });
    add(*menu, "openDataFolderAction", tr("Open a &folder of texts…"), {},
        [this] { m_tradeOff->chooseFolder(); });
    menu->addSeparator();
    QAction* weigh = add(*menu, "weighDialAction", tr("&Weight the dial by their words"), {}, {});
    weigh->setCheckable(true);
    connect(weigh, &QAction::triggered, &m_dial->model(), &DialModel::showOwnText);
    menu->addSeparator();
    QAction* drop =
        add(*menu, "dropDataAction", tr("&Drop these texts and what was measured on them"), {},
            [this] { m_tradeOff->model().dropTexts(); });
    m_setting->setDataMenu(*menu);

    const auto follow = [this, &texts, open, weigh, drop] {
        m_setting->showData(texts.isReading() ? tr("reading…") : texts.shortText(),
                            texts.unknownText());
        const bool hasTexts = texts.texts() != nullptr;
        open->setText(hasTexts ? tr("&Open other texts…") : tr("&Open texts…"));
        weigh->setEnabled(hasTexts);
        weigh->setChecked(hasTexts && m_dial->model().isOwnTextWanted());
        drop->setEnabled(hasTexts);
    };
    connect(&texts, &Corpus::changed, m_setting, follow);
    connect(&texts, &Corpus::coverageChanged, m_setting, follow);
    connect(&texts, &Corpus::failed, this, [this](const Error& error) {
        if (error.code != ErrorCode::cancelled) {
            showPanel(m_tradeOff);
            Notice notice = noticeFor(error);
            if (const QString path = toQString(error.file); QFileInfo(path).isFile()) {
                notice.actions.append(
                    {tr("Open it as an embedding"), [this, path] { this->open(path); }});
            }
            present(notice);
        }
    });
    // The dial has the same choice as a link.
    connect(menu, &QMenu::aboutToShow, m_setting, follow);
    follow();
}

void MainWindow::connectReport() {
    ReportDraft& draft = m_report->draft();
    m_jobs.watch(&draft.exporter());
    m_jobs.watch(&draft.composer());
    const GuaranteeModel& promise = m_setup->guarantee();
    const auto offer = [&draft, &promise] {
        const QString first = promise.firstWord();
        draft.setPair(first.isEmpty() ? std::nullopt
                                      : std::optional(calibration::NamedPair(
                                            toStd(first), toStd(promise.secondWord()))));
    };
    connect(&promise, &GuaranteeModel::promiseChanged, &draft, offer);
    offer();
}

void MainWindow::connectSession() {
    m_session =
        new SessionFile({m_state, m_report->draft(), *m_curves, m_tradeOff->model()}, this, [this] {
            commitTyping(*this);
            m_choose->commitText();
            m_report->commitTexts();
        });
    m_jobs.watch(&m_session->reader());
    connect(m_session, &SessionFile::changed, this, [this] {
        setWindowModified(m_session->isModified());
        updateTitle();
    });
    connect(m_session, &SessionFile::noticed, this, &MainWindow::present);
    connect(m_session, &SessionFile::embeddingWanted, this, &MainWindow::openEmbedding);
    connect(m_session, &SessionFile::saved, this,
            [this](const QString& name) { showMessage(tr("%1 saved").arg(name)); });
    connect(m_session, &SessionFile::restored, this, [this] {
        m_history.forget();  // there is no way back to the settings before
        showMessage(tr("The promise is told of “%1” and “%2”: a session keeps no words.")
                        .arg(m_setup->guarantee().firstWord(), m_setup->guarantee().secondWord()));
    });
    m_session->offerSession();
    // Loading takes the line of the window for itself, and most windows begin with loading.
    connect(&m_setup->loader(), &EmbeddingLoader::opened, m_session, &SessionFile::offerSession,
            Qt::SingleShotConnection);
}

void MainWindow::buildEmptyPage() {
    m_emptyText = wrapped(emptyStateLabel({}, m_centre), "emptyStateLabel");
    m_waysToOpen = new QWidget(m_centre);
    m_empty = emptyStatePage(m_emptyText, {m_waysToOpen}, m_centre);
    auto* row = rowOf({}, kRowSpacing);
    m_waysToOpen->setLayout(row);
    const auto add = [&](const char* name, const QString& text, const QString& description) {
        auto* button = described(new QPushButton(text, m_waysToOpen), name, text, description);
        row->addWidget(button);
        return button;
    };
    auto* choose = add("emptyStateOpenButton", tr("Open a file…"), tr("Choose an embedding file"));
    m_empty->setFocusProxy(choose);
    connect(choose, &QPushButton::clicked, this, &MainWindow::chooseFile);
    add("emptyStateRecentButton", tr("Recent files"), tr("Files that were opened last"))
        ->setMenu(m_recent);
    connect(add("emptyStateSampleButton", tr("Use the built-in sample"),
                tr("12,000 English words in 100 dimensions")),
            &QPushButton::clicked, this, [this] { open(EmbeddingLoader::sampleName()); });
    connect(add("emptyStatePoincareSampleButton", tr("Use the Poincaré sample"),
                tr("14,065 English nouns in the Poincaré ball, 10 dimensions, for hyperbolic "
                   "noise")),
            &QPushButton::clicked, this, [this] { open(EmbeddingLoader::poincareSampleName()); });
    showEmptyPage();
}

void MainWindow::showEmptyPage(const QString& loading) {
    m_emptyText->setText(loading.isEmpty()
                             ? tr("Drop an embedding here: GloVe, word2vec or fastText vectors, "
                                  "text or binary, plain or compressed.")
                             : tr("Loading %1…").arg(loading));
    m_waysToOpen->setVisible(loading.isEmpty());
}

void MainWindow::connectLoading() {
    EmbeddingLoader& loader = m_setup->loader();
    connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecentMenu);
    connect(m_setup, &SetupPanel::reloadRequested, this, [this](const QString& path, qint64 rows) {
        if (m_session->mayClose(true)) {
            openEmbedding(path, rows);
        }
    });
    // Once the drag is over: opening may ask something, and the source of the drag waits.
    takeDrops(*this, [this](const QString& path, QWidget* /*target*/) {
        QTimer::singleShot(0, this, [this, path] { open(path); });
    });
    connect(&loader, &EmbeddingLoader::loadingStarted, this, [this](const QString& path) {
        m_notice->clear();
        showEmptyPage(EmbeddingLoader::shownName(path));
    });
    connect(&loader, &EmbeddingLoader::opened, this, &MainWindow::showOpened);
    connect(&loader, &EmbeddingLoader::failed, this, &MainWindow::showLoadError);
    connect(&m_state, &AnalysisState::embeddingChanged, this, &MainWindow::updateCommands);
    connect(
        &m_state, &AnalysisState::changed, this,
        [this](const AnalysisSettings& before, const AnalysisSettings& now) {
            const QString mechanism = mechanismTitle(now.currentMechanism());
            if (m_history.isPuttingBack() && before.setting() == now.setting()) {
                m_status->showMessage({});
            } else if (m_history.isPuttingBack()) {
                showMessage(tr("%1 is the present setting again.").arg(pinTitle(now.setting())));
            } else if (before.epsilonChosen && !now.epsilonChosen &&
                       mechanismTitle(before.currentMechanism()) != mechanism) {
                showMessage(tr("Under %1 ε means something else, so it is the default again; "
                               "Ctrl+Z goes back.")
                                .arg(mechanism));
            }
        });
}

void MainWindow::showOpened(const QString& openedPath) {
    if (!EmbeddingLoader::isBuiltIn(openedPath)) {
        remembered::addRecentFile(openedPath);
    }
    const bool isOther = std::exchange(m_openPath, openedPath) != openedPath;
    const auto hadPin = std::exchange(m_replacesPin, std::nullopt);
    updateTitle();
    const auto& embedding = *m_state.embedding();
    m_status->showMessage(tr("%1 loaded in %2")
                              .arg(toQString(embedding.embedding.name),
                                   duration(embedding.loadSeconds + embedding.prepareSeconds)));
    m_centre->setCurrentIndex(1);
    if (hadPin && isOther) {
        tellWhatChanged(*hadPin);
    }
    tellBadLines();
}

void MainWindow::open(const QString& path) {
    if (m_session->mayClose(true)) {
        m_session->forgetPending();
        // A session brings its own settings.
        m_replacesPin = m_state.embedding() && !SessionFile::isSession(path)
                            ? std::optional(m_state.pin().has_value())
                            : std::nullopt;
        startOpening(path);
    }
}

void MainWindow::tellWhatChanged(bool hadPin) {
    const bool hasLimits = !m_state.limits().empty();
    QString text = tr("ε follows the default of %1, because distances differ between embeddings%2.")
                       .arg(toQString(m_state.embedding()->embedding.name),
                            hasLimits ? tr("; your limits are kept") : QString());
    if (hadPin) {
        text += tr(" What was pinned is gone: its ε belongs to the vectors before.");
    }
    Notice notice{Severity::info, text};
    if (hasLimits) {
        notice.actions.append(
            {tr("Remove the limits"), [this] { m_state.edit(&AnalysisSettings::limits, {}); }});
    }
    present(notice);
}

void MainWindow::tellBadLines() {
    const embedding::Embedding& embedding = m_state.embedding()->embedding;
    if (const std::int64_t bad = embedding.report.badLines(); bad > 0) {
        present({Severity::warning,
                 tr("Bad lines of %1 that were left out: %2. Their words are unknown.")
                     .arg(toQString(embedding.name), counted(bad)),
                 {{tr("Show which"), [this] {
                       m_details->show();
                       focusDetails();
                   }}}});
    }
}

void MainWindow::startOpening(const QString& path) {
    if (SessionFile::isSession(path)) {
        m_notice->clear();
        m_session->open(path);
    } else {
        m_setup->loader().open(path);
    }
}

void MainWindow::openEmbedding(const QString& path, qint64 firstRows) {
    m_setup->loader().open(path, firstRows);
}

QString MainWindow::askForFile() {
    return dialogs::openFile(
        this, tr("Open an embedding or a session"),
        {tr("Embeddings and sessions (*.txt *.vec *.bin *.gz *.xz *.bz2 *.zst *.zip *.epsilens)"),
         tr("All files (*)")});
}

void MainWindow::chooseFile() {
    const QString path = askForFile();
    if (!path.isEmpty()) {
        open(path);
    }
}

void MainWindow::showLoadError(const QString& path, const Error& error) {
    showEmptyPage();
    if (error.code == ErrorCode::cancelled) {
        m_session->forgetPending();
        m_status->showMessage(tr("Loading cancelled"));
        return;
    }
    Notice notice = noticeFor(error);
    const auto loadRows = [this, path](qint64 rows) {
        if (m_session->mayClose(true)) {
            openEmbedding(path, rows);
        }
    };
    const auto again = [loadRows, rows = m_setup->loader().lastFirstRows()] { loadRows(rows); };
    // What failed may have been asked for by a session, which goes on waiting.
    const auto chooseInstead = [this] {
        const QString chosen = askForFile();
        if (!chosen.isEmpty() && m_session->mayClose(true)) {
            startOpening(chosen);
        }
    };
    if (error.code == ErrorCode::resourceLimit) {
        if (const qint64 rows = error.rowsThatFit; rows > 0) {
            notice.actions.append(
                {tr("Load the first %1").arg(counted(rows)), [loadRows, rows] { loadRows(rows); }});
        } else {
            notice.actions.append({tr("Load the first rows…"), [this] {
                                       m_details->show();
                                       m_setup->askForRowLimit();
                                   }});
        }
        // Else it is the machine that has no more.
        if (remembered::memoryLimitBytes() > 0) {
            notice.actions.append({tr("Preferences…"), [this, again] {
                                       if (showPreferences()) {
                                           again();
                                       }
                                   }});
        }
    }
    if (error.code == ErrorCode::badFile && m_state.embedding()) {
        notice.actions.append({tr("Open it as texts"), [this, path] {
                                   showPanel(m_tradeOff);
                                   m_tradeOff->model().source().open(path);
                               }});
    }
    notice.actions.append({tr("Try again"), again});
    notice.actions.append({tr("Open another…"), chooseInstead});
    present(notice);
}

void MainWindow::fillRecentMenu() {
    m_recent->clear();
    const QStringList paths = remembered::recentFiles();
    for (const QString& path : paths) {
        m_recent->addAction(QDir::toNativeSeparators(path), this, [this, path] { open(path); })
            ->setEnabled(QFileInfo::exists(path));
    }
    if (paths.isEmpty()) {
        m_recent->addAction(tr("No recent files"))->setEnabled(false);
        return;
    }
    m_recent->addSeparator();
    m_recent->addAction(tr("&Clear"), this, [] { remembered::clearRecentFiles(); });
}

QString MainWindow::startFile(const QStringList& arguments) {
    const QString name = arguments.size() == 2 ? arguments.at(1) : EmbeddingLoader::sampleName();
    const QFileInfo file(name);
    const bool builtIn =
        arguments.size() < 2 || (EmbeddingLoader::isBuiltIn(name) && !file.exists());
    return builtIn ? name : file.absoluteFilePath();
}

void MainWindow::openAtStart(const QStringList& arguments) {
    m_state.edit(&AnalysisSettings::chooseMechanism, mechanism::Tem{});
    m_history.forget();
    // When the page is there, what is typed goes into its text.
    connect(
        &m_state, &AnalysisState::embeddingChanged, this,
        [this] {
            if (m_choose->isVisible()) {
                typeOver(0);
            }
        },
        static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    open(startFile(arguments));
}

}  // namespace epsilens::ui
