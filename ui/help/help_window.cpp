#include "ui/help/help_window.h"

#include <algorithm>

#include <QtWidgets>

#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

constexpr QSize kFirstSize{860, 640};
constexpr int kSideWidth = 240;
constexpr int kButtonSize = 28;

struct Topic {
    const char* topic;
    std::vector<const char*> controls;
};

const std::vector<Topic>& topics() {
    static const std::vector<Topic> all{
        {"choosing#ε-step-by-step", {"dialPanel", "epsilonSlider", "epsilonField", "keptLimit"}},
        {"guarantees#looks-private-promises-little", {"promiseLabel"}},
        {"choosing#λ-step-by-step", {"lambdaSlider", "lambdaField"}},
        {"guarantees", {"mechanismComboBox"}},
        {"terms#draw-and-r", {"drawsField"}},
        {"terms#seed", {"seedField", "newSeedButton"}},
        {"terms#embedding", {"rowLimitField"}},
        {"limits", {"sentenceEdit", "releaseDialog"}},
        {"keys#tables", {"wordFilterLineEdit", "curvesTableView", "wordsTableView"}},
        {"terms#density-sparse-and-dense-words", {"wordsPresetComboBox"}},
        {"choosing#γ-step-by-step",
         {"metricComboBox", "gammaModeComboBox", "parameterGridLineEdit", "betaSlider", "betaField",
          "gammaSlider", "gammaField"}},
        {"choosing#hyperbolic-noise", {"noiseComboBox"}},
        {"choosing#draws-and-words",
         {"wordsComboBox", "wordCountField", "wordsColumnLineEdit", "wordsFileButton"}},
        {"choosing#which-mechanism", {"mechanismsPage"}},
        {"terms#kept-near-and-far", {"wordTableView", "choosePanel"}},
        {"keys#plots", {"nwPlot", "swPlot"}},
        {"report#making-a-report", {"reportTrainedComboBox"}},
        {"limits#the-text-around-the-words",
         {"setupUnknownComboBox", "unknownComboBox", "letterCaseComboBox",
          "setupLetterCaseComboBox", "stopWordsLineEdit"}},
        {"report#typed-text", {"reportSentenceCheckBox"}},
        {"report#formats", {"reportExportPushButton"}},
        {"choosing", {"epsilonGridLineEdit", "setupPanel"}},
        {"messages", {"noticeLine", "logDialog"}},
        {"terms#n_w", {"curvesPanel", "wordsPanel"}},
        {"tradeoff#labelled-data",
         {"openLabelledPushButton", "textColumnLineEdit", "labelColumnLineEdit",
          "authorColumnLineEdit"}},
        {"tradeoff#what-a-text-is-still-good-for", {"utilityPlot"}},
        {"tradeoff#how-often-would-an-attacker-guess-the-word",
         {"reconstructCheckBox", "riskPlot"}},
        {"tradeoff#usefulness-against-risk", {"frontierPlot"}},
        {"tradeoff#more-attackers", {"membershipCheckBox", "authorshipCheckBox", "auditCheckBox"}},
        {"tradeoff", {"tradeOffPanel"}},
        {"terms#mechanism", {"spacePanel"}},
        {"report", {"reportPanel"}},
        {"terms", {"settingBar"}}};
    return all;
}

QString ownTopic(const QWidget& widget) {
    for (const auto& [topic, controls] : topics()) {
        for (const char* control : controls) {
            if (widget.objectName() == QLatin1String(control)) {
                return QString::fromUtf8(topic);
            }
        }
    }
    return {};
}

}  // namespace

HelpTopic HelpTopic::parse(const QString& text) {
    return {text.section(QLatin1Char('#'), 0, 0), text.section(QLatin1Char('#'), 1)};
}

QString headingKey(const QString& title) {
    static const QRegularExpression kBetweenWords(QStringLiteral("\\W+"),
                                                  QRegularExpression::UseUnicodePropertiesOption);
    return title.toLower().split(kBetweenWords, Qt::SkipEmptyParts).join(QLatin1Char('-'));
}

