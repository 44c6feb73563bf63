/**
 * A decider: the rules of one kind of stream. Pure; time, ids and randomness arrive inside the command.
 * `decide` refuses with a `DomainError`; no event means that the command changes nothing.
 */
export type Decider<Command, State, Event> = {
  initialState: State;
  evolve: (state: State, event: Event) => State;
  decide: (command: Command, state: State) => Event[];
};

/** The state that a stream's events lead to. */
export function fold<Command, State, Event>(
  decider: Decider<Command, State, Event>,
  events: readonly Event[],
  from: State = decider.initialState,
): State {
  return events.reduce<State>((state, event) => decider.evolve(state, event), from);
}

/** Ends a switch that has met every case: reaching it is a fault of the program or an event of a newer one. */
export function unreachable(value: never): never {
  throw new Error(`no rule for ${JSON.stringify(value)}`);
}
