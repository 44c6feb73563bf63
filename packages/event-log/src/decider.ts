import type { JsonObject } from './port.ts';

/** What happened, as the domain says it; ids and metadata come from whoever handles the command. */
export type DomainEvent<Type extends string = string, Data extends object = JsonObject> = { type: Type; data: Data };

/** The rules of one kind of stream, pure: no I/O, clock or randomness. */
export type Decider<Command, State, Event extends DomainEvent<string, object>> = {
  initialState: State;
  /** The state after one more event. */
  evolve(state: State, event: Event): State;
  /** The events that the command causes in this state, none when nothing is left to do; throws when a rule refuses it. */
  decide(command: Command, state: State): Event[];
};
