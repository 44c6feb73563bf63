import {
  DomainError,
  executeCall,
  findSignatureKey,
  issueClaim,
  production,
  rotateBySignature,
  rotateResponse,
  submitReview,
} from '@agent-trust/contracts';
import {
  digestOf,
  freshNonce,
  keyOf,
  nowSeconds,
  publicSigners,
  type SignedParts,
  signedHeaders,
} from '@agent-trust/http-signature/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isAgentKey, sha256Hex } from '../../../credentials/keys.ts';
import { agentKey, orgKey } from '../../../testing/agents.ts';
import {
  adminToken,
  answerAsKnown,
  type GatewayUnderTest,
  post,
  startGatewayUnderTest,
} from '../../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest({ TRUST_PROXY: '127.0.0.1' });
});
beforeEach(() => {
  answerAsKnown(under.bus);
  under.bus.answer(issueClaim, () => ({ position: '9', expiresAt: null, contactEmail: null }));
  under.bus.answer(rotateBySignature, () => ({ position: '9' }));
  under.bus.answer(findSignatureKey, ({ agentId }) => ({
    signer:
      agentId !== 'caller'
        ? null
        : {
            identity: { agentId, universe: production, orgId: null },
            publicKey: key.publicKey,
            orgDomain: null,
            domainVerified: false,
            agentsOfDomain: 0,
          },
  }));
});
afterAll(() => under.stop());

const key = await keyOf('caller');
const other = await keyOf('caller', 2);
const body = JSON.stringify({ agent_id: 'caller' });
let addresses = 0;
/** POST /rotate has a rate limit per address, so each request comes from a different one. */
const from = (): string => `198.51.${(addresses += 1) >> 8}.${addresses & 255}`;
const send = (headers: Record<string, string>, text = body, path = '/rotate'): Promise<Response> =>
  post(`${under.url}${path}`, text, { 'x-forwarded-for': from(), ...headers });
const sign = (parts: SignedParts = {}, text = body, signer = key): Promise<Record<string, string>> =>
  signedHeaders(signer, `${under.url}/rotate`, text, parts);
const outcome = async (response: Response): Promise<[number, unknown]> => {
  const { code, status } = (await response.json()) as { code?: string; status?: string };
  return [response.status, code ?? status];
};
const lastReason = (): unknown =>
  under
    .logged()
    .split('\n')
    .filter((line) => line.includes('signature refused'))
    .map((line) => JSON.parse(line) as { reason: string })
    .at(-1)?.reason;

describe('a signed POST /rotate', () => {
  it('returns a key whose hash alone leaves the gateway, once readers know it', async () => {
    const response = await send(await sign());
    expect(response.headers.get('cache-control')).toBe('no-store');
    const rotated = rotateResponse.parse(await response.json());
    expect([response.status, rotated.status, rotated.claim_link, isAgentKey(rotated.agent_key ?? '')]).toEqual([
      200,
      'rotated',
      null,
      true,
    ]);
    expect(under.bus.inputsOf(rotateBySignature).at(-1)).toEqual({
      agentId: 'caller',
      newKeyHash: sha256Hex(rotated.agent_key ?? ''),
      publicKey: key.publicKey,
      actor: { kind: 'agent', id: 'caller', credentials: ['signature'] },
    });
    expect(under.bus.awaited.at(-1)).toBe('9');
    expect(under.logged()).not.toContain(rotated.agent_key ?? 'none');
  });

  it('shows its key even if it is unknown whether it was stored', async () => {
    under.bus.answer(rotateBySignature, () => {
      throw new DomainError('unavailable', 'no answer');
    });
    const response = await send(await sign());
    const body = (await response.json()) as Record<string, unknown>;
    expect([response.status, body['code']]).toEqual([503, 'unavailable']);
    expect(under.bus.inputsOf(rotateBySignature).at(-1)?.newKeyHash).toBe(sha256Hex(String(body['agent_key'])));
  });

  it('takes precedence over every other credential', async () => {
    const bad = { 'x-api-key': 'no key', authorization: 'Bearer wrong' };
    expect(await outcome(await send({ ...(await sign()), ...bad }))).toEqual([200, 'rotated']);
    const good = { 'x-api-key': orgKey, authorization: `Bearer ${adminToken}` };
    expect(await outcome(await send({ ...(await sign()), ...good }))).toEqual([200, 'rotated']);
  });

  it('that is invalid is 401, without a fallback to other credentials', async () => {
    for (const also of [
      {},
      { 'x-api-key': orgKey },
      { authorization: `Bearer ${adminToken}` },
      { authorization: `Bearer ${agentKey}` },
    ]) {
      expect(await outcome(await send({ ...(await sign({}, body, other)), ...also }))).toEqual([
        401,
        'invalid_credential',
      ]);
    }
    expect(lastReason()).toBe('signature_mismatch');
  });

  it('of another agent is 403', async () => {
    const text = JSON.stringify({ agent_id: 'somebody' });
    expect(await outcome(await send(await sign({}, text), text))).toEqual([403, 'invalid_rotation_credential']);
  });

  it('is checked after the shape of its body', async () => {
    expect((await send(await sign({}, '{}'), '{}')).status).toBe(422);
    expect((await send(await sign({}, '{broken'), '{broken')).status).toBe(422);
  });

  it('counts against its address, and not against the agent', async () => {
    const address = { 'x-forwarded-for': from() };
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 6; attempt += 1) {
      statuses.push((await send({ ...(await sign()), ...address })).status);
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
    for (let attempt = 0; attempt < 6; attempt += 1) expect((await send(await sign())).status).toBe(200);
  });

  it('with other labels alone counts as unsigned', async () => {
    expect(await outcome(await send(await sign({ label: 'sig2' })))).toEqual([200, 'claim_issued']);
  });
});

