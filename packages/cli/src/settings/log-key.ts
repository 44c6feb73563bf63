import { existsSync, readFileSync } from 'node:fs';
import type { RegistryClient, RequestOptions } from '@agent-trust/client';
import type { Context } from '../program/command.ts';
import { text } from '../program/option.ts';

/** By which key a log is verified, and where it came from: only one from elsewhere proves something about a registry. */
export type LogKey = { logKey: string; from: 'given' | 'saved' | 'registry' };

export const keyOption = text(
  '--key <key|file>',
  "the log's verifier key that you keep (AGENT_TRUST_LOG_KEY; default: the saved one)",
  'file',
);

/** The key of --key, AGENT_TRUST_LOG_KEY or the profile; null if there is none. */
export function keptLogKey(
  { io, settings }: Pick<Context, 'io' | 'settings'>,
  given: string | undefined,
): LogKey | null {
  const named = given ?? (io.env['AGENT_TRUST_LOG_KEY'] || undefined);
  if (named !== undefined)
    return { logKey: existsSync(named) ? readFileSync(named, 'utf8').trim() : named, from: 'given' };
  const { log_key: saved } = settings().profile;
  return saved === undefined ? null : { logKey: saved, from: 'saved' };
}

/** The kept key, else the one that the registry shows now, with a warning: a registry that lies signs with a key of its own. */
export async function logKeyOf(
  context: Pick<Context, 'io' | 'settings' | 'out'>,
  given: string | undefined,
  client: Pick<RegistryClient, 'log'>,
  options: RequestOptions,
): Promise<LogKey> {
  const kept = keptLogKey(context, given);
  if (kept !== null) return kept;
  const { verifier_key: logKey } = await client.log.key({ ...options, as: 'nobody' });
  context.out.warn(
    'the key was taken from the registry that is verified: compare it with a trusted source, and keep it with "agent-trust log key --save"',
  );
  return { logKey, from: 'registry' };
}

/** A key by its name and id, for people. */
export function keyName(logKey: string): string {
  const [name = '', id = ''] = logKey.split('+');
  return `${name} (key ${id})`;
}
