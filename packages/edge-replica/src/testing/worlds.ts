import type { mutants } from './mutants.ts';
import type { Bounds } from './world.ts';

const nothing = { drops: 0, repeats: 0, ticks: 0, takeovers: 0, handovers: 0, renewals: [] };
const shared = { ...nothing, writes: 'a', rows: 'shared' } as const;
const own = { ...nothing, writes: 'a', rows: 'own' } as const;

/** Worlds that are explored completely in seconds. */
export const smallWorlds = {
  'joins and fills': { ...shared, warm: false, joins: [1], reads: [2] },
  'joins and fills, a change of a dependency': { ...shared, writes: 'd', warm: false, joins: [1], reads: [2] },
  'another dependency': { ...shared, writes: 'me', warm: true, joins: [1], reads: [2] },
  'what it depended on': { ...shared, writes: 'md', warm: false, joins: [1], reads: [2] },
  'two members': { ...shared, warm: true, joins: [1, 1], reads: [1, 1] },
  'a lost message': { ...shared, writes: 'ab', warm: true, drops: 1, joins: [1], reads: [1] },
  'leases end': { ...shared, warm: true, joins: [1], renewals: [1], reads: [1], ticks: 4 },
  'hears no feed': { ...shared, warm: true, joins: [1], renewals: [3], reads: [0], ticks: 6, isDeaf: true },
  'joins again': { ...shared, warm: true, joins: [2], reads: [2], ticks: 3 },
  'a join comes twice': { ...shared, warm: false, joins: [1], reads: [2], repeats: 1 },
  'a handover': { ...shared, warm: true, joins: [2], reads: [1], handovers: 1 },
  'rare changes alone': {
    ...shared,
    writes: 'bd',
    frequent: 'b',
    scopes: ['rare'],
    warm: true,
    joins: [1],
    reads: [2],
  },
  'a batch with a frequent change': {
    ...shared,
    writes: 'x',
    frequent: 'b',
    scopes: ['rare'],
    warm: true,
    joins: [1],
    reads: [1],
  },
  'depends on a frequent change': {
    ...shared,
    writes: 'd',
    scopes: ['rare'],
    warm: false,
    joins: [2],
    reads: [3],
  },
  'one of each scope': {
    ...shared,
    writes: 'x',
    frequent: 'b',
    scopes: ['rare', 'all'],
    warm: true,
    joins: [1, 1],
    reads: [1, 1],
  },
  'answers from memory': { ...own, warm: true, joins: [1, 0], reads: [1, 1] },
} satisfies Record<string, Bounds>;

/** Worlds that take minutes. */
export const largeWorlds = {
  'two members fill': { ...shared, warm: false, joins: [1, 1], reads: [2, 1] },
  'comes to depend on a frequent change': {
    ...shared,
    writes: 'me',
    frequent: 'e',
    scopes: ['rare'],
    warm: true,
    joins: [2],
    reads: [3],
  },
  'another scope, and a takeover': {
    ...shared,
    writes: 'd',
    scopes: ['rare'],
    warm: true,
    joins: [2],
    reads: [2],
    ticks: 4,
    takeovers: 1,
  },
  'two writes': { ...shared, writes: 'ad', warm: false, joins: [1], reads: [3] },
  'two writes, another dependency': { ...shared, writes: 'me', warm: false, joins: [1], reads: [3] },
  'three writes': { ...shared, writes: 'dme', warm: true, joins: [1], reads: [3] },
  'two members, a lost message': { ...shared, writes: 'ab', warm: true, drops: 1, joins: [1, 1], reads: [1, 1] },
  'a late grant': { ...shared, warm: false, joins: [1], reads: [2], ticks: 4 },
  'a takeover': { ...shared, warm: true, joins: [1], renewals: [1], reads: [1], ticks: 4, takeovers: 1 },
  'a takeover, and joins again': { ...shared, warm: true, joins: [2], reads: [1], ticks: 6, takeovers: 1 },
  'a takeover of what is in memory': { ...own, warm: true, joins: [1], reads: [1], ticks: 6, takeovers: 1 },
  'a takeover without members': { ...own, warm: false, joins: [0], reads: [2], ticks: 6, takeovers: 1 },
} satisfies Record<string, Bounds>;

const worlds = { ...smallWorlds, ...largeWorlds };

/** A world that shows what happens without a rule. */
export const worldOf: Record<keyof typeof mutants, keyof typeof worlds> = {
  'serves after its lease': 'leases end',
  'lengthens its lease without an answer': 'leases end',
  'counts its lease from the grant': 'a late grant',
  'revives its lease, and is taken back': 'leases end',
  'stays a member without hearing its feed': 'hears no feed',
  'renews the lease of one that applies nothing': 'hears no feed',
  'overlooks a gap': 'a lost message',
  'says that it has applied what it will apply': 'two members',
  'drops only the object itself': 'another dependency',
  'keeps an answer that a change has overtaken': 'joins and fills',
  'keeps an answer that lacks an announced change': 'joins and fills',
  'keeps an answer whose own key has changed': 'joins and fills',
  'keeps an answer whatever it depends on': 'joins and fills, a change of a dependency',
  'forgets what was announced': 'joins and fills',
  'shares a question whose answer a change has overtaken': 'joins and fills',
  'shares a question until a change of its own key': 'joins and fills, a change of a dependency',
  'shares a question that was asked while a change was announced': 'joins and fills',
  'takes what was announced before the grant for visible': 'joins and fills',
  'keeps what it asked before the grant': 'joins and fills',
  'keeps what it asked under another lease': 'joins again',
  'shares a question without a lease': 'joins and fills',
  'says that it left, and goes on': 'a handover',
  'a second join moves the book': 'a join comes twice',
  'forgets too early': 'leases end',
  'shows before all have applied': 'two members',
  'keeps an answer whose changes it does not hear of': 'depends on a frequent change',
  'shares a question whose changes it does not hear of': 'depends on a frequent change',
  'does not wait for those that cover frequent changes': 'two members',
  'takes a batch with a frequent change for a frequent change': 'a batch with a frequent change',
  'answers what was announced': 'answers from memory',
  'goes on leading': 'a takeover of what is in memory',
  'opens before it has caught up': 'a takeover without members',
  'reads the end of the log while the other leads': 'a takeover without members',
  'does not wait for old leases': 'a takeover',
  'counts old leases from the lock': 'a takeover',
  'hands over while it has members': 'a handover',
};

export function boundsOf(mutant: keyof typeof mutants): Bounds {
  return worlds[worldOf[mutant]];
}
