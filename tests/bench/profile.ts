import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Stack, startStack } from '@agent-trust/dev-stack';
import { bearer, callBody, createOrganisation, httpTo, registerAgent } from '../support/registry.ts';
import { startHelper } from './helper-process.ts';
import { load, type LoadTarget } from './load.ts';
import { matchQuestions } from './match-questions.ts';
import { benchRegister } from './register.ts';
import { benchReview } from './review.ts';

export const profiledLoads = ['verify', 'agent', 'call', 'register', 'review', 'match'] as const;
export type ProfiledLoad = (typeof profiledLoads)[number];

const connections = 32;
const functionsShown = 15;

/** Runs one load against a stack of its own whose services write processor profiles, and says which functions took most. */
export async function profileLoad(name: ProfiledLoad, seconds: number, say: (line: string) => void): Promise<void> {
  const folder = resolve('profiles', name);
  await mkdir(folder, { recursive: true });
  const before = new Set(await readdir(folder));
  const env = { ...process.env, NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` };
  const stack = await startStack({ ephemeral: true, env: { ...env, REGISTRATIONS_PER_MINUTE: '0' } });
  const names = new Map(stack.processes().map((one) => [String(one.pid), one.name]));
  try {
    await runLoad(name, stack, seconds);
  } finally {
    await stack.stop();
  }
  for (const file of (await readdir(folder)).filter((one) => !before.has(one))) {
    const pid = file.split('.')[3] ?? '';
    say(`${names.get(pid) ?? 'another process'}: ${join(folder, file)}`);
    for (const line of mostBusy(JSON.parse(await readFile(join(folder, file), 'utf8')) as Profile)) say(line);
  }
  say('Chrome (DevTools, Performance) and speedscope show these files.');
}

const runLoad = async (name: ProfiledLoad, stack: Stack, seconds: number): Promise<void> => {
  if (name === 'register') {
    await benchRegister(stack, stack.postgresUrl ?? '', seconds);
    return;
  }
  if (name === 'review') {
    await benchReview(stack, stack.postgresUrl ?? '', seconds);
    return;
  }
  const http = httpTo(stack.url);
  const agent = await startHelper('agent.ts');
  try {
    const { key } = await createOrganisation(stack);
    const capabilities = ['quoting', 'invoicing', 'freight_booking'];
    const caller = await registerAgent(http, { key, fields: { capabilities } });
    const receiver = await registerAgent(http, { key, fields: { endpoint_url: agent.url, capabilities } });
    const post = (path: string, ...bodies: unknown[]): LoadTarget => ({
      url: `${stack.url}${path}`,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...bearer(caller.key) },
      bodies: bodies.map((body) => JSON.stringify(body)),
    });
    const targets: Record<Exclude<ProfiledLoad, 'register' | 'review'>, LoadTarget> = {
      verify: post('/verify', { agent_id: receiver.agentId }),
      agent: { url: `${stack.url}/agent/${receiver.agentId}`, method: 'GET' },
      call: post('/call', callBody(caller, receiver.agentId)),
      match: post('/match', ...Object.values(matchQuestions)),
    };
    await load(targets[name], connections, seconds);
  } finally {
    await agent.stop();
  }
};

/** What `--cpu-prof` writes, as far as it is read here. Times are microseconds. */
type Profile = {
  nodes: { id: number; callFrame: { functionName: string; url: string; lineNumber: number } }[];
  samples: number[];
  timeDeltas: number[];
};

/** The functions that took most of the time in which the process was busy, without what they called. */
const mostBusy = ({ nodes, samples, timeDeltas }: Profile): string[] => {
  const nameOf = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      url === '' ? functionName : `${functionName} ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`,
    ]),
  );
  const spent = new Map<string, number>();
  let busy = 0;
  for (const [index, id] of samples.entries()) {
    const name = nameOf.get(id) ?? '';
    if (name === '(idle)') continue;
    const us = timeDeltas[index] ?? 0;
    busy += us;
    spent.set(name, (spent.get(name) ?? 0) + us);
  }
  const top = [...spent].toSorted(([, a], [, b]) => b - a).slice(0, functionsShown);
  return [
    `  busy for ${(busy / 1e6).toFixed(1)} s`,
    ...top.map(([name, us]) => `  ${((100 * us) / busy).toFixed(1).padStart(5)} %  ${name}`),
  ];
};
