import type { CapabilityAliasEvent } from '@agent-trust/contracts';
import { it } from 'vitest';
import { atSecond, givenFor } from '../testing/index.ts';
import { capabilityAliasDecider } from './alias.ts';

const given = givenFor(capabilityAliasDecider);
const about = { alias: 'mt', reason: 'why', now: atSecond(0) };
const confirm = (name = 'translation') => ({ type: 'ConfirmCapabilityAlias', name, ...about }) as const;
const undo = { type: 'UndoCapabilityAlias', ...about } as const;
const confirmed = (name = 'translation'): CapabilityAliasEvent => ({
  type: 'CapabilityAliasConfirmed',
  data: { alias: 'mt', name, reason: 'why', confirmedAt: atSecond(0) },
});
const undone: CapabilityAliasEvent = {
  type: 'CapabilityAliasUndone',
  data: { alias: 'mt', reason: 'why', undoneAt: atSecond(0) },
};

it('the operator confirms an alias, for another capability too, and undoes it; what is said again is not recorded', () => {
  given([]).when(confirm()).then([confirmed()]);
  given([confirmed()]).when(confirm()).thenNothing();
  given([confirmed()])
    .when(confirm('ocr'))
    .then([confirmed('ocr')]);
  given([confirmed()]).when(undo).then([undone]);
  given([]).when(undo).then([undone]);
  given([undone]).when(undo).thenNothing();
  given([undone]).when(confirm()).then([confirmed()]);
});
