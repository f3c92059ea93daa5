/** Times are counted from 1 µs to 1 h. */
export const LOWEST_US = 1;
export const HIGHEST_US = 3_600_000_000;
export const SIGNIFICANT_DIGITS = 3;
/** A new histogram reaches this far and grows by itself: most never see a second, and one that reaches 1 h takes 94 kB. */
export const FIRST_HIGHEST_US = 1_048_575;
