//! What a record was taken on, as a value of its own that outlives the machine's next step.

use super::{
    AccountFacts, BalanceInputs, BalanceOutcome, Facts, ParkFacts, PeerSnapshot, PickInputs,
    PickOutcome, PickPurpose, ScheduleFacts, TickFacts, TickleInputs, TickleOutcome, WakeFacts,
};
use crate::topology::Topology;

/// [`Facts`] that own what they hold.
#[derive(Clone, Debug)]
#[allow(missing_docs)] // each is described by its type
pub enum Detail {
    Wake(WakeFacts),
    Tickle(TickleInputs<'static>, TickleOutcome),
    Pick(PickInputs<'static>, PickOutcome, PickPurpose),
    Balance(BalanceInputs<'static>, PeerSnapshot, BalanceOutcome),
    Schedule(ScheduleFacts),
    Tick(TickFacts),
    Account(AccountFacts),
    Park(ParkFacts),
    /// An origin: its row says all.
    None,
}

impl Detail {
    /// A copy of these facts, which were recorded on a machine of this topology.
    #[must_use]
    pub fn of(facts: Facts<'_>, topology: &Topology) -> Self {
        match facts {
            Facts::Wake(facts) => Self::Wake(facts.clone()),
            Facts::Tickle(inputs, outcome) => Self::Tickle(inputs.to_owned(), outcome.clone()),
            Facts::Pick(inputs, outcome, purpose) => {
                Self::Pick(inputs.to_owned(), outcome.clone(), purpose)
            }
            Facts::Balance(inputs, peers, outcome) => {
                let peers = PeerSnapshot::of(peers, topology);
                Self::Balance(inputs.to_owned(), peers, outcome.clone())
            }
            Facts::Schedule(facts) => Self::Schedule(facts.clone()),
            Facts::Tick(facts) => Self::Tick(facts.clone()),
            Facts::Account(facts) => Self::Account(facts.clone()),
            Facts::Park(facts) => Self::Park(facts.clone()),
            Facts::None => Self::None,
        }
    }
}
