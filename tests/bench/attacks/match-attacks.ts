import { randomBytes } from 'node:crypto';
import { createOrganisation, httpTo } from '../../support/registry.ts';
import type { Attack, PreparedAttack } from './attack.ts';
import { startFlood } from './flood.ts';

/** More than an instance keeps answers for, so that the attacker's names are always new. */
const connections = 9;
const bodiesOfConnection = 60;
const namesOfQuestion = 32;

/** Words of the taxonomy among others: a search finds much to compare, and never the name itself. */
const words = [
  'translation',
  'review',
  'contract',
  'image',
  'planning',
  'payment',
  'search',
  'data',
  'analysis',
  'booking',
];
const unknownName = (): string => {
  const some = Array.from({ length: 3 }, () => words[Math.floor(Math.random() * words.length)]);
  return `${some.join('_')}_${randomBytes(4).toString('hex')}`;
};
const questionOf = (count: number): string =>
  JSON.stringify({ required_capabilities: Array.from({ length: count }, unknownName) });

/** One address asks for names that nobody knows, while an organisation does as it always did. */
export const matchAttacks: readonly Attack[] = [
  {
    name: 'nine connections that ask for 32 unknown names each',
    aim: { p99MsMax: 300 },
    prepare: async (stack) => {
      const { key } = await createOrganisation(stack);
      return {
        probe: async () => {
          const { status, text } = await httpTo(stack.url).post('/match', JSON.parse(questionOf(1)), {
            'x-api-key': key,
          });
          if (status !== 200) throw new Error(`a search returned ${status}: ${text.slice(0, 200)}`);
        },
        begin: () =>
          startFlood({
            url: `${stack.url}/match`,
            shared: '',
            connections: Array.from({ length: connections }, () => ({
              headers: {},
              bodies: Array.from({ length: bodiesOfConnection }, () => questionOf(namesOfQuestion)),
            })),
          }),
        end: async () => undefined,
      } satisfies PreparedAttack;
    },
  },
];
