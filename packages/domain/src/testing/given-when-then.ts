import { DomainError, type ErrorCode } from '@agent-trust/contracts';
import { expect } from 'vitest';
import { type Decider, fold } from '../decider.ts';

export type Then<Event> = {
  /** The command produces exactly these events, and the state can apply them. */
  then: (events: readonly Event[]) => void;
  /** The command changes nothing. */
  thenNothing: () => void;
  /** The command is refused with this code; returns the refusal for further checks. */
  thenRefused: (code: ErrorCode) => DomainError;
};
export type Given<Command, Event> = (history: readonly Event[]) => { when: (command: Command) => Then<Event> };

/** The vocabulary of a decider's test: `given([...]).when(command).then([...])`. */
export function givenFor<Command, State, Event>(decider: Decider<Command, State, Event>): Given<Command, Event> {
  return (history) => ({
    when: (command) => {
      const state = fold(decider, history);
      const decided = (): Event[] => decider.decide(command, state);
      return {
        // oxlint-disable-next-line unicorn/no-thenable -- given, when, then; this object is never awaited
        then: (events) => {
          expect(decided()).toEqual(events);
          expect(() => fold(decider, events, state)).not.toThrow();
        },
        thenNothing: () => expect(decided()).toEqual([]),
        thenRefused: (code) => {
          const refusal = refusalOf(decided);
          expect(refusal).toMatchObject({ code });
          return refusal;
        },
      };
    },
  });
}

const refusalOf = (decided: () => unknown): DomainError => {
  try {
    decided();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('the command was not refused');
};
