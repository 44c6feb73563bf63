/**
 * Bug: a replaced key still works somewhere, briefly or forever: in a gateway's cache, in a lookup that was shared with an earlier request,
 * or in a read model that lags behind.
 * Method: three gateways; a key is replaced again and again, each time through another gateway. As soon as the answer arrives, every gateway
 * gets the old key and the new one, and earlier keys are sent while the next replacement is under way.
 */
import type { Stack } from '@agent-trust/dev-stack';
import { type ClientKey, clientKey, signedHeaders } from '@agent-trust/http-signature/testing';
import { randomBytes } from 'node:crypto';
import { runs } from '@agent-trust/test-kit/runs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type Answer,
  bearer,
  callBody,
  claim,
  createOrganisation,
  httpTo,
  orgKey,
  registerAgent,
  textMessage,
  unique,
} from '../support/registry.ts';
import { startChaosStack } from './support/chaos-stack.ts';
import { untilServed } from './support/until-served.ts';

const rounds = runs(40, 200);
const timeoutMs = 900_000;

let stack: Stack;
beforeAll(async () => {
  stack = await startChaosStack({ GATEWAYS: '3', TRUST_PROXY: '127.0.0.1' });
  if (stack.urls.length !== 3) throw new Error(`the system has ${stack.urls.length} gateways`);
});
afterAll(() => stack?.stop());

/** A kind of key: how to replace it through a gateway, and how to check whether a gateway accepts it. */
type Replaceable = {
  replace: (key: string, url: string) => Promise<string>;
  isTaken: (key: string, url: string) => Promise<boolean>;
};

const expectStatus = (answer: Answer, status: number): Answer => {
  if (answer.status !== status) throw new Error(`the status is ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
};
/** True for one status, false for the other; any other status is an error. */
const either = ({ status, body }: Answer, taken: number, refused: number): boolean => {
  if (status !== taken && status !== refused) throw new Error(`unexpected status ${status}: ${JSON.stringify(body)}`);
  return status === taken;
};

const replaceOnEnd = async (first: string, { replace, isTaken }: Replaceable): Promise<void> => {
  let before: string | null = null;
  let current = first;
  for (let round = 0; round < rounds; round += 1) {
    const long = before;
    const [renewed, ...still] = await Promise.all([
      replace(current, stack.urls[round % stack.urls.length] ?? ''),
      ...(long === null ? [] : stack.urls.map((url) => isTaken(long, url))),
    ]);
    const old = current;
    const now = await Promise.all(stack.urls.flatMap((url) => [isTaken(old, url), isTaken(renewed, url)]));
    expect({ round, still, now }).toEqual({
      round,
      still: still.map(() => false),
      now: stack.urls.flatMap(() => [false, true]),
    });
    before = old;
    current = renewed;
  }
  for (const url of stack.urls) expect(await isTaken(first, url)).toBe(false);
};

let clients = 0;
/** POST /rotate has a rate limit per address, so each request uses another one. */
const fromAnywhere = (): Record<string, string> => {
  clients += 1;
  return { 'x-forwarded-for': `10.200.${clients >> 8}.${clients & 255}` };
};

/** An authenticated caller gets the error that the called agent is unknown. */
const isAgentKeyTaken =
  (agentId: string) =>
  async (key: string, url: string): Promise<boolean> => {
    const body = callBody({ agentId, key }, 'nobody at all', textMessage('x'));
    return either(await untilServed(() => httpTo(url).post('/call', body, bearer(key))), 404, 401);
  };
const isOrgKeyTaken = async (key: string, url: string): Promise<boolean> =>
  either(await untilServed(() => httpTo(url).get('/org/whoami', orgKey(key))), 200, 401);

it("an agent's key, replaced by its claim link, never works again", { timeout: timeoutMs }, async () => {
  const { agentId, key } = await registerAgent(httpTo(stack.url));
  await replaceOnEnd(key, {
    replace: async (current, url) => {
      const http = httpTo(url);
      const headers = { ...bearer(current), ...fromAnywhere() };
      const issued = expectStatus(await http.post('/rotate', { agent_id: agentId }, headers), 200);
      return claim(http, issued.body['claim_link']);
    },
    isTaken: isAgentKeyTaken(agentId),
  });
});

it("an agent's key, replaced by its signature, never works again", { timeout: timeoutMs }, async () => {
  const agentId = unique('signer');
  const signer: ClientKey = await clientKey(agentId, Uint8Array.from(randomBytes(32)));
  const registration = { agent_id: agentId, public_key: signer.publicKey };
  expectStatus(await httpTo(stack.url).post('/register', registration), 201);
  const rotate = async (url: string): Promise<string> => {
    const text = JSON.stringify({ agent_id: agentId });
    const signed = await signedHeaders(signer, `${url}/rotate`, text);
    const answer = await httpTo(url).post('/rotate', text, { ...signed, ...fromAnywhere() });
    return String(expectStatus(answer, 200).body['agent_key']);
  };
  await replaceOnEnd(await rotate(stack.url), {
    replace: (_current, url) => rotate(url),
    isTaken: isAgentKeyTaken(agentId),
  });
});

it("an organisation's replaced production key never works again", { timeout: timeoutMs }, async () => {
  const { key, sandboxKey } = await createOrganisation(stack);
  await replaceOnEnd(key, {
    replace: async (current, url) => {
      const answer = await httpTo(url).post('/org/rotate-key', undefined, orgKey(current));
      return String(expectStatus(answer, 200).body['api_key']);
    },
    isTaken: isOrgKeyTaken,
  });
  for (const url of stack.urls) expect(await isOrgKeyTaken(sandboxKey, url)).toBe(true);
});

it("an organisation's sandbox key, revoked and issued again, never works again", { timeout: timeoutMs }, async () => {
  const { key, sandboxKey } = await createOrganisation(stack);
  await replaceOnEnd(sandboxKey, {
    replace: async (current, url) => {
      const http = httpTo(url);
      expectStatus(await http.send('DELETE', '/org/sandbox-key', undefined, orgKey(key)), 200);
      const revoked = await Promise.all(stack.urls.map((anywhere) => isOrgKeyTaken(current, anywhere)));
      expect(revoked).toEqual(stack.urls.map(() => false));
      const issued = expectStatus(await http.post('/org/sandbox-key', undefined, orgKey(key)), 201);
      return String(issued.body['sandbox_api_key']);
    },
    isTaken: isOrgKeyTaken,
  });
  for (const url of stack.urls) expect(await isOrgKeyTaken(key, url)).toBe(true);
});

it("an organisation's named key, replaced without an overlap, never works again", { timeout: timeoutMs }, async () => {
  const { key } = await createOrganisation(stack);
  const wanted = { name: 'deploy', scopes: ['read'] };
  const made = expectStatus(await httpTo(stack.url).post('/org/keys', wanted, orgKey(key)), 201);
  await replaceOnEnd(String(made.body['api_key']), {
    replace: async (_current, url) => {
      const asked = { overlap_seconds: 0 };
      const answer = await httpTo(url).post('/org/keys/deploy/replace', asked, orgKey(key));
      return String(expectStatus(answer, 200).body['api_key']);
    },
    isTaken: isOrgKeyTaken,
  });
  for (const url of stack.urls) expect(await isOrgKeyTaken(key, url)).toBe(true);
});
