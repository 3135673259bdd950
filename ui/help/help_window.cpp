#include "ui/help/help_window.h"

#include <QAbstractTextDocumentLayout>
#include <QKeyEvent>
#include <QListWidget>
#include <QScrollBar>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTimer>
#include <QToolButton>

#include "ui/help/help_topics.h"
#include "ui/widgets/boxes.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/focus_frame.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/splitter_keys.h"
#include "ui/widgets/theme.h"

namespace epsilens::ui {

namespace {

constexpr QSize kFirstSize{860, 640};
constexpr int kSideWidth = 240;
constexpr int kButtonSize = 28;

}  // namespace

HelpWindow::HelpWindow(QWidget* parent)
    : QWidget(parent, Qt::Window),
      m_list(new QListWidget(this)),
      m_back(new QToolButton(this)),
      m_text(new QTextBrowser(this)) {
    setObjectName(QStringLiteral("helpWindow"));
    setWindowTitle(tr("Help – Epsilens"));
    resize(kFirstSize);
    describe(*m_text, "helpText", tr("Help page"), tr("The page chosen in the list"));
    // Links lead to other pages; nothing is fetched.
    m_text->setOpenLinks(false);
    showFocusAround(m_text);
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
    connect(m_back, &QToolButton::clicked, this, &HelpWindow::goBack);
    describe(*m_list, "helpListWidget", tr("Pages"), tr("Pages of the help."));
    for (const HelpSection& section : m_pages.sections()) {
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
    if (m_pages.section(wanted) == nullptr) {
        return;
    }
    if (wanted.page != m_shown.page || wanted.heading != m_shown.heading) {
        m_before.append(m_shown);
    }
    display(wanted);
}

void HelpWindow::goBack() {
    if (!m_before.isEmpty()) {
        display(m_before.takeLast());
    }
}

void HelpWindow::display(const HelpTopic& topic) {
    m_shown = topic;
    // Shown when it is whole: a document that is shown is laid out at every change.
    auto document = std::make_unique<QTextDocument>();
    document->setDefaultFont(m_text->font());
    document->setMarkdown(m_pages.markdown(topic.page));
    m_text->setDocument(document.get());
    m_document = std::move(document);
    m_back->setEnabled(!m_before.isEmpty());
    scrollToHeading();
    // Once more when the width is known, on which the place depends.
    QTimer::singleShot(0, this, &HelpWindow::scrollToHeading);
}

void HelpWindow::scrollToHeading() {
    QTextDocument& document = *m_text->document();
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block.blockFormat().headingLevel() > 1 && headingKey(block.text()) == m_shown.heading) {
            const QRectF place = document.documentLayout()->blockBoundingRect(block);
            m_text->setTextCursor(QTextCursor(block));
            // What was asked for is to be seen at a glance, also where the page ends too early to
            // begin with it.
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

void HelpWindow::focusPage() {
    m_text->setFocus(Qt::OtherFocusReason);
}

void HelpWindow::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) {
        close();
    } else {
        QWidget::keyPressEvent(event);
    }
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
    help->showTopic(topic);
    help->show();
    help->raise();
    help->activateWindow();
    help->focusPage();
}

}  // namespace epsilens::ui
