import { resolve } from 'node:path';
import type { RotateResponse } from '@agent-trust/client';
import { UsageError } from '../errors.ts';
import { textOrFile as readSecret } from '../io.ts';
import { safeLine } from '../output/safe-text.ts';
import { actingAgent, ask, command, type Context, orSandbox } from '../program/command.ts';
import { flag } from '../program/option.ts';
import { makeKeyFile } from '../settings/key-file.ts';
import { checkCanSave, saveAgent } from '../settings/save.ts';

const rotate = command({
  path: ['rotate'],
  description: [
    "With a private key (--key-file) the answer is the new key. With the agent's bearer key, its organisation's or the admin's key, or none, it is a claim link.",
    '--save redeems the link too and keeps the key. At most 5 times a minute. The former key works until the new one is minted.',
  ].join('\n'),
  arguments: [{ name: 'agent_id', description: 'the agent; default: the acting one', optional: true, values: 'agent' }],
  options: { save: flag('--save', 'redeem a claim link at once, and keep the key for the next commands') },
  examples: {
    'A new key for the saved agent, in place of the former': 'agent-trust rotate --save',
    'By a signature': 'agent-trust rotate robot --key-file robot.pem',
    "By the organisation's key": 'agent-trust rotate acme-buyer --auth org',
  },
  run: async ({ args: [named = ''], options: { save }, context }) => {
    const agentId = named === '' ? actingAgent(context) : named;
    prepareSave(context, save);
    const order = orSandbox(context, 'signature', 'agent', 'org', 'none');
    const { client, options } = await context.registry(order, agentId);
    const rotated = await client.requestRotation({ agent_id: agentId }, options);
    const isLink = save === true && rotated.agent_key === null && rotated.claim_link !== null;
    showKey(context, isLink ? await redeem(context, rotated.claim_link ?? '') : rotated, save);
  },
});

const isLoopback = (url: URL): boolean => /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/u.test(url.hostname);

/** A link is a secret of the registry that made it and is never sent to another. */
const refuseOtherRegistry = (link: string, url: string): void => {
  if (!URL.canParse(link)) return;
  const [made, asked] = [new URL(link), new URL(url)];
  if (made.origin !== asked.origin && !(isLoopback(made) && isLoopback(asked)))
    throw new UsageError(`the link is of ${made.origin}, not of ${url}: name its registry with --url`);
};

const claim = command({
  path: ['claim'],
  description:
    'A link works once, and the former key of the agent stops working. The link is a secret until then: - reads it from standard input, @file from a file.',
  arguments: [{ name: 'link', description: 'the claim link, or its token; - for standard input, @file for a file' }],
  options: { save: flag('--save', 'keep the key for the next commands instead of showing it') },
  examples: {
    'Ask for a link and redeem it, without showing either':
      'agent-trust rotate acme-buyer --auth org --json | node -p "JSON.parse(fs.readFileSync(0)).claim_link" | agent-trust claim - --save',
  },
  run: async ({ args: [given = ''], options, context }) => {
    const link = (await readSecret(given, context.io)).trim();
    if (link === '') throw new UsageError('the claim link is empty');
    refuseOtherRegistry(link, context.settings().url);
    prepareSave(context, options.save);
    showKey(context, await redeem(context, link), options.save);
  },
});

const keygen = command({
  path: ['keygen'],
  description:
    'An Ed25519 key in a new file that you alone can read (PKCS #8, PEM). An existing file is never overwritten. The public key goes to the registry with "register --key-file" or "update --new-key-file"; nothing is sent now.',
  arguments: [{ name: 'file', description: 'the new file', values: 'file' }],
  examples: { 'A key, and its public half on standard output': 'agent-trust keygen agent.pem' },
  run: async ({ args: [file = ''], context }) => {
    const publicKey = makeKeyFile(file);
    context.answer({ key_file: resolve(file), public_key: publicKey }, () => {
      context.out.line(publicKey);
      context.out.note(
        `The private key is in ${file}. Keep it, and give it to nobody: the registry knows the agent by it.`,
      );
    });
  },
});

export async function redeem(context: Context, link: string): Promise<RotateResponse> {
  const { client, options } = await context.registry(['none']);
  return client.redeemClaim(link, { signal: options.signal });
}

/** Fails before a key is issued that could not be saved. */
export function prepareSave(context: Context, save: boolean | undefined): void {
  if (save === true) checkCanSave(context.settings());
}

/** Shows a new bearer key, or saves it with --save. It is never shown again. */
export function showKey(context: Context, rotated: RotateResponse, save: boolean | undefined, isFirst = false): void {
  const { out } = context;
  const { agent_id: agentId, agent_key: agentKey, claim_link: claimLink, status } = rotated;
  if (save === true && agentKey !== null) {
    try {
      saveAgent(context.settings(), agentId, { agent_key: agentKey });
    } catch (error) {
      // The new key is valid and the old one is not: showing it is better than losing it.
      context.answer(rotated, () => out.line(safeLine(agentKey)));
      throw new UsageError(`the key could not be saved and is shown instead (${(error as Error).message})`, {
        cause: error,
      });
    }
  }
  const secret = (text: string, note: string): void => {
    out.line(out.paint('bold', safeLine(text)));
    out.note(note);
  };
  context.answer(rotated, () => {
    if (agentKey !== null) {
      const has = isFirst ? 'has its bearer key' : 'has a new bearer key; a former one has stopped working';
      out.line(`${safeLine(agentId)} ${has}.`);
      const { configFile, profileName } = context.settings();
      if (save === true) out.line(safeLine(`It is saved in ${configFile}, profile ${profileName}.`));
      else secret(agentKey, 'It is shown this once. --save keeps it for the next commands.');
    } else if (status === 'claim_sent') out.line('A claim link went to the contact e-mail of the agent.');
    else secret(claimLink ?? '', 'This claim link is good for one new key: agent-trust claim <link> --save');
  });
}

const whoami = command({
  path: ['whoami'],
  examples: { 'Whose key is saved?': 'agent-trust whoami' },
  run: async ({ context }) => {
    await ask(
      context,
      ['agent'],
      (client, asked) => client.whoami(asked),
      (who, out) =>
        out.fields([
          ['agent', safeLine(who.agent_id)],
          ['organisation', who.org_id ?? 'none'],
          ['universe', who.is_sandbox ? 'sandbox' : 'production'],
        ]),
    );
  },
});

export const commands = [rotate, claim, whoami, keygen];
