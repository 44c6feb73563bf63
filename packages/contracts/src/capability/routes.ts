import { z } from 'zod';
import { answer, commandErrors, type Route, route } from '../http/route.ts';
import { operatorReason, operatorRoute } from '../operator/operator-route.ts';
import { capabilityName } from './name.ts';

const reason = operatorReason('the log');
const alias = capabilityName.describe('The alias, in any spelling.');
const params = z.object({ alias });
const shown = {
  alias: z.string().describe('The alias in its normal form.'),
  name: z.string().nullable().describe('The capability that it stands for; null if it is none.'),
};

const capabilityAliasWire = z
  .object(shown)
  .meta({ id: 'CapabilityAlias', description: 'What a name stands for in production, as the operator has it.' });
export type CapabilityAliasWire = z.infer<typeof capabilityAliasWire>;

export const confirmCapabilityAliasRoute = route({
  ...operatorRoute,
  path: '/ops/capability-aliases/{alias}/confirm',
  operationId: 'confirmCapabilityAlias',
  summary: 'Make a name an alias of a capability',
  description:
    'In production, for everybody, however few organisations have confirmed it. A name or alias of the seed taxonomy keeps its meaning. ' +
    'May be repeated.',
  params,
  body: z
    .strictObject({ name: capabilityName.describe('The capability that is meant.'), reason })
    .meta({ id: 'AliasConfirmation', description: 'What the alias stands for, and why.' }),
  bodyExamples: {
    confirmation: { summary: 'An alias', value: { name: 'machine_translation', reason: 'Usual in the trade' } },
  },
  answers: {
    200: answer('An alias, by this request or before.', capabilityAliasWire, {
      alias: 'text_translating',
      name: 'machine_translation',
    }),
  },
  errors: [...commandErrors],
});

export const undoCapabilityAliasRoute = route({
  ...operatorRoute,
  path: '/ops/capability-aliases/{alias}/undo',
  operationId: 'undoCapabilityAlias',
  summary: 'Undo an alias that the registry has learned',
  description:
    'In production. It is not learned again, unless it is confirmed by the operator. Agents keep their capabilities, and the aliases of the ' +
    'seed taxonomy and of sandboxes stay. May be repeated.',
  params,
  body: z.strictObject({ reason }).meta({ id: 'AliasUndoing', description: 'Why it is no alias.' }),
  bodyExamples: { undoing: { summary: 'A reason', value: { reason: 'Leads callers to the wrong agents' } } },
  answers: {
    200: answer('No alias, by this request or before.', capabilityAliasWire, { alias: 'text_translating', name: null }),
  },
  errors: [...commandErrors],
});

export const capabilityRoutes: readonly Route[] = [confirmCapabilityAliasRoute, undoCapabilityAliasRoute];
