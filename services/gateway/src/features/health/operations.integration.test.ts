import { getStatus, getWriterStatus, healthRoute } from '@agent-trust/contracts';
import { Validator } from '@seriousme/openapi-schema-validator';
import { healthReport } from '@agent-trust/service-kit';
import { startRunTime } from '@agent-trust/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { edgeParts } from './edge-parts.ts';
import { type GatewayUnderTest, startGatewayUnderTest } from '../../testing/gateway-under-test.ts';

let under: GatewayUnderTest;
beforeAll(async () => {
  under = await startGatewayUnderTest();
});
afterAll(() => under.stop());

const ok = { status: 'ok' } as const;
const down = { status: 'down', detail: 'no answer' } as const;
const projection = { ...ok, position: '5', headPosition: '6', lag: 1 };

describe('GET /health', () => {
  it('is ok while the database answers, even if other parts are down', async () => {
    const logRecord = { ...down, position: '2', headPosition: '6', lag: 4 };
    under.bus.answer(getStatus, () => ({ database: ok, eventLog: down, projection, logRecord }));
    const response = await fetch(`${under.url}/health`);
    const body = healthRoute.answers[200]?.body?.parse(await response.json());
    expect([response.status, body]).toEqual([
      200,
      {
        status: 'ok',
        database: ok,
        event_log: down,
        message_bus: ok,
        jetstream: ok,
        registry_write: ok,
        projection: { ...ok, position: '5', head_position: '6', lag: 1 },
        log_record: { ...down, position: '2', head_position: '6', lag: 4 },
      },
    ]);
  });

  // Bug: nothing carries out commands, every write is refused, and health says that all is well.
  it('names the commands as down if nothing carries them out, and is ok still', async () => {
    under.bus.answer(getStatus, () => ({ database: ok, eventLog: ok, projection }));
    under.bus.answer(getWriterStatus, () => new Promise(() => {}));
    const response = await fetch(`${under.url}/health`);
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { status: 'ok', registry_write: { status: 'down', detail: 'no instance answers' }, jetstream: ok },
    ]);
    expect(healthReport(await edgeParts(under.gateway)).status).toBe('down');
    under.bus.answer(getWriterStatus, () => ({}));
    expect(healthReport(await edgeParts(under.gateway)).status).toBe('ok');
  });

  it('is 503 if the database does not answer', async () => {
    under.bus.answer(getStatus, () => ({ database: down, eventLog: ok, projection }));
    const response = await fetch(`${under.url}/health`);
    expect([response.status, await response.json()]).toMatchObject([503, { status: 'down', database: down }]);
  });

  it('is 503 soon if no service answers', async () => {
    under.bus.answer(getStatus, () => new Promise(() => {}));
    const tookMs = startRunTime();
    const response = await fetch(`${under.url}/health`);
    expect([response.status, healthRoute.answers[503]?.body?.parse(await response.json())]).toMatchObject([
      503,
      { status: 'down' },
    ]);
    expect(tookMs()).toBeLessThan(3_000);
    under.bus.answer(getStatus, () => ({ database: ok, eventLog: ok, projection }));
  });
});

describe('GET /openapi.json', () => {
  it('is a valid OpenAPI 3.1 document', async () => {
    const response = await fetch(`${under.url}/openapi.json`);
    const document = (await response.json()) as { servers: { url: string }[] };
    const { valid, errors } = await new Validator().validate(document);
    expect(errors ?? []).toEqual([]);
    expect([valid, document.servers[0]?.url]).toEqual([true, under.url]);
  });

  it('is cached until it changes', async () => {
    const first = await fetch(`${under.url}/openapi.json`);
    const etag = first.headers.get('etag') ?? '';
    expect(first.headers.get('cache-control')).toBe('public, max-age=300');
    const again = await fetch(`${under.url}/openapi.json`, { headers: { 'if-none-match': `"x", ${etag}` } });
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag]);
    expect((await fetch(`${under.url}/openapi.json`, { headers: { 'if-none-match': '"x"' } })).status).toBe(200);
  });
});
