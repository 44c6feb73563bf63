/**
 * The document of a running gateway, as its readers use it: validators, a linter, and people with a browser. The proxies in front of the
 * gateways check in all tests that answers match the document; a unit test checks that the document is complete.
 */
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { type Body, gateways, get, post } from '../support/ask.ts';

const operationsOf = (document: Body): string[] =>
  Object.entries(document['paths'] as Record<string, Body>).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );

describe('GET /openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const { body } = await get('/openapi.json');
    const { valid, errors } = await new Validator().validate(body);
    expect([valid, errors ?? []]).toEqual([true, []]);
  });

  it('passes the strict rules of Redocly without an exception', async () => {
    const { text } = await get('/openapi.json');
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual([]);
  });

  it('the linter detects errors', async () => {
    const { body } = await get('/openapi.json');
    const paths = body['paths'] as Record<string, Record<string, Body>>;
    delete (paths['/verify'] as Record<string, Body>)['post']?.['summary'];
    const config = await createConfig({ extends: ['recommended-strict'] });
    const problems = await lintFromString({ source: JSON.stringify(body), absoluteRef: 'openapi.json', config });
    expect(problems.map(({ ruleId }) => ruleId)).toEqual(['operation-summary']);
  });

  it('has every endpoint of the specification', async () => {
    const { body } = await get('/openapi.json');
    expect(operationsOf(body)).toEqual(
      expect.arrayContaining([
        'GET /.well-known/agent.json',
        'GET /agent/{agent_id}',
        'GET /health',
        'GET /mcp/sse',
        'GET /org/agents',
        'GET /org/agents/{agent_id}',
        'GET /org/payments',
        'GET /org/whoami',
        'GET /pay/{agent_id}',
        'GET /registry',
        'GET /rotate',
        'POST /call',
        'POST /import-agent',
        'POST /match',
        'POST /mcp-http/mcp',
        'POST /org/create-key',
        'POST /org/sandbox-key',
        'POST /pay/{agent_id}',
        'POST /register',
        'POST /review',
        'POST /rotate',
        'POST /sandbox/preview_match',
        'POST /sandbox/promote',
        'POST /sandbox/publish',
        'POST /sandbox/withdraw',
        'POST /update',
        'POST /verify',
      ]),
    );
  });

  it('has the address of the gateway that serves it', async () => {
    for (const gateway of gateways) {
      const { body } = await get('/openapi.json', {}, gateway);
      expect(body).toMatchObject({
        servers: [{ url: expect.stringMatching(/^http:/u) as unknown }],
        externalDocs: { url: expect.stringMatching(/\/docs$/u) as unknown },
        info: { license: { identifier: 'Apache-2.0' }, version: '1.0.0' },
      });
    }
  });

  it('has examples of requests that the registry accepts', async () => {
    const { body } = await get('/openapi.json');
    const paths = body['paths'] as Record<string, Record<string, { requestBody: { content: Record<string, Body> } }>>;
    for (const path of ['/verify', '/match']) {
      const examples = paths[path]?.['post']?.requestBody.content['application/json']?.['examples'];
      for (const { value } of Object.values(examples as Record<string, { value: unknown }>))
        expect((await post(path, value)).status).not.toBe(422);
    }
  });
});

describe('GET /docs', () => {
  it('is a page whose parts all load, at every gateway', async () => {
    for (const gateway of gateways) {
      const page = await fetch(`${gateway}/docs`);
      expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
      const addresses = [...(await page.text()).matchAll(/(?:src|href)="([^":]+)"/gu)].map(([, address]) => address);
      expect(addresses.length).toBeGreaterThanOrEqual(5);
      for (const address of addresses) {
        const part = await fetch(new URL(address ?? '', `${gateway}/docs`));
        expect([address, part.status]).toEqual([address, 200]);
        // The browser itself would refuse resources of other origins.
        expect(new URL(part.url).origin).toBe(new URL(gateway).origin);
        await part.arrayBuffer();
      }
    }
  });
});
