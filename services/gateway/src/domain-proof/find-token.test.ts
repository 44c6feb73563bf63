import { createSafeFetch } from '@agent-trust/safe-fetch';
import { type DomainWorld, startDomainWorld } from '@agent-trust/test-kit/domain-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFindToken, type FindToken } from './find-token.ts';
import { domainProofLimits } from './limits.ts';
import { createNameServers } from './name-servers.ts';
import { hashOfLine, tokenLine } from './token.ts';

/*
 * Method: a name server and a web server with an authority of its own, on loopback, that misbehave in every way that costs something.
 */
let world: DomainWorld;
let findToken: FindToken;
let closing: () => Promise<void>;
const finder = (over: { allow?: string; extraCa?: string | undefined } = {}) => {
  const nameServers = createNameServers([world.nameServer.address]);
  const safeFetch = createSafeFetch({
    allow: '127.0.0.1',
    resolve: nameServers.addresses,
    extraCa: world.authority,
    ...over,
  });
  return { findToken: createFindToken({ safeFetch, nameServers, port: world.port }), close: () => safeFetch.close() };
};
beforeAll(async () => {
  world = await startDomainWorld();
  ({ findToken, close: closing } = finder());
});
afterAll(async () => {
  await closing();
  await world.stop();
});

const secret = 'the secret of these tests';
let named = 0;
const freshDomain = (): string => `d${(named += 1)}.proofs.test`;
const lineOf = (domain: string, orgId = 'org-1'): string => tokenLine(secret, orgId, domain);
const look = (domain: string, lines = [lineOf(domain)]) => findToken(domain, lines.map(hashOfLine));

describe('a token', () => {
  it('is one of an organisation and a domain, and the same each time', () => {
    const lines = [
      lineOf('a.test'),
      lineOf('b.test'),
      lineOf('a.test', 'org-2'),
      tokenLine('other', 'org-1', 'a.test'),
      // No two pairs are one text.
      tokenLine(secret, 'org-1","a.test', ''),
    ];
    expect(new Set(lines).size).toBe(lines.length);
    expect(lineOf('a.test')).toBe(lines[0]);
    expect(lines[0]).toMatch(/^agent-trust-registry=[A-Za-z0-9_-]{43}$/u);
  });

  it('is found on the page, among other lines', async () => {
    const domain = freshDomain();
    world.serve(domain, `\uFEFF# proofs\r\n agent-trust-registry=other\r\n  ${lineOf(domain)}  \r\n`);
    expect(await look(domain)).toMatchObject({
      found: { method: 'https', foundAt: domain, tokenHash: hashOfLine(lineOf(domain)) },
    });
  });

  it('is found in a record, among others, also in pieces', async () => {
    const domain = freshDomain();
    world.publish(domain, 'v=spf1 -all', 'x'.repeat(600), lineOf(domain));
    expect(await look(domain)).toMatchObject({ found: { method: 'dns', foundAt: domain } });
  });

  it('is found at the registrable domain, in either place', async () => {
    const domain = `agents.${freshDomain()}`;
    world.publish('proofs.test', lineOf(domain));
    expect(await look(domain)).toMatchObject({ found: { method: 'dns', foundAt: 'proofs.test' } });
    world.forget('proofs.test');
    world.serve('proofs.test', lineOf(domain));
    expect(await look(domain)).toMatchObject({ found: { method: 'https', foundAt: 'proofs.test' } });
    world.forget('proofs.test');
    expect(await look(domain)).toMatchObject({ found: null });
  });

  it('is the one of several that is there', async () => {
    const domain = freshDomain();
    world.publish(domain, lineOf(domain, 'org-2'));
    const found = await look(domain, [lineOf(domain), lineOf(domain, 'org-2')]);
    expect(found.found?.tokenHash).toBe(hashOfLine(lineOf(domain, 'org-2')));
  });

  it('of another organisation, another domain, or in a part of a line proves nothing', async () => {
    const domain = freshDomain();
    world.publish(
      domain,
      lineOf(domain, 'org-2'),
      lineOf('other.proofs.test'),
      `see ${lineOf(domain)}`,
      `${lineOf(domain)}x`,
    );
    world.serve(domain, `<html>${lineOf(domain)}</html>`);
    expect(await look(domain)).toMatchObject({ found: null, goneFrom: ['https', 'dns'] });
  });
});

