import type { JsonObject } from './port.ts';

/** An event in terms of the domain; the command handler adds ids and metadata. */
export type DomainEvent<Type extends string = string, Data extends object = JsonObject> = { type: Type; data: Data };

/** The rules of one kind of stream, pure: no I/O, clock or randomness. */
export type Decider<Command, State, Event extends DomainEvent<string, object>> = {
  initialState: State;
  /** The state after one more event. */
  evolve(state: State, event: Event): State;
  /** The events that the command causes in this state, none if nothing is left to do; throws if a rule refuses the command. */
  decide(command: Command, state: State): Event[];
};
