//! Goal: the worked examples of the scheduler's description (E1 to E16) come out with their
//! numbers. Method: wake-ups and schedules as runs of a small machine, the rest by asking the pure
//! functions.

mod accounting;
mod bench;
mod counts;
mod places;
mod wakes;
