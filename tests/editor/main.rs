//! The scenario editor: its table of fields, texts and units, undo and redo, files, the schema.

mod edits;
mod fields;
mod files;
mod schema;

#[path = "../../sim-core/tests/properties/generate.rs"]
#[allow(dead_code)] // the patches are not drawn here
mod generate;
