import { existsSync, readFileSync } from 'node:fs';
import type { ReviewReceipt } from '@agent-trust/client';
import type { LogCheckpoint } from '@agent-trust/client/log';
import { UsageError } from '../errors.ts';
import { exitCodes } from '../exit-codes.ts';
import { showReceipt } from '../output/log-view.ts';
import { safeLine, safeLines } from '../output/safe-text.ts';
import { agentArgument, type Context, command, orSandbox } from '../program/command.ts';
import { flag, text, texts } from '../program/option.ts';
import { keptLogKey, keyName, keyOption, logKeyOf } from '../settings/log-key.ts';
import { checkCanSave, saveProfile } from '../settings/save.ts';

const readText = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new UsageError(`${path} cannot be read (${(cause as NodeJS.ErrnoException).code ?? ''})`, { cause });
  }
};

const key = command({
  path: ['log', 'key'],
  summary: 'The public key of the log, to be compared with a trusted source and kept.',
  options: { save: flag('--save', 'keep it: later commands verify by it, whatever the registry says then') },
  examples: { 'Keep it': 'agent-trust log key --save' },
  run: async ({ options, context }) => {
    if (options.save === true) checkCanSave(context.settings());
    const { client, options: asked } = await context.registry(['none']);
    const found = await client.log.key(asked);
    const { verifier_key: logKey, origin } = found;
    const saved = context.settings().profile.log_key;
    if (options.save === true) {
      if (saved !== undefined && saved !== logKey)
        throw new UsageError(
          `the registry shows another key than the one that is saved, ${keyName(saved)}: find out why. "agent-trust config show" names the file that holds it`,
        );
      saveProfile(context.settings(), (profile) => {
        profile.log_key = logKey;
      });
    }
    context.answer(found, () => {
      const { out } = context;
      out.line(safeLine(logKey));
      out.note(`The log ${origin}.`);
      if (saved !== undefined)
        out.note(saved === logKey ? 'It is the saved one.' : `NOT the saved one, which is ${saved}`);
      else out.note(options.save === true ? 'Saved.' : 'Compare it with a trusted source; --save keeps it.');
    });
  },
});

const verifiedCheckpoint = async (note: string, logKey: string): Promise<LogCheckpoint> => {
  const { openCheckpoint } = await import('@agent-trust/client/log');
  return openCheckpoint(note, { logKey });
};

const checkpoint = command({
  path: ['log', 'checkpoint'],
  summary: 'The newest signed checkpoint, verified; with --since also that the log has only grown.',
  description: 'Keep what it prints: with --since, a later one proves that nothing before it was changed or removed.',
  options: {
    key: keyOption,
    since: text('--since <file>', 'a checkpoint that was kept', 'file'),
  },
  examples: {
    'Keep it': 'agent-trust log checkpoint > kept.txt',
    'Has the log only grown since?': 'agent-trust log checkpoint --since kept.txt',
  },
  run: async ({ options, context }) => {
    const { out } = context;
    const { client, options: asked } = await context.registry(['none']);
    const { logKey, from } = await logKeyOf(context, options.key, client, asked);
    const newest = await verifiedCheckpoint(await client.log.checkpoint(asked), logKey);
    const earlier = options.since === undefined ? null : await verifiedCheckpoint(readText(options.since), logKey);
    if (earlier !== null) {
      const { verifyConsistency } = await import('@agent-trust/client/log');
      const isProofNeeded = earlier.size > 0 && earlier.size < newest.size && earlier.origin === newest.origin;
      const proof = isProofNeeded
        ? await client.log.consistencyProof({ from: earlier.size, to: newest.size }, asked)
        : null;
      verifyConsistency(earlier, newest, proof);
    }
    const { origin, size, root, note } = newest;
    if (out.json) {
      out.document(
        JSON.stringify({
          verified: true,
          key: logKey,
          key_from: from,
          origin,
          size,
          root,
          since: earlier?.size ?? null,
          note,
        }),
      );
      return;
    }
    // A signed note has no such characters, unless its signer is up to something.
    out.raw(safeLines(note));
    out.note(`${size} events of ${origin}, signed by ${keyName(logKey)}.`);
    if (earlier !== null)
      out.note(`It begins with the ${earlier.size} events of ${options.since}: the log has only grown.`);
  },
});

