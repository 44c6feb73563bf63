import type { Command } from './program/command.ts';

/** A word after `agent-trust`: one command, or a group of them. Its file is loaded on demand. */
export type TableEntry = { name: string; summary: string; hidden?: boolean; load: () => Promise<readonly Command[]> };

const entry = (name: string, summary: string, load: TableEntry['load']): TableEntry => ({ name, summary, load });

/** Every command, in the order of the help: discover, decide, call, review; then one's own agents and organisation. */
export const commandTable: readonly TableEntry[] = [
  entry('verify', 'how far an agent can be trusted', async () => [(await import('./commands/verify.ts')).verify]),
  entry('match', 'find agents by capability, rail, organisation or protocol', async () => [
    (await import('./commands/match.ts')).match,
  ]),
  entry('registry', 'list all agents that can be called, most trusted first', async () => [
    (await import('./commands/registry.ts')).registry,
  ]),
  entry('show', 'the profile of an agent, with the ratings it received', async () => [
    (await import('./commands/show.ts')).show,
  ]),
  entry('trust', 'why a trust score is what it is, or was at any moment', async () => [
    (await import('./commands/trust.ts')).trust,
  ]),
  entry('trust-history', 'every change of a trust score with what caused it', async () => [
    (await import('./commands/trust-history.ts')).trustHistory,
  ]),
  entry('call', 'send a message to an agent through the registry', async () => [
    (await import('./commands/call.ts')).call,
  ]),
  entry('review', 'rate an exchange', async () => [(await import('./commands/review.ts')).review]),
  entry('pay', "relay a request that carries a payment to an agent's endpoint (x402)", async () => [
    (await import('./commands/pay.ts')).pay,
  ]),
  entry('register', 'register an agent', async () => [(await import('./commands/register.ts')).register]),
  entry('claim', "redeem a claim link for an agent's bearer key", async () => [
    (await import('./commands/claim.ts')).claim,
  ]),
  entry('rotate', 'ask for a new bearer key, or a claim link for one', async () => [
    (await import('./commands/rotate.ts')).rotate,
  ]),
  entry('keygen', 'make a private key for an agent to sign with', async () => [
    (await import('./commands/keygen.ts')).keygen,
  ]),
  entry('update', 'change the fields of an agent', async () => [(await import('./commands/update.ts')).update]),
  entry('import', "preview a registration from a domain's agent card", async () => [
    (await import('./commands/import.ts')).importAgent,
  ]),
  entry(
    'org',
    "an organisation's keys, agents and payments",
    async () => (await import('./commands/org.ts')).orgCommands,
  ),
  entry(
    'sandbox',
    'move agents between sandbox and production, promote and preview',
    async () => (await import('./commands/sandbox.ts')).sandboxCommands,
  ),
  entry('ops', "for operators: erase an agent's contact", async () => (await import('./commands/ops.ts')).opsCommands),
  entry('health', 'state of the registry and of what it depends on', async () => [
    (await import('./commands/health.ts')).health,
  ]),
  entry(
    'config',
    'what is saved: registry, agents and which keys',
    async () => (await import('./commands/config.ts')).configCommands,
  ),
  entry('completion', 'the script that completes this command line in bash, zsh or fish', async () => [
    (await import('./commands/completion.ts')).completion,
  ]),
];
