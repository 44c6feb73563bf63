import { setTimeout as delay } from 'node:timers/promises';
import type { PolicySimulation, PolicyTrial, TrustPolicy } from '@agent-trust/client';
import { UsageError } from '../errors.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type Io, readInput } from '../io.ts';
import { isReplayOver } from '../output/operations-view.ts';
import { jobLine, showPolicies, showSimulation, showTrial } from '../output/policy-view.ts';
import { safeLine } from '../output/safe-text.ts';
import { ask, type Command, command, type Context, type RegistryAccess } from '../program/command.ts';
import { flag, integer } from '../program/option.ts';
import { exitOfReplay, watchedReplay } from './installation.ts';

const operator = ['admin'] as const;
const seedsMax = 20;
const agentsMax = 200;
const watchEveryMs = 1_000;

const policyArgument = {
  name: 'policy',
  description: 'the name of a policy, or a JSON file with one: @policy.json, or - for standard input',
  values: 'file',
} as const;

/** The policy that an argument means. @throws UsageError for a file that is not JSON */
const policyOf = async (given: string, io: Pick<Io, 'readStdin'>): Promise<string | TrustPolicy> => {
  if (given !== '-' && !given.startsWith('@')) return given;
  const text = await readInput(given === '-' ? given : given.slice(1), io);
  try {
    // The registry says what is wrong with one that is no policy.
    return JSON.parse(text) as TrustPolicy;
  } catch (cause) {
    throw new UsageError(`${given} is not JSON`, { cause });
  }
};

/** Asks for a trial or simulation, which ends if nobody does, until it is over. */
const watched = async <Job extends Pick<PolicyTrial, 'state' | 'progress' | 'error'>>(
  first: Job,
  again: () => Promise<Job>,
  { options }: RegistryAccess,
  { io, out }: Context,
): Promise<Job> => {
  let shown = '';
  for (let job = first; ; job = await again()) {
    const line = jobLine(job);
    if (!out.json && line !== shown) io.stderr.write(`${line}\n`);
    shown = line;
    if (job.state !== 'starting' && job.state !== 'running') return job;
    await delay(watchEveryMs, undefined, options.signal === undefined ? {} : { signal: options.signal });
  }
};

const policies = command({
  path: ['ops', 'policy', 'list'],
  summary: 'The trust policies that can be named, and which is in force.',
  examples: { 'Which is in force?': 'agent-trust ops policy list --admin-token-file .data/secrets.json' },
  run: async ({ context }) => {
    await ask(context, operator, (client, asked) => client.ops.policies(asked), showPolicies);
  },
});

const trial = command({
  path: ['ops', 'policy', 'try'],
  summary: 'Who would move under another trust policy? Changes nothing.',
  description: [
    'Computes every score of the log under the policy and the one in force, beside an instance of trust-projection, and waits for the answer.',
    'The policies may be of different formulas. One trial runs at a time: else exit code 6. Ctrl-C ends the waiting; a trial that nobody waits for stops by itself.',
  ].join('\n'),
  arguments: [policyArgument],
  options: { top: integer('--top <number>', `agents to show, up to ${agentsMax}; default 20`, 1, agentsMax) },
  examples: { 'Before a switch': 'agent-trust ops policy try v1 --admin-token-file .data/secrets.json' },
  run: async ({ args: [given = ''], options: { top = 20 }, context }) => {
    const policy = await policyOf(given, context.io);
    const registry = await context.registry(operator);
    const { ops } = registry.client;
    const begun = await ops.startPolicyTrial({ policy }, registry.options);
    const id = begun.trial_id;
    const last = await watched(begun, () => ops.policyTrial(id, registry.options), registry, context);
    if (last.state !== 'done') {
      context.answer(last, () => context.out.line(jobLine(last)));
      return exitCodes.registryFailed;
    }
    const { agents } = await ops.policyTrialAgents(id, { limit: top }, registry.options);
    context.answer({ ...last, agents }, () => showTrial(last, agents, context.out));
    return exitCodes.ok;
  },
});

const simulationExit = ({ state, proven }: PolicySimulation): ExitCode => {
  if (state !== 'done') return exitCodes.registryFailed;
  return proven === true ? exitCodes.ok : exitCodes.gateMissed;
};

const simulate = command({
  path: ['ops', 'policy', 'simulate'],
  summary: 'Attack a trust policy in the simulation, and compare the figures with the gates.',
  description: [
    "Runs the attacks of the policy's formula. Waits for the answer, of formula v2 up to half a minute for each seed.",
    'Exits with 27 when a gate does not hold, but for known misses, or a control meets its gate.',
  ].join('\n'),
  arguments: [policyArgument],
  options: { seeds: integer('--seeds <number>', `with the seeds from 1 to this, at most ${seedsMax}`, 1, seedsMax) },
  examples: { 'Are the gates held?': 'agent-trust ops policy simulate v1 --admin-token-file .data/secrets.json' },
  run: async ({ args: [given = ''], options: { seeds = 1 }, context }) => {
    const policy = await policyOf(given, context.io);
    const registry = await context.registry(operator);
    const { ops } = registry.client;
    const begun = await ops.startPolicySimulation({ policy, seeds: { first: 1, count: seeds } }, registry.options);
    const again = () => ops.policySimulation(begun.simulation_id, registry.options);
    const last = await watched(begun, again, registry, context);
    context.answer(last, () => showSimulation(last, context.out));
    return simulationExit(last);
  },
});

const activate = command({
  path: ['ops', 'policy', 'activate'],
  summary: 'Put a trust policy in force, by a replay: needs the role admin.',
  description: [
    'The read models are built for it beside the live ones; then the activation is appended and they are switched in one step.',
    'With --watch the exit code says how it ended, as that of "agent-trust ops replay". "agent-trust ops cancel-replay" stops it.',
  ].join('\n'),
  arguments: [policyArgument],
  options: {
    yes: flag('--yes', 'really put it in force: every score may change'),
    watch: flag('--watch', 'show how it goes, until it is over'),
  },
  examples: {
    'Back to the first policy':
      'agent-trust ops policy activate v1 --yes --watch --admin-token-file .data/secrets.json',
  },
  run: async ({ args: [given = ''], options, context }) => {
    if (options.yes !== true)
      throw new UsageError('every score may change: try it first ("agent-trust ops policy try"), then add --yes');
    const policy = await policyOf(given, context.io);
    const registry = await context.registry(operator);
    const begun = await registry.client.ops.activatePolicy({ policy }, registry.options);
    const last = options.watch === true ? await watchedReplay(begun, registry, context) : begun;
    context.answer(last, () => {
      const { out } = context;
      if (!isReplayOver(last))
        return out.line(safeLine(`The switch has begun: agent-trust ops replays ${last.replay_id}`));
      const change = last.result?.activation;
      if (last.state !== 'switched' || change == null) return out.line(safeLine(`${last.state}: ${last.error ?? ''}`));
      const { position, moved, agents } = change;
      return out.line(
        safeLine(`${last.policy} is in force from position ${position} on; ${moved} of ${agents} scores changed.`),
      );
    });
    return exitOfReplay(last);
  },
});

export const policyLabCommands: readonly Command[] = [policies, trial, simulate, activate];