describe('a place that surely has no token', () => {
  it('is one that answers so', async () => {
    const domain = freshDomain();
    world.serve(domain, (_request, response) => response.writeHead(404).end());
    expect(await look(domain)).toMatchObject({ found: null, goneFrom: ['https', 'dns'] });
  });

  it('is a redirect, wherever it leads', async () => {
    const [domain, other] = [freshDomain(), freshDomain()];
    world.serve(other, lineOf(domain));
    world.serve(domain, (request, response) =>
      response.writeHead(302, { location: `https://${other}:${world.port}${request.url}` }).end(lineOf(domain)),
    );
    const found = await look(domain);
    expect(found).toMatchObject({ found: null, goneFrom: ['https', 'dns'] });
    expect(found.detail).toContain('status 302; redirects are not followed');
  });

  it('is a page that is too large, also one without an end, and the token before it', async () => {
    const domain = freshDomain();
    world.serve(domain, (_request, response) => {
      response.write(`${lineOf(domain)}\n`);
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', write);
      write();
    });
    const found = await look(domain);
    expect(found).toMatchObject({ found: null, goneFrom: ['https', 'dns'] });
    expect(found.detail).toContain(`larger than ${domainProofLimits.pageBytesMax} bytes`);
  });

  it('is an address that the registry may not contact', async () => {
    const strict = finder({ allow: '' });
    const domain = freshDomain();
    world.serve(domain, lineOf(domain));
    const found = await strict.findToken(domain, [hashOfLine(lineOf(domain))]);
    expect(found).toMatchObject({ found: null, goneFrom: ['https', 'dns'] });
    expect(found.detail).not.toContain('127.0.0.1');
    await strict.close();
  });
});

describe('nothing is known of a place', () => {
  it('whose certificate no trusted authority has signed, or that is of another name', async () => {
    const strict = finder({ extraCa: undefined });
    const domain = freshDomain();
    world.serve(domain, lineOf(domain));
    expect(await strict.findToken(domain, [hashOfLine(lineOf(domain))])).toMatchObject({
      found: null,
      goneFrom: ['dns'],
    });
    await strict.close();
    const foreign = 'elsewhere.test';
    world.serve(foreign, lineOf(foreign));
    expect(await look(foreign)).toMatchObject({ found: null, goneFrom: ['dns'] });
  });

  it('that fails', async () => {
    const domain = freshDomain();
    world.serve(domain, (_request, response) => response.writeHead(503).end(lineOf(domain)));
    expect(await look(domain)).toMatchObject({ found: null, goneFrom: ['dns'] });
  });

  it.each(['server_failure', 'garbage'] as const)('whose name server answers %s', async (answer) => {
    const domain = freshDomain();
    world.nameServer.names.set(`_agent-trust-registry.${domain}`, answer);
    expect(await look(domain)).toMatchObject({ found: null, goneFrom: ['https'] });
  });

  it('that is silent or slow; all places together take no longer than one', { timeout: 60_000 }, async () => {
    const domain = freshDomain();
    world.nameServer.names.set(`_agent-trust-registry.${domain}`, 'silence');
    world.nameServer.names.set(domain, { addresses: ['127.0.0.1'] });
    world.serve(domain, (_request, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'), 100);
      response.on('close', () => clearInterval(drip));
    });
    const found = await look(domain);
    expect(found).toMatchObject({ found: null, goneFrom: [] });
  });
});

it('a huge answer of a name server is read to its end, and no further', { timeout: 60_000 }, async () => {
  const domain = freshDomain();
  world.publish(domain, ...Array.from({ length: 200 }, (_, n) => `${n} ${'x'.repeat(250)}`), lineOf(domain));
  expect(await look(domain)).toMatchObject({ found: { method: 'dns' } });
});
