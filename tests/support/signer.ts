import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClientKey, clientKey, type SignedParts, signedHeaders } from '@agent-trust/http-signature/testing';
import { expect } from 'vitest';
import { type Answer, ask, type Body, freshClient, gateways, type HeaderMap, post, stack } from './ask.ts';
import { unique } from './registry.ts';

export function freshKey(keyId: string): Promise<ClientKey> {
  return clientKey(keyId, Uint8Array.from(randomBytes(32)));
}

/** Registers an agent that has never had a bearer key, only a public_key. */
export async function signer(fields: Body = {}, credential: HeaderMap = {}): Promise<ClientKey> {
  const agentId = typeof fields['agent_id'] === 'string' ? fields['agent_id'] : unique('signer');
  const key = await freshKey(agentId);
  const body = { agent_id: agentId, public_key: key.publicKey, ...fields };
  const { status, text } = await post('/register', body, credential);
  if (status !== 201) throw new Error(`register returned ${status}: ${text}`);
  return key;
}

/** `sent`, `path` and `headers` replace or extend the signed request. */
export type Sending = SignedParts & { gateway?: string; headers?: HeaderMap; sent?: string; path?: string };

/** Signs a request and sends it. */
export async function send(key: ClientKey, path: string, body: Body, options: Sending = {}): Promise<Answer> {
  const { gateway = gateways[0], headers = {}, sent, path: sentPath = path, ...parts } = options;
  const text = JSON.stringify(body);
  const signed = await signedHeaders(key, `${gateway}${path}`, text, parts);
  return ask('POST', sentPath, { gateway, body: sent ?? text, headers: { ...signed, ...freshClient(), ...headers } });
}
export function rotate(key: ClientKey, options: Sending = {}): Promise<Answer> {
  return send(key, '/rotate', { agent_id: key.keyId }, options);
}

/** The status with the error's code, or with the outcome of a rotation. */
export function codeOf({ status, body }: Answer): [number, unknown] {
  return [status, body['code'] ?? body['status']];
}
export const invalid = [401, 'invalid_credential'];

const logged = (): string =>
  readdirSync(stack.logsFolder)
    .filter((name) => name.startsWith('gateway'))
    .map((name) => readFileSync(join(stack.logsFolder, name), 'utf8'))
    .join('');

/** The reasons that the log states for the refusal of one request. */
const reasonsFor = ({ headers }: Answer): string[] =>
  logged()
    .split('\n')
    .filter((line) => line.includes('signature refused') && line.includes(headers.get('x-request-id') ?? '-'))
    .map((line) => (JSON.parse(line) as { reason: string }).reason);

/** Checks that an answer is 401 and that exactly one log line states the reason. */
export async function expectRefused(answer: Answer, reason: string): Promise<void> {
  expect(codeOf(answer)).toEqual(invalid);
  await expect.poll(() => reasonsFor(answer)).toEqual([reason]);
}
