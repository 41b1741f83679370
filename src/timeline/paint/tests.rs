//! Pictures of known tiles.
