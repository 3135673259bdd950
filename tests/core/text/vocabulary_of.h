#pragma once

#include <initializer_list>
#include <string_view>

#include "core/embedding/vocabulary.h"

namespace epsilens::test {

/// A vocabulary with these words in this order.
inline embedding::Vocabulary vocabularyOf(std::initializer_list<std::string_view> words) {
    embedding::Vocabulary vocabulary;
    for (const std::string_view word : words) {
        vocabulary.add(word);
    }
    return vocabulary;
}

}  // namespace epsilens::test
