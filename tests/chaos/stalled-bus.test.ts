/**
 * Bugs: on a full disk nats-server 2.9 locks itself up; everything that goes over a connection to JetStream waits with it, requests that need no
 * JetStream too, and nothing recovers when the disk is free again. A server that is stopped, and does not end, is never replaced.
 * Method: JetStream's folder is a small disk that is filled while requests with a key are sent; then the whole server is stopped by a signal.
 */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '@agent-trust/embedded-servers';
import { clientKey, signedHeaders } from '@agent-trust/http-signature/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Answer, bearer, callBody, type Http, type Member, unique } from '../support/registry.ts';
import { type ChaosRegistry, startChaosRegistry } from './support/chaos-registry.ts';
import { untilHealthy } from './support/invariants.ts';
import { answerText } from './support/recording-agent.ts';
import { canMountDisks, mountDisk, type SmallDisk, whyNoDisk } from './support/small-disk.ts';
import { untilServed } from './support/until-served.ts';
import { waitFor } from './support/wait-for.ts';

const diskBytes = 24_000_000;
let disk: SmallDisk | undefined;
let registry: ChaosRegistry<'receiver'>;
let http: Http;
beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'chaos-bus-'));
  if (canMountDisks) disk = mountDisk(join(dataDir, 'nats'), diskBytes);
  const clean = (): void => {
    disk?.unmount();
    rmSync(dataDir, { recursive: true, force: true });
  };
  registry = await startChaosRegistry({ dataDir, agents: { receiver: answerText } }).catch((error: unknown) => {
    clean();
    throw error;
  });
  ({ http } = registry);
  return async () => {
    await registry.stop();
    clean();
  };
});

const contact = { contact_email: 'owner@agent.example' };
const register = (headers: Record<string, string> = {}, agentId = unique('agent')) =>
  http.post('/register', { agent_id: agentId, ...contact }, headers);
const keyed = () => ({ 'idempotency-key': randomUUID() });
/** Another one after the supervisor has replaced the server. */
const serverPid = (): number | undefined => registry.stack.processes().find(({ name }) => name === 'nats-server')?.pid;
const jetStreamStatus = async (): Promise<unknown> => {
  const { status, body } = await http.get('/health');
  expect([status, body['status']]).toEqual([200, 'ok']);
  return (body['jetstream'] as { status: string }).status;
};

describe.runIf(canMountDisks)(`JetStream on a full disk${whyNoDisk}`, () => {
  it('refuses what needs it, and nothing else; the supervisor replaces the server, and all recovers when there is room', async () => {
    const [caller] = registry.callers as [Member];
    const key = await clientKey(unique('signer'), crypto.getRandomValues(new Uint8Array(32)));
    const signer = { agent_id: key.keyId, public_key: key.publicKey, ...contact };
    expect((await http.post('/register', signer)).status).toBe(201);
    const first = { headers: keyed(), agentId: unique('first') };
    expect((await register(first.headers, first.agentId)).status).toBe(201);

    const restartsBefore = registry.stack.restartCount('nats-server');
    disk?.fill();
    /** The process that is stuck. The services have reached it: after a replacement they need a moment, in which they refuse all that they write. */
    const untilStuck = (): Promise<number> =>
      waitFor(
        async () => {
          const asked = serverPid();
          const { status } = await register(keyed());
          expect([201, 503]).toContain(status);
          const isReached = (await register()).status === 201;
          return isReached && (await jetStreamStatus()) === 'down' && serverPid() === asked ? asked : null;
        },
        { description: 'JetStream to be stuck' },
      );
    /** Once more if the supervisor has replaced the server meanwhile. */
    const askWhileStuck = async (): Promise<{ plain: Answer[]; refused: Answer[] }> => {
      const asked = await untilStuck();
      const text = JSON.stringify({ agent_id: key.keyId, specialty: 'signed' });
      const signature = await signedHeaders(key, `${registry.stack.url}/update`, text);
      const [plain, refused] = await Promise.all([
        Promise.all([
          register(),
          http.post('/verify', { agent_id: caller.agentId }),
          http.post('/update', { agent_id: caller.agentId, specialty: 'no key' }, bearer(caller.key)),
          http.post('/call', callBody(caller, registry.agents.receiver.agentId), bearer(caller.key)),
        ]),
        Promise.all([
          register(keyed()),
          http.post('/update', text, { 'content-type': 'application/json', ...signature }),
        ]),
      ]);
      return serverPid() === asked && isAlive(asked) ? { plain, refused } : askWhileStuck();
    };
    const { plain, refused } = await askWhileStuck();
    expect(plain.map(({ status }) => status)).toEqual([201, 200, 200, 200]);
    expect(refused.map(({ status, body }) => [status, body['code']])).toEqual([
      [503, 'unavailable'],
      [503, 'unavailable'],
    ]);
    expect(refused.map(({ headers }) => headers.get('retry-after'))).not.toContain(null);

    await waitFor(() => registry.stack.restartCount('nats-server') > restartsBefore);
    disk?.free();
    await waitFor(async () => (await register(keyed()).catch(() => null))?.status === 201);
    await untilHealthy(registry.stack);
    await waitFor(async () => (await jetStreamStatus()) === 'ok', { description: 'JetStream to answer' });
    // What was answered before is remembered, or found in the log.
    expect((await untilServed(() => register(first.headers, first.agentId))).status).toBe(201);
  });
});

it('a server that is stopped and does not end is replaced', async () => {
  await untilHealthy(registry.stack);
  const restarts = registry.stack.restartCount('nats-server');
  registry.stack.kill('nats-server', 'SIGSTOP');
  await waitFor(() => registry.stack.restartCount('nats-server') > restarts);
  await untilHealthy(registry.stack);
  const headers = keyed();
  const agentId = unique('after');
  expect((await untilServed(() => register(headers, agentId))).status).toBe(201);
});
