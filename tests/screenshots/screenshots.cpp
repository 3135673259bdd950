// Pictures of every tab and dialog, light and dark, at two sizes, on the built-in samples with a
// finished run.
//
// usage: epsilens-screenshots FOLDER [NAME [PERCENT [FILE [DATA]]]]   (NAME: only pictures whose
// name contains it; PERCENT: size of text, as in the preferences; FILE: embedding in place of the
// English sample; DATA: labelled texts in place of made-up ones)
//
// Needs no display. QT_SCALE_FACTOR=1.5 or 2 gives the pictures of fractional and double scale.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QSettings>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>

#include "ui/curves/curves_panel.h"
#include "ui/help/help_window.h"
#include "ui/present/presentation.h"
#include "ui/release/release_dialog.h"
#include "ui/report/report_panel.h"
#include "ui/shell/about_dialog.h"
#include "ui/shell/main_window.h"
#include "ui/shell/preferences.h"
#include "ui/tradeoff/trade_off_panel.h"
#include "ui/widgets/theme.h"

using namespace epsilens;
using ui::AnalysisSettings;
using ui::AnalysisState;

namespace {

constexpr const char* kSentence =
    "We will take the early train from Paris to London tomorrow morning";
constexpr int kQuietMs = 300;
constexpr int kPatienceMs = 30 * 60 * 1000;  // real data take long to measure

/// Handles events until no job has run for a moment: queued drawings and requests are done then.
bool settle(ui::MainWindow& window) {
    QElapsedTimer quiet;
    quiet.start();
    const auto isQuiet = [&] {
        if (window.jobs().runningCount() > 0) {
            quiet.restart();
        }
        return quiet.elapsed() > kQuietMs;
    };
    return QTest::qWaitFor(isQuiet, kPatienceMs);
}

template <typename T>
T& part(QObject& root, const char* name) {
    auto* found = root.findChild<T*>(name);
    if (found == nullptr) {
        fmt::print(stderr, "no part {}\n", name);
        std::exit(EXIT_FAILURE);  // NOLINT(concurrency-mt-unsafe): nothing registered for the exit
    }
    return *found;
}

/// Writes texts about travel and about health, each of five words; returns the path.
QString madeUpTexts(const QTemporaryDir& folder) {
    constexpr std::array<std::array<const char*, 8>, 2> kWords{
        {{"train", "city", "travel", "road", "hotel", "river", "ship", "street"},
         {"doctor", "disease", "heart", "medicine", "blood", "hospital", "pain", "skin"}}};
    constexpr std::array kClasses{"travel", "health"};
    constexpr std::size_t kTexts = 300;
    constexpr std::size_t kWordsOfText = 5;
    QString path = folder.filePath("texts.tsv");
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return {};
    }
    for (std::size_t text = 0; text < kTexts; ++text) {
        const std::size_t topic = text % kClasses.size();
        file.write(kClasses.at(topic));
        file.write("\t");
        for (std::size_t place = 0; place < kWordsOfText; ++place) {
            // Every fifth word is of the other topic.
            const std::size_t of = place == text % 7 ? 1 - topic : topic;
            file.write(kWords.at(of).at((text * (place + 3) + place * place) % 8));
            file.write(" ");
        }
        file.write("\n");
    }
    return path;
}

/// What is asked for.
struct Wanted {
    QString folder;
    QString name;  ///< part of the names of pictures

    [[nodiscard]] bool has(const QString& picture) const { return picture.contains(name); }
    [[nodiscard]] QString path(const QString& picture) const { return folder + '/' + picture; }
    /// Whether a picture with this ending may be wanted: not "-dark-960" where NAME says "light".
    [[nodiscard]] bool mayHave(const QString& suffix) const {
        constexpr std::array kParts{"light", "dark", "1200", "960"};
        return std::ranges::all_of(kParts, [&](const char* part) {
            return suffix.contains(part) || !name.contains(part);
        });
    }
};

class Session {
public:
    Session(Wanted wanted, QString embedding, QString texts, QString suffix, QSize size)
        : m_wanted(std::move(wanted)),
          m_embedding(std::move(embedding)),
          m_texts(std::move(texts)),
          m_suffix(std::move(suffix)),
          m_window(std::make_unique<ui::MainWindow>()) {
        m_window->resize(size);
        m_window->show();
    }

