// An episode of cartpole to look at: a film-strip that prints, and an animation for the browser.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "politex/lab/cartpole_grid.hpp"

namespace politex::lab {

/// An SVG of one row of frames, `every` steps apart from the start; frames that pay have a coloured pole.
std::string film_strip(std::span<const CartpoleFrame> frames, int every, int count);

/// The data of an animation, for the script of the page: {"label":..., "x":[...], "angle":[...], ...}.
std::string film_json(std::span<const CartpoleFrame> frames, std::string_view label);

}  // namespace politex::lab
