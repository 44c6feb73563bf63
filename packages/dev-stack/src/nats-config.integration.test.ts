/*
 * Bugs: another service speaks to the process of npm start, or in its name; that process reaches what the services alone should; the user is also in the
 * configuration of other installations.
 * Method: the configuration that npm start writes, on a real server; each permission with an allowed and a forbidden operation.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getDemo, getLogState, redeemStartCode } from '@agent-trust/contracts';
import { startNatsServer } from '@agent-trust/embedded-servers';
import { connectRpc, type Rpc, type UnaryMethod } from '@agent-trust/nats-rpc';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { writeNatsConfig } from './nats-config.ts';
import { natsPasswordName, serviceKinds, supervisorUser } from './services.ts';

const folder = mkdtempSync(join(tmpdir(), 'nats-config-'));
const configFile = join(folder, 'nats.conf');
const users = [...serviceKinds.map(({ name }) => name), supervisorUser];
const peers = new Map<string, Rpc>();
let stop: () => Promise<void>;

beforeAll(async () => {
  writeNatsConfig(configFile);
  const env = Object.fromEntries(users.map((user) => [natsPasswordName(user), `pw-${user}`]));
  const server = await startNatsServer({ configFile, env });
  stop = server.stop;
  for (const service of users) {
    const natsUrl = server.url.replace('//', `//${service}:pw-${service}@`);
    peers.set(service, await connectRpc({ natsUrl, service, instanceId: `i-${service}` }));
  }
});
afterAll(async () => {
  for (const peer of peers.values()) await peer.close();
  await stop();
  rmSync(folder, { recursive: true });
});

const peer = (service: string): Rpc => peers.get(service) as Rpc;
const outcomeOf = (asked: Promise<unknown> | undefined): Promise<unknown> =>
  asked?.then(
    () => 'answered',
    (error: Error & { reason?: string }) => error.reason ?? error.name,
  ) ?? Promise.resolve(undefined);
const asks = (from: string, method: UnaryMethod, input: object): Promise<unknown> =>
  outcomeOf(peer(from).request(method, input as never, { timeoutMs: 10_000 }));

it('a gateway alone asks the process of npm start, which asks nobody', async () => {
  expect(await asks('gateway', getDemo, {})).toBe('no_responders');
  await peer(supervisorUser).serve(redeemStartCode, () => ({ role: null }));
  const input = { codeHash: 'a'.repeat(64) };
  expect(await asks('gateway', redeemStartCode, input)).toBe('answered');
  for (const service of users.filter((name) => name !== 'gateway')) {
    expect([service, await asks(service, redeemStartCode, input)]).toEqual([service, 'RpcForbiddenError']);
  }
  expect(await asks(supervisorUser, getLogState, {})).toBe('RpcForbiddenError');
});

it('nobody else listens where it does, and it listens nowhere else', async () => {
  const others = users.filter((name) => name !== supervisorUser).map((name) => [name, 'rpc.supervisor.>'] as const);
  const elsewhere = ['rpc.gateway.x', 'rpc.registry-write.>', 'reply.gateway.>', 'replica.feed.all', '$KV.>', '>'];
  for (const [service, subject] of [...others, ...elsewhere.map((one) => [supervisorUser, one] as const)]) {
    const outcome = new Promise<string>((resolve) => {
      peer(service).connection.subscribe(subject, { callback: (error) => resolve(error?.name ?? 'heard') });
    });
    expect([service, subject, await outcome]).toEqual([service, subject, 'PermissionViolationError']);
  }
});

it('no other installation has the user, and the file holds no password', () => {
  const others = readFileSync(join(import.meta.dirname, '..', '..', '..', 'infra', 'nats', 'nats.conf'), 'utf8');
  expect(others).not.toContain('user: supervisor');
  expect(readFileSync(configFile, 'utf8').match(/password: (?!\$NATS_)/gu)).toBeNull();
});
