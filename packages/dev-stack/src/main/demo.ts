import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createRegistryClient } from '@agent-trust/client';
import { runCommand } from '@agent-trust/command-line';
import { policyV2 } from '@agent-trust/trust-policy';
import { agentPage, isConsoleServed } from '../console-links.ts';
import { createPrinter, type Printer, printStep } from '../demo/print-story.ts';
import { playMainJob } from '../demo/story.ts';
import { findRunningStack } from '../running-stack.ts';
import { startStack } from '../start-stack.ts';

const replayFile = resolve(import.meta.dirname, '../../../../services/trust-projection/src/tools/replay/main.ts');

type Registry = {
  url: string;
  baseUrl: string;
  environment: Readonly<Record<string, string>>;
  isThrowAway: boolean;
  stop: () => Promise<void>;
};

/** The registry that runs on this folder's data, or a temporary one. */
const openRegistry = async (print: Printer): Promise<Registry> => {
  const running = findRunningStack();
  if (running !== undefined) {
    print.line(`Using the registry that runs at ${running.url}; the agents of this demonstration stay in it.`);
    return { ...running, isThrowAway: false, stop: async () => {} };
  }
  print.line('No registry runs here, so a throw-away one is started (a few seconds)…');
  const stack = await startStack({ ephemeral: true, onProgress: (line) => print.detail(line) });
  return { ...stack, isThrowAway: true };
};

const replay = async (environment: Readonly<Record<string, string>>): Promise<number> => {
  const child = spawn(process.execPath, [replayFile], { stdio: 'inherit', env: { ...process.env, ...environment } });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 1;
};

const play = async (): Promise<number> => {
  const print = createPrinter(process.stdout);
  const registry = await openRegistry(print);
  try {
    const client = createRegistryClient({ baseUrl: registry.url, adminKey: registry.environment['ADMIN_KEY'] });
    const agentIds = await playMainJob(client, (step) => printStep(print, step));
    const scores = async (): Promise<string> =>
      JSON.stringify(
        await Promise.all(agentIds.map(async (id) => (await client.verify({ agent_id: id })).trust_score)),
      );

    print.heading('5. The whole history replays to the same state');
    const before = await scores();
    const code = await replay(registry.environment);
    const isSame = code === 0 && before === (await scores());
    print.line(isSame ? 'Every row is the same, and so is every score.' : 'The replay did not end in the same state.');

    print.heading('Look further');
    const address = registry.isThrowAway ? '' : registry.url;
    if (registry.isThrowAway) {
      print.line(
        'This registry ends with the demonstration. Play it beside `npm start` to look at these pages of yours:',
      );
    }
    const pages = {
      [`/agent/${agentIds[1]}`]: 'the profile of a seller with its ratings',
      '/registry': 'all agents, most trusted first',
      '/openapi.json': 'every route and field',
      '/health': 'the state of the parts',
    };
    for (const [path, what] of Object.entries(pages)) print.line(`${address}${path}`.padEnd(58) + what);
    if (!registry.isThrowAway && (await isConsoleServed(registry.url))) {
      print.line('In the console, why each score is what it is:');
      for (const id of agentIds) print.line(agentPage(registry.baseUrl, id));
    }
    const { trust_policy: policy } = await client.verify({ agent_id: String(agentIds[0]) });
    print.line(`docs/trust-policy${policy === policyV2.name ? '' : '-v1'}.md`.padEnd(58) + 'how a score comes about');
    return isSame ? 0 : 1;
  } finally {
    await registry.stop();
  }
};

await runCommand({
  usage: `Usage: npm run demo

Lets real agents register, call and review each other, explains each step, and replays the history: in the registry that
runs on DATA_DIR (.data), or in a temporary one if none runs.`,
  options: {},
  run: play,
});
