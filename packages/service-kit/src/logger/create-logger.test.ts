import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createLogger, type Logger } from './create-logger.ts';
import { logLimits } from './redact.ts';

const secret = 'S3CRET0123456789abcdef';

const capture = (log: (logger: Logger) => void): { text: string; lines: Record<string, unknown>[] } => {
  let written = '';
  const destination = { write: (line: string): void => void (written += line) };
  log(createLogger({ service: 'gateway', instanceId: 'i1', level: 'debug', destination }));
  const lines = written.split('\n').filter((line) => line !== '');
  return { text: written, lines: lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
};

describe('createLogger', () => {
  it('writes one JSON line with service, instance, time and message', () => {
    const { lines } = capture((logger) => logger.info({ agent_id: 'a', position: 7n }, 'registered'));
    expect(lines).toEqual([
      expect.objectContaining({
        level: 'info',
        service: 'gateway',
        instance: 'i1',
        agent_id: 'a',
        position: '7',
        msg: 'registered',
      }),
    ]);
    expect(lines[0]?.time).toMatch(/^\d{4}-.*Z$/);
  });

  it('writes the time to the millisecond, across seconds and back', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const times = [
      '2026-01-01T00:00:00.007Z',
      '2026-01-01T00:00:00.999Z',
      '2026-01-01T00:00:01.000Z',
      '2025-12-31T23:59:59.120Z',
    ];
    const { lines } = capture((logger) => {
      for (const time of times) {
        vi.setSystemTime(new Date(time));
        logger.info('a line');
      }
    });
    expect(lines.map(({ time }) => time)).toEqual(times);
  });

  it.each([
    'authorization',
    'Authorization',
    'x-api-key',
    'X-API-KEY',
    'x-admin-key',
    'x-payment',
    'payment-signature',
    'cookie',
    'set-cookie',
    'token',
    'key',
    'claim_link',
    'claimLink',
    'password',
    'agent_key',
    'sandbox_api_key',
  ])('redacts %s at any depth', (name) => {
    const { text } = capture((logger) => {
      logger.info({ [name]: secret }, 'top');
      logger.info({ request: { headers: [{ [name]: [secret] }] } }, 'deep');
      logger.info({ headers: new Map([[name, secret]]) }, 'map');
      logger.info({ rawHeaders: ['accept', '*/*', name, secret] }, 'flat');
      logger.info('format %j', { [name]: secret });
      logger.child({ [name]: secret }).info('child');
      logger.error(Object.assign(new Error('refused'), { [name]: secret }));
    });
    expect(text.match(/\[redacted\]/g)).toHaveLength(7);
    expect(text).not.toContain(secret);
  });

  it.each(['public_key', 'key_hash', 'keyid', 'agent_id', 'nonce', 'token_count', 'monkey'])('keeps %s', (name) => {
    expect(capture((logger) => logger.info({ [name]: 'kept' }, 'm')).text).toContain(`"${name}":"kept"`);
  });

  it.each([
    `got registry-agent-sk-${secret}`,
    `got registry-org-sk-${secret}.`,
    `got registry-org-sandbox-sk-${secret}`,
    `got registry-operator-sk-${secret}`,
    `GET /rotate?token=${secret}&x=1`,
    `GET /x?next=%2Frotate%3Ftoken%3D${secret}`,
    `authorization was Bearer ${secret}`,
    `cannot reach nats://gateway:${secret}@127.0.0.1:4222`,
  ])('scrubs %j anywhere in a text', (text) => {
    const written = capture((logger) => {
      logger.info(text);
      logger.info({ note: text, list: [{ deeper: text }] }, 'm');
      logger.info('%s %o', text, { text });
      logger.error(new Error('outer', { cause: new TypeError(text) }), text);
      logger.info({ [text]: 1 }, 'as a name');
    });
    expect(written.text).not.toContain(secret);
    expect(written.lines).toHaveLength(5);
  });

  it.each([
    'the key registry-agent-sk- has no secret',
    'GET /registry?limit=5&offset=10',
    'Bearer authentication needed',
    'http://127.0.0.1:8080/health',
    'tokens=5',
  ])('keeps %j', (text) => expect(capture((logger) => logger.info(text)).lines[0]?.msg).toBe(text));

  it('writes errors with type, stack, own fields and causes', () => {
    const cause = Object.assign(new TypeError('inner'), { code: 'ECONNRESET' });
    const { lines } = capture((logger) => logger.error({ err: new Error('outer', { cause }) }, 'failed'));
    expect(lines[0]).toMatchObject({
      msg: 'failed',
      err: {
        type: 'Error',
        message: 'outer',
        stack: expect.stringContaining('create-logger.test'),
        cause: { type: 'TypeError', code: 'ECONNRESET' },
      },
    });
  });

  it('accepts unreadable and endless values', () => {
    const endless: Record<string, unknown> = {};
    endless.self = endless;
    const hostile = Object.defineProperty({}, 'x', {
      enumerable: true,
      get: () => {
        throw new RangeError('no');
      },
    });
    const loop = new Error('loop');
    loop.cause = loop;
    const wide = Array.from({ length: 10_000 }, (_, index) => ({ index }));
    const { text, lines } = capture((logger) => {
      logger.info(
        { bytes: new Uint8Array(9), endless, hostile, wide, long: 'x'.repeat(1e6), date: new Date(Number.NaN) },
        'm',
      );
      logger.error(loop);
      logger.info(null as unknown as object, 'null');
    });
    expect(lines).toHaveLength(3);
    expect(text).toContain('[unreadable: RangeError]');
    expect(text).toContain('[9 bytes]');
    expect(text.length).toBeLessThan(logLimits.valuesMax * 100 + logLimits.stringCharactersMax * 8);
  });

  it('logs only the identifying parts of a request and a response', () => {
    const request = {
      method: 'POST',
      url: `/rotate?token=${secret}`,
      headers: { 'x-other': secret },
      body: secret,
      id: 'r1',
    };
    const { lines, text } = capture((logger) => {
      logger.info({ req: request, res: { statusCode: 200, request } }, 'done');
      logger.child({ req: request }).info('child');
    });
    expect(text).not.toContain(secret);
    const req = { method: 'POST', url: '/rotate?token=[redacted]', id: 'r1' };
    expect(lines).toEqual([
      expect.objectContaining({ req, res: { statusCode: 200 } }),
      expect.objectContaining({ req }),
    ]);
  });
});
