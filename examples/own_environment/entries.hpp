// What the program needs to know about the two environments: names, keys with ranges, and how to make them.
#pragma once

#include "heater.hpp"
#include "inventory.hpp"
#include "politex/env/entry.hpp"

/// The member's initial value is the default of its key.
struct ShopOptions {
  int capacity = 8;
  double demand = 0.6;
};

inline politex::Keys shop_keys() {
  using politex::key, politex::number, politex::whole;
  return politex::Keys{
             key<&ShopOptions::capacity>("environment.capacity", "most items in stock", whole(2, 1000)),
             key<&ShopOptions::demand>("environment.demand", "probability that a customer buys", number(0, 1))} +
         politex::finite_keys();
}

/// A finite environment has a space and a model, which is compiled from the type's own functions.
inline const politex::EnvironmentEntry& shop_entry() {
  static const politex::EnvironmentEntry entry{
      .name = "shop",
      .help = "a shop that orders items each evening",
      .keys = shop_keys(),
      .space =
          [](const politex::Values& values) {
            const auto options = politex::read<ShopOptions>(shop_keys(), values);
            return politex::finite_space("shop", options.capacity + 1, 3, options.capacity);
          },
      .model =
          [](const politex::Values& values) {
            const auto options = politex::read<ShopOptions>(shop_keys(), values);
            const Inventory shop(options.capacity, options.demand);
            return politex::with_finite_keys(politex::compile(shop, "shop", options.capacity, 0), values);
          }};
  return entry;
}

/// Any other environment has a space and makes blocks of itself.
inline const politex::EnvironmentEntry& heater_entry() {
  static const politex::EnvironmentEntry entry{
      .name = "heater",
      .help = "a room that is heated or not, while the weather changes",
      .space =
          [](const politex::Values&) {
            politex::Space space;
            space.name = "heater";
            space.actions = 2;
            space.ranges = {{-1.0, 1.0}, {-1.0, 1.0}};
            return space;
          },
      .block = [](const politex::Values&,
                  const politex::BlockRequest& request) { return politex::block_of(Heater{}, request); }};
  return entry;
}
