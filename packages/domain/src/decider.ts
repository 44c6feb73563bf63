/**
 * The rules of one kind of stream. Pure: time, ids and randomness arrive in the command. `decide` refuses with a `DomainError`; it returns
 * no events if the command changes nothing.
 */
export type Decider<Command, State, Event> = {
  initialState: State;
  evolve: (state: State, event: Event) => State;
  decide: (command: Command, state: State) => Event[];
};

/** The state after a stream's events. */
export function fold<Command, State, Event>(
  decider: Decider<Command, State, Event>,
  events: readonly Event[],
  from: State = decider.initialState,
): State {
  return events.reduce<State>((state, event) => decider.evolve(state, event), from);
}

/** Ends an exhaustive switch: reached only by a fault of the program or by an event of a newer build. */
export function unreachable(value: never): never {
  throw new Error(`no rule for ${JSON.stringify(value)}`);
}
