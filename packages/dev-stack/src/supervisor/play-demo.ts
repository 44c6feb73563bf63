import { createRegistryClient } from '@agent-trust/client';
import type { Listener } from '../demo/story.ts';
import type { StartCodes } from './start-codes.ts';

/** Revoking the demo's key must not hold up the end of `npm start`. */
const revokeMs = 3_000;

/**
 * Plays the story in the registry at `url`, with an operator's key of its own, which is revoked afterwards: the secrets of the installation are for
 * emergencies.
 * @throws RegistryError and other errors of the client; the reason of the signal
 */
export async function playDemoHere(url: string, codes: StartCodes, tell: Listener, signal: AbortSignal): Promise<void> {
  // Its libraries are loaded when somebody wants to see it.
  const { playMainJob } = await import('../demo/story.ts');
  const client = createRegistryClient({
    baseUrl: url,
    fetch: (input, init) =>
      fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, signal]) : signal }),
  });
  const { key, key_id: keyId } = await client.ops.signIn(codes.make('admin'));
  try {
    await playMainJob(client.with({ adminToken: key }), tell);
  } finally {
    const revoking = createRegistryClient({
      baseUrl: url,
      adminToken: key,
      timeoutMs: revokeMs,
      retry: { retriesMax: 0 },
    });
    await revoking.ops.revokeKey(keyId, 'The demo is over.');
  }
}
