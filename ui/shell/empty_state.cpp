#include "ui/shell/empty_state.h"

#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/setup/embedding_loader.h"
#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/remembered.h"

namespace epsilens::ui {

namespace {
constexpr int kFrameInset = 24;
constexpr int kShownRecent = 5;
}  // namespace

EmptyState::EmptyState(QWidget* parent)
    : QWidget(parent),
      m_title(headingLabel(tr("Drop an embedding here"), this)),
      m_text(emptyStateLabel(
          tr("GloVe, word2vec or fastText vectors, text or binary, plain or compressed."), this)),
      m_ways(new QWidget(this)),
      m_recent(new QWidget(this)),
      m_recentLayout(new QVBoxLayout(m_recent)) {
    setObjectName(QStringLiteral("emptyState"));
    QFont large = m_title->font();
    large.setPointSizeF(large.pointSizeF() * 1.5);
    m_title->setFont(large);
    m_title->setAlignment(Qt::AlignCenter);
    m_title->setObjectName(QStringLiteral("emptyStateTitleLabel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(48, 48, 48, 48);
    layout->setSpacing(kRowSpacing);
    layout->addStretch();
    layout->addWidget(m_title);
    layout->addWidget(m_text);
    layout->addSpacing(kGroupSpacing);
    addButtons(*layout);
    layout->addSpacing(kGroupSpacing);
    layout->addWidget(m_recent, 0, Qt::AlignHCenter);
    layout->addStretch();
    m_recentLayout->setSpacing(2);
    refresh();
}

void EmptyState::addButtons(QVBoxLayout& layout) {
    auto* row = new QHBoxLayout(m_ways);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kRowSpacing);
    const auto add = [&](const char* name, const QString& text, const QString& description) {
        auto* button = described(new QPushButton(text, m_ways), name, text, description);
        row->addWidget(button);
        return button;
    };
    auto* open = add("emptyStateOpenButton", tr("Open a file…"), tr("Choose an embedding file"));
    open->setDefault(true);
    setFocusProxy(open);
    connect(open, &QPushButton::clicked, this, &EmptyState::openRequested);
    connect(add("emptyStateSampleButton", tr("Use the built-in sample"),
                tr("12,000 English words in 100 dimensions")),
            &QPushButton::clicked, this,
            [this] { Q_EMIT fileRequested(EmbeddingLoader::sampleName()); });
    connect(add("emptyStatePoincareSampleButton", tr("Use the Poincaré sample"),
                tr("14,065 English nouns in the Poincaré ball, 10 dimensions, for hyperbolic "
                   "noise")),
            &QPushButton::clicked, this,
            [this] { Q_EMIT fileRequested(EmbeddingLoader::poincareSampleName()); });
    layout.addWidget(m_ways, 0, Qt::AlignHCenter);
}

void EmptyState::refresh() {
    if (m_isLoading) {
        return;
    }
    m_title->setText(tr("Drop an embedding here"));
    m_text->show();
    m_ways->show();
    while (QLayoutItem* item = m_recentLayout->takeAt(0)) {
        item->widget()->deleteLater();
        delete item;
    }
    const QStringList all = remembered::recentFiles();
    const QStringList paths = all.mid(0, kShownRecent);
    m_recent->setVisible(!paths.isEmpty());
    if (paths.isEmpty()) {
        return;
    }
    m_recentLayout->addWidget(hintLabel(tr("Recent files"), m_recent), 0, Qt::AlignHCenter);
    for (const QString& path : paths) {
        const QString name = QFileInfo(path).fileName();
        auto* button = described(new QPushButton(name, m_recent), "", name, path);
        button->setFlat(true);
        button->setEnabled(QFileInfo::exists(path));
        connect(button, &QPushButton::clicked, this, [this, path] { Q_EMIT fileRequested(path); });
        m_recentLayout->addWidget(button);
    }
    if (all.size() > paths.size()) {
        auto* more = hintLabel(
            tr("%1 more under File → Open recent").arg(all.size() - paths.size()), m_recent);
        more->setObjectName(QStringLiteral("moreRecentLabel"));
        m_recentLayout->addWidget(more, 0, Qt::AlignHCenter);
    }
}

void EmptyState::endLoading() {
    m_isLoading = false;
    refresh();
}

void EmptyState::setLoading(const QString& name) {
    m_isLoading = true;
    m_title->setText(tr("Loading %1…").arg(name));
    m_text->hide();
    m_ways->hide();
    m_recent->hide();
}

void EmptyState::paintEvent(QPaintEvent* event) {
    QWidget::paintEvent(event);
    if (m_ways->isHidden()) {
        return;
    }
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen pen(palette().color(QPalette::Mid), 2.0, Qt::CustomDashLine);
    pen.setDashPattern({4.0, 4.0});
    painter.setPen(pen);
    painter.drawRoundedRect(rect().adjusted(kFrameInset, kFrameInset, -kFrameInset, -kFrameInset),
                            12.0, 12.0);
}

}  // namespace epsilens::ui
