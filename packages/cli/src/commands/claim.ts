import { textOrFile as readSecret } from '../io.ts';
import { command } from '../program/command.ts';
import { flag } from '../program/option.ts';
import { UsageError } from '../usage-error.ts';
import { prepareSave, redeem, showKey } from './redeem.ts';

const isLoopback = (url: URL): boolean => /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/u.test(url.hostname);

/** A link is a secret of the registry that made it and is never sent to another. */
const refuseOtherRegistry = (link: string, url: string): void => {
  if (!URL.canParse(link)) return;
  const [made, asked] = [new URL(link), new URL(url)];
  if (made.origin !== asked.origin && !(isLoopback(made) && isLoopback(asked)))
    throw new UsageError(`the link is of ${made.origin}, not of ${url}: name its registry with --url`);
};

export const claim = command({
  path: ['claim'],
  summary: "Redeem a claim link for an agent's bearer key.",
  description:
    'A link works once, and the former key of the agent stops working. The link is a secret until then: - reads it from standard input, @file from a file.',
  arguments: [{ name: 'link', description: 'the claim link, or its token; - for standard input, @file for a file' }],
  options: { save: flag('--save', 'keep the key for the next commands instead of showing it') },
  examples: [
    {
      says: 'Ask for a link and redeem it, without showing either',
      run: 'agent-trust rotate acme-buyer --auth org --json | node -p "JSON.parse(fs.readFileSync(0)).claim_link" | agent-trust claim - --save',
    },
  ],
  run: async ({ args: [given = ''], options, context }) => {
    const link = (await readSecret(given, context.io)).trim();
    if (link === '') throw new UsageError('the claim link is empty');
    refuseOtherRegistry(link, context.settings().url);
    prepareSave(context, options.save);
    showKey(context, await redeem(context, link), options.save);
  },
});