    void takeEmpty() { take("empty"); }

    void takeTabs() {
        open(m_embedding);
        auto& tabs = part<QTabWidget>(*m_window, "tabs");
        for (int tab = 0; tab < tabs.count(); ++tab) {
            take(tabName(tab) + "-without-run", tab);
        }
        m_window->state().setSentence(QString::fromUtf8(kSentence));
        part<ui::CurvesPanel>(*m_window, "curvesPanel").run();
        (void)settle(*m_window);
        takeTradeOff();
        for (int tab = 0; tab < tabs.count(); ++tab) {
            take(tabName(tab), tab);
        }
        exportReports();
        takePinned();
        takeFarEpsilons();
        takeDetails();
    }

    /// The report as files, for its pages to be looked at.
    void exportReports() {
        ui::ReportDraft& draft = part<ui::ReportPanel>(*m_window, "reportPanel").draft();
        for (const char* ending : {"pdf", "html"}) {
            const QString name = QString("report%1.").arg(m_suffix) + ending;
            if (m_wanted.has(name)) {
                draft.exportTo(m_wanted.path(name));
                (void)settle(*m_window);
            }
        }
    }

    /// The same noise in all directions, against the setting of before.
    void takePinned() {
        AnalysisState& state = m_window->state();
        const double lambda = state.lambda();
        part<QAction>(*m_window, "pinAction").trigger();
        state.edit(&AnalysisSettings::setParameters, {.lambda = 0.0});
        take("pinned-choose", 0);
        part<QAction>(*m_window, "unpinAction").trigger();
        state.edit(&AnalysisSettings::setParameters, {.lambda = lambda});
    }

    /// The dial at epsilons far from all that happens.
    void takeFarEpsilons() {
        AnalysisState& state = m_window->state();
        const double epsilon = state.epsilon();
        for (const auto& [name, far] :
             {std::pair{"far-large", 1e9}, std::pair{"far-small", 1e-6}}) {
            state.edit(&AnalysisSettings::chooseEpsilon, far);
            take(name, 0);
        }
        state.edit(&AnalysisSettings::chooseEpsilon, epsilon);
    }

    void takeDetails() {
        auto& details = part<QAction>(*m_window, "detailsAction");
        details.trigger();
        take("details", 0);
        details.trigger();
    }

    void takeTradeOff() {
        // Measuring takes longer than all else, and only these show it.
        constexpr std::array kNames{"texts", "report"};
        if (std::ranges::none_of(kNames, [this](const char* name) {
                return m_wanted.name.startsWith(name) || m_wanted.has(name + m_suffix);
            })) {
            return;
        }
        ui::TradeOffModel& model = part<ui::TradeOffPanel>(*m_window, "tradeOffPanel").model();
        model.source().open(m_texts);
        (void)settle(*m_window);
        take("texts-not-measured", 2);
        // As after a search.
        model.measurePresent();
        (void)settle(*m_window);
        take("texts-found", 2);
        model.measure();
        (void)settle(*m_window);
        auto& views = part<QTabWidget>(*m_window, "tradeOffViews");
        for (const int view : {0, 2, 3, 1}) {
            views.setCurrentIndex(view);
            take(QString("texts-view%1").arg(view), 2);
        }
    }

    void takeTem() {
        part<QTabWidget>(*m_window, "tabs").setCurrentIndex(0);
        part<QComboBox>(*m_window, "mechanismComboBox")
            .setCurrentText("Truncated exponential (TEM)");
        takeChooseCurvesSpace("tem");
    }

    void takePoincare() {
        open("sample-poincare");
        m_window->state().setSentence("dog cat animal");
        takeChooseCurvesSpace("poincare");
    }

