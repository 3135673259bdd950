#pragma once

#include <QWidget>

#include "core/io/text_decoder.h"

class QComboBox;

namespace epsilens::ui {

/// How a text file is read: its encoding, which may be typed, and what becomes of bytes that are no
/// text.
class EncodingChoice : public QWidget {
    Q_OBJECT

public:
    explicit EncodingChoice(QWidget* parent = nullptr);

    /// The encoding as typed.
    [[nodiscard]] io::TextDecoding decoding() const;

Q_SIGNALS:
    void changed();

private:
    QComboBox* m_encoding;
    QComboBox* m_invalid;
};

}  // namespace epsilens::ui
