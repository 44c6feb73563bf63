import type { CapabilityAliasEvent } from '@agent-trust/contracts';
import { type Decider, unreachable } from '../decider.ts';

type AliasCommand = { alias: string; reason: string; now: string } & (
  | { type: 'ConfirmCapabilityAlias'; name: string }
  | { type: 'UndoCapabilityAlias' }
);

/** What the operator said last of an alias: its name, null for none, undefined for nothing. */
type AliasState = { name: string | null | undefined };

/** The rules of the stream of an alias (`capabilityAliasStream(alias)`). What is said again is not recorded again. */
export const capabilityAliasDecider: Decider<AliasCommand, AliasState, CapabilityAliasEvent> = {
  initialState: { name: undefined },
  evolve: (_state, event) => ({ name: event.type === 'CapabilityAliasConfirmed' ? event.data.name : null }),
  decide: (command, state) => {
    const { alias, reason, now } = command;
    switch (command.type) {
      case 'ConfirmCapabilityAlias': {
        const { name } = command;
        if (state.name === name) return [];
        return [{ type: 'CapabilityAliasConfirmed', data: { alias, name, reason, confirmedAt: now } }];
      }
      case 'UndoCapabilityAlias':
        if (state.name === null) return [];
        return [{ type: 'CapabilityAliasUndone', data: { alias, reason, undoneAt: now } }];
      default:
        return unreachable(command);
    }
  },
};

/** How many organisations have to confirm a name, none of which has a proved domain, for it to be an alias for everybody. */
export const aliasConfirmationsMin = 3;
