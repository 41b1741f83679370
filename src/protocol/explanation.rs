//! Why a record is as it is, ready to be shown.

use super::Record;
use serde::{Deserialize, Serialize};

/// Why a record is as it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// Which record.
    pub record: Record,
    /// The deciding function, such as `runq_tickle`.
    pub function: String,
    /// The leaf's code, such as `B4`.
    pub code: String,
    /// Which of its kind it is, counted from 1, and of how many so far.
    pub ordinal: (u32, u32),
    /// Why, in a sentence or two.
    pub sentence: Vec<Piece>,
    /// The inputs, with units.
    pub facts: Vec<FactRow>,
    /// The masks and how they combine.
    pub masks: Vec<MaskRow>,
    /// Name of the rule table, such as `before the patch`.
    pub table_title: String,
    /// The decision table.
    pub table: Vec<RuleRow>,
    /// Who was looked at, and why not taken.
    pub candidates: Vec<Candidate>,
    /// What an accounting gives to whom.
    pub shares: Option<Table>,
    /// Counters cranked.
    pub counters: Vec<String>,
    /// What the same state gives with a patch flipped, for each that the decision depends on; those
    /// that make a difference first.
    pub sides: Vec<OtherSide>,
    /// Patches that touch the record but cannot be asked on its state.
    pub unasked: Vec<Unasked>,
    /// What led here and what followed, oldest first.
    pub chain: Vec<ChainLink>,
    /// Source of the rule.
    pub source: String,
    /// What came out.
    pub outcome: Outcome,
}

/// What a decision came to, for whoever has guessed it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// It is no decision between pCPUs or vCPUs.
    #[default]
    Other,
    /// The pCPUs that are told, the one chosen, or the one that is stolen from; may be none.
    Pcpus(Vec<u16>),
    /// The vCPU that runs next; none for idle.
    Runs(Option<u16>),
}

/// A piece of a sentence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Piece {
    /// Words.
    Text(String),
    /// A vCPU; shown by its name in its domain's colour.
    Vcpu(u16),
    /// A pCPU; shown as `p3`.
    Pcpu(u16),
    /// Words to stress, such as a priority.
    Strong(String),
    /// The point of the story, lit.
    Lit(String),
}

/// An input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FactRow {
    /// What.
    pub label: String,
    /// Its value, with unit.
    pub value: Vec<Piece>,
}

/// A mask as a row of bits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MaskRow {
    /// What.
    pub label: Vec<Piece>,
    /// The bits, pCPU 0 first.
    pub bits: Vec<bool>,
    /// How it comes about.
    pub role: MaskRole,
}

/// How a mask comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MaskRole {
    /// Given.
    Input,
    /// The rows above, combined by AND.
    And,
    /// Added to the row above.
    Or,
    /// What comes out.
    Result,
}

/// A row of the decision table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RuleRow {
    /// The leaf's code.
    pub code: String,
    /// When.
    pub when: String,
    /// What follows.
    pub then: String,
    /// Whether it was taken.
    pub taken: bool,
}

/// Somebody or something looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// Who.
    pub who: Vec<Piece>,
    /// Why or why not.
    pub verdict: Vec<Piece>,
    /// Whether it was taken.
    pub taken: bool,
}

/// A table with a line of text under some of its rows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// What its numbers are in.
    pub unit: String,
    /// The names of its columns.
    pub head: Vec<String>,
    /// Its rows.
    pub rows: Vec<TableRow>,
}

/// A row of a [`Table`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TableRow {
    /// A cell per column.
    Cells(Vec<Vec<Piece>>),
    /// A line of text under the row before.
    Under {
        /// Whom it is about.
        who: Vec<Piece>,
        /// What is said.
        what: Vec<Piece>,
        /// Whether something happens to them.
        lit: bool,
    },
}

/// What the same state gives with a patch flipped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherSide {
    /// The patch's number.
    pub patch: u8,
    /// Whether the patch is on over there.
    pub on: bool,
    /// Whether the outcome is another one.
    pub differs: bool,
    /// The leaf's code over there.
    pub code: String,
    /// The outcome, in a sentence.
    pub sentence: Vec<Piece>,
    /// The pCPUs tickled over there, pCPU 0 first; empty if it is not about tickling.
    pub bits: Vec<bool>,
}

/// A patch that cannot be asked on one state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Unasked {
    /// The patch's number.
    pub patch: u8,
    /// Why not: a sentence whose subject is the patch.
    pub sentence: String,
}

/// A link of the chain of causes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainLink {
    /// The record, to go there.
    pub record: Record,
    /// What happened.
    pub sentence: Vec<Piece>,
    /// Whether it came before, is, or came after the explained record.
    pub tone: Tone,
}

/// Where a link of the chain stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tone {
    /// It led to the record.
    Cause,
    /// It is the record.
    Here,
    /// It followed from the record.
    Effect,
}
