#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace epsilens::test {

/// Adds the JSON pointers to a value and to all within it.
void gatherPointers(const nlohmann::ordered_json& value, const std::string& pointer,
                    std::vector<std::string>& pointers);

/// A document in which one thing is otherwise.
struct Tampering {
    std::string what{};     ///< "changed", "removed" or "added"
    std::string pointer{};  ///< to that thing
    nlohmann::ordered_json document{};
};

/// Changes each text, number and flag of a document, removes each member and each item of a list,
/// and adds a member to each object and an item to each list that has some.
///
/// every  1: visits all of these, 2: every second, …
/// Returns how many there are.
std::size_t eachTampering(const nlohmann::ordered_json& sound, std::size_t every,
                          const std::function<void(const Tampering&)>& visit);

}  // namespace epsilens::test
