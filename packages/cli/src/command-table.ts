import type { Command } from './program/command.ts';

/** A word after `agent-trust`: one command, or a group of them. Its file is loaded on demand. */
type TableEntry = { name: string; summary: string; load: () => Promise<readonly Command[]> };

const entry = (name: string, load: () => Promise<{ commands: readonly Command[] }>, summary: string): TableEntry => ({
  name,
  summary,
  load: async () => (await load()).commands.filter(({ path }) => path[0] === name),
});

const discover = () => import('./commands/discover.ts');
const keys = () => import('./commands/keys.ts');
const register = () => import('./commands/register.ts');
const record = () => import('./commands/record.ts');
const trust = () => import('./commands/trust.ts');

/** Every command, in the order of the help: discover, decide, call, review; then one's own agents and organisation. */
export const commandTable: readonly TableEntry[] = [
  entry('verify', discover, 'How far an agent can be trusted.'),
  entry('match', discover, 'Find agents by capability, rail, organisation or protocol.'),
  entry('registry', discover, 'List all agents that can be called, most trusted first.'),
  entry('capabilities', discover, 'What agents can be asked for, and by which names.'),
  entry('show', discover, 'The profile of an agent, with the ratings it received, newest first.'),
  entry('trust', trust, 'Why a trust score is what it is, or was at any moment.'),
  entry('trust-history', trust, 'Every change of a trust score with its cause.'),
  entry('record', record, 'How far an organisation answers for its agents, and why.'),
  entry('record-history', record, "Every change of an organisation's record with its cause."),
  entry('call', () => import('./commands/call.ts'), 'Send a message to an agent through the registry.'),
  entry('review', () => import('./commands/review.ts'), 'Rate an exchange, and show the trust score that results.'),
  entry('answer', () => import('./commands/review.ts'), 'Answer a rating that an agent of yours received.'),
  entry('pay', () => import('./commands/pay.ts'), "Relay a request with a payment to an agent's endpoint (x402)."),
  entry('register', register, 'Register an agent.'),
  entry('claim', keys, "Redeem a claim link for an agent's bearer key."),
  entry('rotate', keys, 'Ask for a new bearer key, or a claim link for one.'),
  entry('whoami', keys, 'Which agent the key belongs to.'),
  entry('keygen', keys, 'Make a private key for an agent to sign with.'),
  entry('update', () => import('./commands/update.ts'), 'Change the fields of an agent.'),
  entry('retire', () => import('./commands/update.ts'), 'Take an agent out of service for good.'),
  entry('import', register, 'Preview a registration from the agent card that a domain publishes.'),
  entry('org', () => import('./commands/org.ts'), "An organisation's keys, agents and payments."),
  entry('events', () => import('./commands/events.ts'), 'What happened, to an agent of yours or in the whole log.'),
  entry('webhooks', () => import('./commands/webhooks.ts'), 'Have changes of trust scores sent to an address.'),
  entry(
    'listen',
    () => import('./commands/listen.ts'),
    'Try webhooks: hand their messages to an address of this machine.',
  ),
  entry('log', () => import('./commands/log.ts'), 'Verify that the log was not rewritten, and that a review is in it.'),
  entry('sandbox', () => import('./commands/sandbox.ts'), 'Move, promote and preview agents of the sandbox.'),
  entry(
    'ops',
    () => import('./commands/ops.ts'),
    'For operators: see the state, replay, suspend agents, disable organisations, void reviews, erase contacts, vouch for domains.',
  ),
  entry('health', discover, 'State of the registry and of its dependencies.'),
  entry('config', () => import('./commands/config.ts'), 'The saved settings: registry, agents and which keys.'),
  entry(
    'completion',
    () => import('./commands/completion.ts'),
    'The script that completes words in bash, zsh or fish.',
  ),
];