describe('signatures of agents', () => {
  const review = { caller_agent_id: 'caller', receiver_agent_id: 'receiver', success: true, score: 9 };
  const signedFor = (path: string, text: string, signer = key) => signedHeaders(signer, `${under.url}${path}`, text);

  it('replace the key on POST /review', async () => {
    under.bus.answer(submitReview, () => ({ position: '9', transactionId: 't' }) as never);
    const text = JSON.stringify(review);
    expect((await send(await signedFor('/review', text), text, '/review')).status).toBe(200);
    expect(under.bus.inputsOf(submitReview).at(-1)).toMatchObject({
      callerAgentId: 'caller',
      actor: { kind: 'agent', id: 'caller', credentials: ['signature'] },
    });
    const elsewhere = JSON.stringify({ ...review, caller_agent_id: 'somebody' });
    expect(await outcome(await send(await signedFor('/review', elsewhere), elsewhere, '/review'))).toEqual([
      403,
      'caller_mismatch',
    ]);
    expect(await outcome(await send(await signedFor('/rotate', text), text, '/review'))).toEqual([
      401,
      'invalid_credential',
    ]);
    expect(await outcome(await send({}, text, '/review'))).toEqual([401, 'credential_required']);
  });

  it('replace the key on POST /call', async () => {
    under.bus.answerStream(executeCall, async () => {
      throw new Error('reached');
    });
    const text = JSON.stringify({ caller_agent_id: 'caller', agent_id: 'receiver', message: { a: 1.0 } });
    const asked = () => under.bus.asked.filter(({ method }) => method === executeCall.method).length;
    const before = asked();
    await send(await signedFor('/call', text), text, '/call');
    expect(asked()).toBe(before + 1);
    expect(await outcome(await send(await signedFor('/call', text, other), text, '/call'))).toEqual([
      401,
      'invalid_credential',
    ]);
    expect(asked()).toBe(before + 1);
  });

  it('beside a bearer key must both be valid and of the same agent', async () => {
    under.bus.answer(submitReview, () => ({ position: '9', transactionId: 't' }) as never);
    const text = JSON.stringify(review);
    const withBearer = async (bearer: string, signer = key) =>
      outcome(
        await send(
          { ...(await signedFor('/review', text, signer)), authorization: `Bearer ${bearer}` },
          text,
          '/review',
        ),
      );
    expect((await withBearer(agentKey))[0]).toBe(200);
    expect(await withBearer('wrong')).toEqual([401, 'invalid_credential']);
    expect(await withBearer(agentKey, other)).toEqual([401, 'invalid_credential']);
    under.bus.answer(findSignatureKey, () => ({
      signer: {
        identity: { agentId: 'twin', universe: production, orgId: null },
        publicKey: key.publicKey,
        orgDomain: null,
        domainVerified: false,
        agentsOfDomain: 0,
      },
    }));
    expect(await withBearer(agentKey)).toEqual([401, 'invalid_credential']);
    expect(lastReason()).toBe('credentials_disagree');
  });

  it('with other labels do not affect a bearer key', async () => {
    under.bus.answer(submitReview, () => ({ position: '9', transactionId: 't' }) as never);
    const statusWith = async (headers: Record<string, string>): Promise<number> =>
      (await send({ ...headers, authorization: `Bearer ${agentKey}` }, JSON.stringify(review), '/review')).status;
    expect(await statusWith({ signature: 'keyId="x",algorithm="hs2019",signature="AAAA"' })).toBe(200);
    expect(await statusWith({ 'signature-input': 'sig2=("@method");created=1;Tag="x"' })).toBe(200);
    expect(await statusWith({ signature: 'sig1=:AAAA:' })).toBe(401);
  });

  it("are ignored on routes without an agent's credential", async () => {
    const broken = { signature: 'x', 'signature-input': 'y' };
    expect((await send(broken, JSON.stringify({ agent_id: 'receiver' }), '/verify')).status).toBe(200);
  });
});