const receiptInput = async (
  { args, file }: { args: readonly string[]; file: string | undefined },
  givenKey: string | undefined,
  context: Context,
): Promise<{ receipt: ReviewReceipt; logKey: string }> => {
  const [agentId = '', transactionId = ''] = args;
  if (file !== undefined) {
    if (agentId !== '') throw new UsageError('give --file, or an agent and a transaction id');
    let receipt: ReviewReceipt;
    try {
      receipt = JSON.parse(readText(file)) as ReviewReceipt;
    } catch (cause) {
      if (cause instanceof UsageError) throw cause;
      throw new UsageError(`${file} is no JSON`, { cause });
    }
    const kept = keptLogKey(context, givenKey);
    if (kept === null)
      throw new UsageError('a kept receipt is verified by a kept key: --key, or "agent-trust log key --save"');
    return { receipt, logKey: kept.logKey };
  }
  if (agentId === '' || transactionId === '')
    throw new UsageError('name the reviewed agent and the transaction id, or a kept receipt with --file');
  const { client, options } = await context.registry(orSandbox(context, 'none'));
  const { logKey } = await logKeyOf(context, givenKey, client, options);
  return { receipt: await client.log.receipt(agentId, transactionId, options), logKey };
};

const receipt = command({
  path: ['log', 'receipt'],
  summary: 'Proof that a review is in the log, verified by the key of the log.',
  description: 'With --json the receipt itself: keep it, and verify it at any time with --file, without a request.',
  arguments: [
    { ...agentArgument, description: 'the reviewed agent', optional: true },
    { name: 'transaction_id', description: 'the exchange that was reviewed', optional: true },
  ],
  options: {
    key: keyOption,
    file: text('--file <file>', 'a receipt that was kept, instead of asking for one', 'file'),
  },
  examples: {
    'Is my review in the log?': 'agent-trust log receipt corner-shop 2f1d7c5a-3b9e-4d65-8a10-6c4e2b8f9d70',
  },
  run: async ({ args, options, context }) => {
    const found = await receiptInput({ args, file: options.file }, options.key, context);
    const { verifyReceipt } = await import('@agent-trust/client/log');
    const proven = await verifyReceipt(found.receipt, { logKey: found.logKey });
    context.answer(found.receipt, () => showReceipt(proven, found.logKey, context.out));
  },
});

const verify = command({
  path: ['log', 'verify'],
  summary: 'Verify an export of the whole log against signed checkpoints, event by event.',
  description:
    'Get the checkpoint first: an export that is taken after it has all the events that it covers. Exits with 24 if something differs, and shows which event by the tiles of the log. npm run log:verify reads the event log itself.',
  arguments: [{ name: 'export', description: 'a file of "agent-trust events --export"', values: 'file' }],
  options: {
    key: keyOption,
    checkpoint: texts('--checkpoint <file|url>', 'a kept checkpoint', 'file'),
    tiles: text('--tiles <folder|url>', "the log's tiles; default: the registry's", 'file'),
    witnessKey: texts('--witness-key <key|file>', 'a witness that must have cosigned a checkpoint', 'file'),
  },
  examples: {
    'An export against a checkpoint that was kept before':
      'agent-trust log checkpoint > before.txt && agent-trust events --export log.jsonl --admin-token-file .data/secrets.json && agent-trust log verify log.jsonl --checkpoint before.txt',
  },
  run: async ({ args: [file = ''], options, context }) => {
    const { out, io } = context;
    const { url } = context.settings();
    const { checkpoint: named, tiles = `${url}/log`, witnessKey = [] } = options;
    if (named === undefined) throw new UsageError('against which checkpoint? --checkpoint <file|url>');
    if (!existsSync(file)) throw new UsageError(`${file} does not exist`);
    const { client, options: asked } = await context.registry(['none']);
    const { logKey, from } = await logKeyOf(context, options.key, client, asked);
    const { ArgumentsError, exportFile, keyOf, noteOf, reportLines, tileStore, verifyLog, witnessKeyOf } = await import(
      '@agent-trust/log-verifier'
    );
    try {
      const report = await verifyLog({
        source: exportFile(file),
        checkpoints: await Promise.all(named.map(async (source) => ({ source, note: await noteOf(source) }))),
        trust: { logKey: keyOf(logKey), witnessKeys: witnessKey.map((one) => witnessKeyOf(one)) },
        tiles: tileStore(tiles),
        signal: io.stopSignal(),
      });
      if (from === 'registry') report.remarks.push('The key was taken from the registry that is verified.');
      if (out.json) out.document(JSON.stringify(report, null, 2));
      else for (const line of reportLines(report)) out.line(line);
      return report.verified ? exitCodes.ok : exitCodes.notVerified;
    } catch (error) {
      if (error instanceof ArgumentsError) throw new UsageError(error.message, { cause: error });
      throw error;
    }
  },
});

export const commands = [key, checkpoint, receipt, verify];
