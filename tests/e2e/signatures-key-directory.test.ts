import { type ClientKey } from '@agent-trust/http-signature/testing';
import { beforeAll, describe, expect, it } from 'vitest';
import { adminToken, type Body, createOrg, join, type Org, post, stack } from '../support/ask.ts';
import { vouchFor } from '../support/domains.ts';
import { directoryDomains, publish, requestCount } from '../support/key-directories.ts';
import { unique } from '../support/registry.ts';
import { codeOf, expectRefused, freshKey, rotate } from '../support/signer.ts';

let org: Org;
beforeAll(async () => {
  org = await createOrg();
});

describe('keys from the directory of the domain', () => {
  const [named = '', sole = '', shared = '', rotten = '', absent = '', ownKey = '', unproved = ''] = directoryDomains;
  const member = async (domain: string, fields: Body = {}): Promise<ClientKey> => {
    const agentId = unique('member');
    const { status, text } = await post('/register', { agent_id: agentId, org_domain: domain, ...fields }, org.key);
    if (status !== 201) throw new Error(`register returned ${status}: ${text}`);
    if (directoryDomains.includes(domain)) await vouchFor(domain, org);
    return freshKey(agentId);
  };
  const jwk = ({ publicKey }: ClientKey, fields: Body = {}): Body => ({
    kty: 'OKP',
    crv: 'Ed25519',
    x: publicKey,
    ...fields,
  });

  it('provide the key whose kid is the agent_id, and one request to the domain serves many signatures', async () => {
    const key = await member(named);
    const other = await freshKey('other');
    await publish(stack.directoriesUrl, named, { keys: [jwk(other, { kid: 'other' }), jwk(key, { kid: key.keyId })] });
    const answers = await Promise.all(Array.from({ length: 5 }, () => rotate(key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await requestCount(stack.directoriesUrl, named)).toBe(1);
    await expectRefused(await rotate({ ...other, keyId: key.keyId }), 'signature_mismatch');
  });

  // KEY_DIRECTORY_BASE names a directory that is not at the domain, and so shows nothing of who controls the domain.
  it('count for a proved domain only, if the directory is elsewhere', async () => {
    const key = await member(unproved);
    await publish(stack.directoriesUrl, unproved, { keys: [jwk(key)] });
    expect(codeOf(await rotate(key))).toEqual([200, 'rotated']);
    expect((await post(`/ops/domains/${unproved}/withdraw`, { reason: 'a test' }, adminToken)).status).toBe(200);
    await expectRefused(await rotate(key), 'domain_unproved');
    await vouchFor(unproved, org);
    expect(codeOf(await rotate(key))).toEqual([200, 'rotated']);
  });

  it('provide the only key of the only agent', async () => {
    const key = await member(sole);
    await publish(stack.directoriesUrl, sole, { keys: [jwk(key), { kty: 'RSA', n: 'AQAB', e: 'AQAB' }] });
    expect(codeOf(await rotate(key))).toEqual([200, 'rotated']);
  });

  it('do not provide the only key once two agents share the domain', async () => {
    const key = await member(shared);
    await publish(stack.directoriesUrl, shared, { keys: [jwk(key)] });
    const second = (await join(org.key)).agentId;
    const moved = await post('/update', { agent_id: second, org_domain: shared }, org.key);
    expect(moved.status).toBe(200);
    await expectRefused(await rotate(key), 'directory_key_absent');
  });

  it('verify nothing if the domain has no valid directory', async () => {
    await publish(stack.directoriesUrl, rotten, '{"keys": "none"}');
    await expectRefused(await rotate(await member(rotten)), 'directory_malformed');
    await expectRefused(await rotate(await member(absent)), 'directory_refused');
    await expectRefused(await rotate(await member(`${unique('unreachable')}.invalid`)), 'directory_unreachable');
  });

  it('are ignored for an agent with its own public_key', async () => {
    const key = await freshKey('x');
    const published = await member(ownKey, { public_key: key.publicKey });
    await publish(stack.directoriesUrl, ownKey, { keys: [jwk(published, { kid: published.keyId })] });
    await expectRefused(await rotate(published), 'signature_mismatch');
    expect(codeOf(await rotate({ ...key, keyId: published.keyId }))).toEqual([200, 'rotated']);
    expect(await requestCount(stack.directoriesUrl, ownKey)).toBe(0);
  });
});