describe('public signers', () => {
  it.each(Object.entries(publicSigners))('%s is accepted', async (_name, signer) => {
    const url = `${under.url}/rotate`;
    const signable = {
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', 'content-digest': digestOf(body) },
    };
    const signed = await signer(signable, key, freshNonce(), new Date());
    expect(await outcome(await send({ ...signable.headers, ...signed }))).toEqual([200, 'rotated']);
    expect(await outcome(await send({ ...signable.headers, ...signed }))).toEqual([401, 'invalid_credential']);
    expect(lastReason()).toBe('nonce_reused');
  });
});

describe('replay', () => {
  // Bug: two gateways that each check and then write would both accept. Method: one signed request twenty times at once.
  it('of one request twenty times at once: exactly one passes', async () => {
    const headers = await sign();
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await send(headers)).status));
    expect(statuses.sort((a, b) => a - b)).toEqual([200, ...Array<number>(19).fill(401)]);
  });

  it('is detected by key and nonce: only a valid signature uses up a nonce, for later requests, too', async () => {
    const nonce = freshNonce();
    expect((await send(await sign({ nonce }, body, other))).status).toBe(401);
    expect((await send(await sign({ nonce }))).status).toBe(200);
    expect((await send(await sign({ nonce, createdSeconds: nowSeconds() - 5 }))).status).toBe(401);
    expect(lastReason()).toBe('nonce_reused');
  });
});

describe('refusals', () => {
  const refused = async (headers: Record<string, string>, reason: string, text = body): Promise<string> => {
    const before = under.logged().split('signature refused').length;
    const response = await send(headers, text);
    const { code, detail, request_id } = (await response.json()) as Record<string, string>;
    expect([response.status, code, lastReason()]).toEqual([401, 'invalid_credential', reason]);
    const lines = under
      .logged()
      .split('\n')
      .filter((line) => line.includes('signature refused') && line.includes(request_id ?? '-'));
    expect([lines.length, under.logged().split('signature refused').length - before]).toEqual([1, 1]);
    return detail ?? '';
  };

  it('report what is wrong with the request itself', async () => {
    expect(await refused(await sign({ createdSeconds: nowSeconds() - 400 }), 'created_too_old')).toContain(
      'too long ago',
    );
    expect(await refused(await sign({ createdSeconds: nowSeconds() + 400 }), 'created_in_future')).toContain('future');
    expect(await refused(await sign(), 'digest_mismatch', `${body} `)).toContain('Content-Digest');
    expect(await refused({ ...(await sign()), 'signature-input': 'sig1=(,' }, 'malformed_signature_input')).toContain(
      'Signature-Input',
    );
    expect(await refused(await sign({ components: ['@method', 'content-digest'] }), 'component_not_covered')).toContain(
      'covered',
    );
    const { signature: _, ...half } = await sign();
    expect(await refused(half, 'header_missing')).toContain('must both be there');
  });

  it('do not reveal which agents have keys', async () => {
    const details = [
      await refused(await sign({ keyId: 'nobody' }), 'agent_unknown'),
      await refused(await sign({}, body, other), 'signature_mismatch'),
    ];
    under.bus.answer(findSignatureKey, () => ({
      signer: {
        identity: { agentId: 'caller', universe: production, orgId: null },
        publicKey: null,
        orgDomain: null,
        domainVerified: false,
        agentsOfDomain: 0,
      },
    }));
    details.push(await refused(await sign(), 'key_absent'));
    expect(new Set(details).size).toBe(1);
  });

  it('log no invalid id or name', async () => {
    const token = `${Buffer.from('caller').toString('base64url')}.${'a'.repeat(43)}`;
    await refused(await sign({ keyId: token }), 'agent_unknown');
    const components = ['@method', '@path', 'content-digest', token];
    const input = (await sign())['signature-input']?.replace(
      '("@method" "@path" "content-digest"',
      `(${components.map((name) => `"${name}"`).join(' ')}`,
    );
    await refused({ ...(await sign()), 'signature-input': input ?? '' }, 'component_unsupported');
    expect(under.logged()).not.toContain(token);
    await refused(await sign({ components: ['@method', 'content-digest'] }), 'component_not_covered');
    expect(under.logged()).toContain('"subject":"@path"');
  });

  it('precede any lookup if the key does not matter', async () => {
    const asked = under.bus.asked.length;
    await refused(await sign({ keyId: `a${'b'.repeat(128)}` }), 'keyid_invalid');
    await refused(await sign({ createdSeconds: 0 }), 'created_too_old');
    expect(under.bus.asked.length).toBe(asked);
  });

  it('follow if a nonce cannot be stored: nothing is accepted', async () => {
    const down = await startGatewayUnderTest();
    down.bus.answer(findSignatureKey, () => ({
      signer: {
        identity: { agentId: 'caller', universe: production, orgId: null },
        publicKey: key.publicKey,
        orgDomain: null,
        domainVerified: false,
        agentsOfDomain: 0,
      },
    }));
    const text = JSON.stringify({ caller_agent_id: 'caller', receiver_agent_id: 'receiver', success: true, score: 9 });
    const manager = await (await import('@nats-io/jetstream')).jetstreamManager(down.gateway.jetstream.connection);
    await expect.poll(() => manager.streams.delete('KV_nonces').catch(() => false)).toBe(true);
    // A stream of another shape under the bucket's name: it cannot be opened, as if the store were broken.
    await manager.streams.add({ name: 'KV_nonces', subjects: ['elsewhere'] });
    const response = await post(`${down.url}/review`, text, await signedHeaders(key, `${down.url}/review`, text));
    expect(await outcome(response)).toEqual([503, 'unavailable']);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/u);
    await down.stop();
  });
});