    void takeDialogs() {
        part<QAction>(*m_window, "releaseAction").trigger();
        auto& release = part<ui::ReleaseDialog>(*m_window, "releaseDialog");
        release.suggestFile(m_texts, "2");
        take(release, "release");
        release.close();
        const std::unique_ptr<QDialog> preferences(ui::newPreferencesDialog());
        preferences->show();
        take(*preferences, "preferences");
        const std::unique_ptr<QDialog> about(ui::newAboutDialog());
        about->show();
        take(*about, "about");
        part<QAction>(*m_window, "presentAction").trigger();
        auto& presentation = part<QWidget>(*m_window, "presentation");
        // It fills the screen, which is smaller here than people have.
        presentation.showNormal();
        presentation.resize(m_window->size());
        for (int step = 0; step < 5; ++step) {
            take(presentation, QString("presentation%1").arg(step + 1));
            part<QAbstractButton>(presentation, "presentationNextButton").click();
        }
        presentation.close();
        part<QAction>(*m_window, "helpAction").trigger();
        auto* help = m_window->findChild<ui::HelpWindow*>();
        take(*help, "help");
        help->close();
        part<QAbstractButton>(*m_window, "logButton").click();
        take("log");
    }

private:
    static QString tabName(int tab) {
        return QStringList{"choose", "mechanisms", "texts", "report", "curves", "space", "words"}
            .at(tab);
    }

    void open(const QString& name) {
        const auto before = m_window->state().embedding();
        m_window->openEmbedding(name, 0);
        (void)QTest::qWaitFor([&] { return m_window->state().embedding() != before; }, kPatienceMs);
        (void)settle(*m_window);
    }

    void take(QWidget& widget, const QString& name) {
        widget.show();
        (void)settle(*m_window);
        if (const QString picture = name + m_suffix; m_wanted.has(picture)) {
            QTest::qWait(200);  // layouts may wait for later turns of the event loop
            const QString path = m_wanted.path(picture + ".png");
            fmt::print("{} {}\n", widget.grab().save(path) ? "wrote" : "could not write",
                       path.toStdString());
        }
    }
    void take(const QString& name) { take(*m_window, name); }
    void take(const QString& name, int tab) {
        if (m_wanted.has(name + m_suffix)) {
            part<QTabWidget>(*m_window, "tabs").setCurrentIndex(tab);
            take(name);
        }
    }

    void takeChooseCurvesSpace(const QString& mechanism) {
        take(mechanism + "-choose", 0);
        part<ui::CurvesPanel>(*m_window, "curvesPanel").run();
        (void)settle(*m_window);
        take(mechanism + "-curves", 4);
        take(mechanism + "-space", 5);
    }

    Wanted m_wanted;
    QString m_embedding;
    QString m_texts;
    QString m_suffix;
    std::unique_ptr<ui::MainWindow> m_window;
};

}  // namespace

int main(int argumentCount, char** arguments) {
    if (argumentCount < 2) {
        fmt::print(stderr, "usage: epsilens-screenshots FOLDER [NAME [PERCENT [FILE [DATA]]]]\n");
        return 2;
    }
    const QTemporaryDir settings;
    qputenv("XDG_CONFIG_HOME", settings.path().toLocal8Bit());
    qputenv("XDG_DATA_HOME", settings.path().toLocal8Bit());
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argumentCount, arguments);
    QApplication::setOrganizationName("epsilens-screenshots");
    const QString folder = QString::fromLocal8Bit(arguments[1]);
    if (!QDir().mkpath(folder)) {
        fmt::print(stderr, "cannot make the folder {}\n", arguments[1]);
        return 1;
    }
    const auto argument = [&](int place, const QString& otherwise) {
        return argumentCount > place ? QString::fromLocal8Bit(arguments[place]) : otherwise;
    };
    const Wanted wanted{folder, argument(2, {})};
    const int textPercent = argument(3, QString::number(ui::Preferences().textPercent)).toInt();
    const QString embedding = argument(4, "sample");
    const QString texts = argument(5, madeUpTexts(settings));
    for (const QSize size : {QSize(1200, 800), QSize(960, 600)}) {
        for (const auto theme : {ui::ThemeChoice::light, ui::ThemeChoice::dark}) {
            QSettings().clear();
            ui::applyTheme(theme);
            ui::applyTextSize(textPercent);
            const bool isDark = theme == ui::ThemeChoice::dark;
            const QString suffix = QString(isDark ? "-dark-%1" : "-light-%1").arg(size.width());
            if (!wanted.mayHave(suffix)) {
                continue;
            }
            Session session(wanted, embedding, texts, suffix, size);
            session.takeEmpty();
            session.takeTabs();
            session.takeTem();
            session.takePoincare();
            session.takeDialogs();
        }
    }
    return 0;
}