QString helpMarkdown(const QString& id) {
    QFile file(QStringLiteral(":/help/%1.md").arg(id));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

const std::vector<HelpSection>& helpSections() {
    static const std::vector<HelpSection> kAll = [] {
        static const QRegularExpression kHeading(QStringLiteral("^(#+) (.*)$"),
                                                 QRegularExpression::MultilineOption);
        std::vector<HelpSection> sections;
        for (const char* name : {"start", "terms", "choosing", "tradeoff", "guarantees", "limits",
                                 "report", "messages", "keys"}) {
            const QString id = QLatin1String(name);
            const QString text = helpMarkdown(id);
            for (auto found = kHeading.globalMatch(text); found.hasNext();) {
                const auto heading = found.next();
                sections.push_back({id, heading.captured(2), heading.capturedLength(1)});
            }
        }
        return sections;
    }();
    return kAll;
}

const HelpSection* helpSection(const HelpTopic& topic) {
    const auto& all = helpSections();
    const auto found = std::ranges::find_if(all, [&](const HelpSection& section) {
        return section.page == topic.page &&
               (topic.heading.isEmpty()
                    ? section.level == 1
                    : section.level > 1 && headingKey(section.title) == topic.heading);
    });
    return found == all.end() ? nullptr : &*found;
}

QString helpTopicOf(const QWidget* widget) {
    for (; widget != nullptr; widget = widget->parentWidget()) {
        QString topic = ownTopic(*widget);
        if (!topic.isEmpty()) {
            return topic;
        }
    }
    return QStringLiteral("start");
}

QStringList controlsWithTopics() {
    QStringList names;
    for (const auto& [topic, controls] : topics()) {
        for (const char* control : controls) {
            names.append(QLatin1String(control));
        }
    }
    return names;
}

QString topicOfLink(const QString& link) {
    return link.startsWith(QLatin1String("help:")) ? link.section(QLatin1Char(':'), 1) : QString();
}

HelpWindow::HelpWindow(QWidget* parent)
    : QWidget(parent, Qt::Window),
      m_list(new QListWidget(this)),
      m_back(new QToolButton(this)),
      m_text(new QTextBrowser(this)) {
    setObjectName(QStringLiteral("helpWindow"));
    setWindowTitle(tr("Help – Epsilens"));
    resize(kFirstSize);
    new QShortcut(Qt::Key_Escape, this, this, &QWidget::close);
    describe(*m_text, "helpText", tr("Help page"), tr("The page chosen in the list"));
    m_text->setOpenLinks(false);
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& link) {
        const QString topic = topicOfLink(QUrl::fromPercentEncoding(link.toEncoded()));
        if (!topic.isEmpty()) {
            showTopic(topic);
        }
    });
    auto* splitter = new QSplitter(this);
    splitter->addWidget(buildSide());
    splitter->addWidget(m_text);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({kSideWidth, kFirstSize.width() - kSideWidth});
    splitter->setChildrenCollapsible(false);
    moveWithKeys(*splitter, tr("Divider between list and page"));
    columnIn(this, 0, {splitter}, kPanelMargin);
    display(HelpTopic::parse(QStringLiteral("start")));
}

QWidget* HelpWindow::buildSide() {
    auto* side = new QWidget(this);
    describe(*m_back, "helpBackButton", tr("Back"), tr("Back to the previous page (Alt+Left)"));
    m_back->setArrowType(Qt::LeftArrow);
    m_back->setFixedSize(kButtonSize, kButtonSize);
    m_back->setFocusPolicy(Qt::TabFocus);
    m_back->setShortcut(Qt::ALT | Qt::Key_Left);
    m_back->setEnabled(false);
    connect(m_back, &QToolButton::clicked, this, [this] { display(m_before.takeLast()); });
    describe(*m_list, "helpListWidget", tr("Pages"), tr("Pages of the help."));
    for (const HelpSection& section : helpSections()) {
        if (section.level == 1) {
            auto* item = new QListWidgetItem(section.title, m_list);
            item->setData(Qt::UserRole, section.page);
        }
    }
    connect(m_list, &QListWidget::currentItemChanged, this, [this](const QListWidgetItem* item) {
        if (item != nullptr) {
            showTopic(item->data(Qt::UserRole).toString());
        }
    });
    columnIn(side, kRowSpacing, {m_back, m_list})->setAlignment(m_back, Qt::AlignLeft);
    return side;
}

void HelpWindow::showTopic(const QString& topic) {
    const HelpTopic wanted = HelpTopic::parse(topic);
    if (helpSection(wanted) == nullptr) {
        return;
    }
    if (wanted != m_shown) {
        m_before.append(m_shown);
    }
    display(wanted);
}

void HelpWindow::display(const HelpTopic& topic) {
    m_shown = topic;
    auto document = std::make_unique<QTextDocument>();
    document->setDefaultFont(m_text->font());
    document->setMarkdown(helpMarkdown(topic.page));
    m_text->setDocument(document.get());
    m_document = std::move(document);
    m_back->setEnabled(!m_before.isEmpty());
    scrollToHeading();
    QTimer::singleShot(0, this, &HelpWindow::scrollToHeading);
}

void HelpWindow::scrollToHeading() {
    QTextDocument& document = *m_text->document();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() > 1 && headingKey(block.text()) == m_shown.heading) {
            const QRectF place = document.documentLayout()->blockBoundingRect(block);
            m_text->setTextCursor(QTextCursor(block));
            // Seen at a glance, also where the page ends too early to begin with it.
            QTextEdit::ExtraSelection mark;
            mark.cursor = m_text->textCursor();
            mark.format.setBackground(themeOf(this).noticeInfo);
            mark.format.setProperty(QTextFormat::FullWidthSelection, true);
            m_text->setExtraSelections({mark});
            m_text->verticalScrollBar()->setValue(static_cast<int>(place.top()));
            return;
        }
    }
}

void HelpWindow::bringUp(const QString& topic) {
    showTopic(topic);
    show();
    raise();
    activateWindow();
    m_text->setFocus(Qt::OtherFocusReason);
}

void HelpWindow::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) {
        display(m_shown);
    }
}

void showHelp(QWidget& asking, const QString& topic) {
    auto* help = asking.findChild<HelpWindow*>({}, Qt::FindDirectChildrenOnly);
    if (help == nullptr) {
        help = new HelpWindow(&asking);
    }
    help->bringUp(topic);
}

}  // namespace epsilens::ui
