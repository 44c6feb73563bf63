import type { Command } from './program/command.ts';

/** A word after `agent-trust`: one command, or a group of them. Its file is loaded when it is wanted. */
export type TableEntry = { name: string; summary: string; hidden?: boolean; load: () => Promise<readonly Command[]> };

/** Every command, in the order of the help: discover, decide, call, review; then one's own agents and organisation. */
export const commandTable: readonly TableEntry[] = [
  {
    name: 'verify',
    summary: 'how far an agent can be trusted',
    load: async () => [(await import('./commands/verify.ts')).verify],
  },
  {
    name: 'match',
    summary: 'find agents by capability, rail, organisation or protocol',
    load: async () => [(await import('./commands/match.ts')).match],
  },
  {
    name: 'registry',
    summary: 'list all agents that can be called, most trusted first',
    load: async () => [(await import('./commands/registry.ts')).registry],
  },
  {
    name: 'show',
    summary: 'the profile of an agent, with the ratings it received',
    load: async () => [(await import('./commands/show.ts')).show],
  },
  {
    name: 'trust',
    summary: 'why a trust score is what it is, or was at any moment',
    load: async () => [(await import('./commands/trust.ts')).trust],
  },
  {
    name: 'trust-history',
    summary: 'every change of a trust score with what caused it',
    load: async () => [(await import('./commands/trust-history.ts')).trustHistory],
  },
  {
    name: 'call',
    summary: 'send a message to an agent through the registry',
    load: async () => [(await import('./commands/call.ts')).call],
  },
  {
    name: 'review',
    summary: 'rate an exchange',
    load: async () => [(await import('./commands/review.ts')).review],
  },
  {
    name: 'pay',
    summary: "relay a request that carries a payment to an agent's endpoint (x402)",
    load: async () => [(await import('./commands/pay.ts')).pay],
  },
  {
    name: 'register',
    summary: 'register an agent',
    load: async () => [(await import('./commands/register.ts')).register],
  },
  {
    name: 'claim',
    summary: "redeem a claim link for an agent's bearer key",
    load: async () => [(await import('./commands/claim.ts')).claim],
  },
  {
    name: 'rotate',
    summary: 'ask for a new bearer key, or a claim link for one',
    load: async () => [(await import('./commands/rotate.ts')).rotate],
  },
  {
    name: 'keygen',
    summary: 'make a private key for an agent to sign with',
    load: async () => [(await import('./commands/keygen.ts')).keygen],
  },
  {
    name: 'update',
    summary: 'change the fields of an agent',
    load: async () => [(await import('./commands/update.ts')).update],
  },
  {
    name: 'import',
    summary: "preview a registration from a domain's agent card",
    load: async () => [(await import('./commands/import.ts')).importAgent],
  },
  {
    name: 'org',
    summary: "an organisation's keys, agents and payments",
    load: async () => (await import('./commands/org.ts')).orgCommands,
  },
  {
    name: 'sandbox',
    summary: 'move agents between sandbox and production, promote and preview',
    load: async () => (await import('./commands/sandbox.ts')).sandboxCommands,
  },
  {
    name: 'ops',
    summary: "for operators: erase an agent's contact",
    load: async () => (await import('./commands/ops.ts')).opsCommands,
  },
  {
    name: 'health',
    summary: 'state of the registry and of what it depends on',
    load: async () => [(await import('./commands/health.ts')).health],
  },
  {
    name: 'config',
    summary: 'what is saved: registry, agents and which keys',
    load: async () => (await import('./commands/config.ts')).configCommands,
  },
  {
    name: 'completion',
    summary: 'the script that completes this command line in bash, zsh or fish',
    load: async () => [(await import('./commands/completion.ts')).completion],
  },
];
