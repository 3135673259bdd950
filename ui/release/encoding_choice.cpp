#include "ui/release/encoding_choice.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QStringList>

#include "ui/widgets/describe.h"
#include "ui/widgets/layout.h"
#include "ui/widgets/qt_convert.h"
#include "ui/widgets/wheel_guard.h"

namespace epsilens::ui {

namespace {

/// Those that most text outside of UTF-8 comes in; any other can be typed.
QStringList commonEncodings() {
    return {QStringLiteral("UTF-8"),        QStringLiteral("UTF-16"),
            QStringLiteral("windows-1252"), QStringLiteral("windows-1250"),
            QStringLiteral("windows-1251"), QStringLiteral("ISO-8859-15"),
            QStringLiteral("KOI8-R"),       QStringLiteral("GB18030"),
            QStringLiteral("Big5"),         QStringLiteral("Shift_JIS"),
            QStringLiteral("EUC-JP"),       QStringLiteral("EUC-KR")};
}

}  // namespace

EncodingChoice::EncodingChoice(QWidget* parent)
    : QWidget(parent), m_encoding(new QComboBox(this)), m_invalid(new QComboBox(this)) {
    m_encoding->setEditable(true);
    m_encoding->setInsertPolicy(QComboBox::NoInsert);
    m_encoding->addItems(commonEncodings());
    describe(*m_encoding, "encodingComboBox", tr("Encoding of the text"),
             tr("How the characters of the file are encoded; you can also type the name of any "
                "known encoding. The released text is UTF-8."));
    m_invalid->addItem(tr("Refuse damaged text"), static_cast<int>(io::InvalidBytes::refuse));
    m_invalid->addItem(tr("Replace damaged places by �"),
                       static_cast<int>(io::InvalidBytes::replace));
    guardWheel(m_encoding);
    guardWheel(m_invalid);
    describe(*m_invalid, "invalidComboBox", tr("Damaged text"),
             tr("What happens to bytes that are not valid text in this encoding."));
    setFocusProxy(m_encoding);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(kRowSpacing);
    row->addWidget(m_encoding, 1);
    row->addWidget(m_invalid, 1);
    connect(m_encoding, &QComboBox::currentTextChanged, this, &EncodingChoice::changed);
    connect(m_invalid, &QComboBox::currentIndexChanged, this, &EncodingChoice::changed);
}

io::TextDecoding EncodingChoice::decoding() const {
    return {toStd(m_encoding->currentText().trimmed()),
            static_cast<io::InvalidBytes>(m_invalid->currentData().toInt())};
}

}  // namespace epsilens::ui