describe('SIGNATURE_STRICT', () => {
  it("also requires @authority, which must be the gateway's own, and @query", async () => {
    const strict = await startGatewayUnderTest({ SIGNATURE_STRICT: 'true', BASE_URL: 'https://registry.example' });
    strict.bus.answer(rotateBySignature, () => ({ position: '9' }));
    strict.bus.answer(findSignatureKey, () => ({
      signer: {
        identity: { agentId: 'caller', universe: production, orgId: null },
        publicKey: key.publicKey,
        orgDomain: null,
        domainVerified: false,
        agentsOfDomain: 0,
      },
    }));
    const all = ['@method', '@path', 'content-digest', '@authority', '@query'];
    const rotate = async (components: string[], query = '', signedQuery = query): Promise<unknown[]> => {
      const headers = await signedHeaders(key, `${strict.url}/rotate${signedQuery}`, body, { components });
      return outcome(await post(`${strict.url}/rotate${query}`, body, headers));
    };
    expect(await rotate(all)).toEqual([200, 'rotated']);
    expect(await rotate(all.slice(0, 4))).toEqual([401, 'invalid_credential']);
    expect(await rotate(['@query', ...all.slice(0, 3)])).toEqual([401, 'invalid_credential']);
    expect(await rotate(all, '?a=1', '?a=2')).toEqual([401, 'invalid_credential']);
    expect(strict.logged()).not.toContain('authority_foreign');
    await strict.stop();
  });

  it('refuses a request that was signed for another host, with that Host header', async () => {
    const strict = await startGatewayUnderTest({ SIGNATURE_STRICT: 'true', TRUST_PROXY: '127.0.0.1' });
    strict.bus.answer(findSignatureKey, () => ({
      signer: {
        identity: { agentId: 'caller', universe: production, orgId: null },
        publicKey: key.publicKey,
        orgDomain: null,
        domainVerified: false,
        agentsOfDomain: 0,
      },
    }));
    const components = ['@method', '@path', 'content-digest', '@authority', '@query'];
    const headers = await signedHeaders(key, 'http://elsewhere.example/rotate', body, { components });
    const response = await post(`${strict.url}/rotate`, body, { ...headers, 'x-forwarded-host': 'elsewhere.example' });
    expect(await outcome(response)).toEqual([401, 'invalid_credential']);
    expect(strict.logged()).toContain('authority_foreign');
    await strict.stop();
  });
});
