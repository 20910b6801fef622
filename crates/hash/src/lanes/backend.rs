//! What the tables of lanes have in common, whatever the hash.

/// A table of lanes.
pub(crate) trait Lanes<State, const N: usize>: Copy {
    /// Takes blocks into each state from the message of the same index: as many from each as the
    /// shortest has.
    fn compress(self, states: &mut [State], messages: &[&[[u8; N]]]);
    /// How many states fill the machine.
    fn lanes(self) -> usize;
    /// The first row from this one on that is worth it for this many states.
    fn for_states(self, count: usize) -> Option<Self>;
    /// Takes blocks into one state.
    fn alone(state: &mut State, blocks: &[[u8; N]]);
}
