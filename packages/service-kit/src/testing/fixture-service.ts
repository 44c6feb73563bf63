/** A service for the tests of `runService`; FIXTURE sets its behaviour. */
import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { baseSettings } from '../config/base-settings.ts';
import { oneOf } from '../config/read-config.ts';
import { healthReport } from '../health/health-report.ts';
import { runService } from '../lifecycle/run-service.ts';
import { untilReached } from '../lifecycle/start-waits.ts';

const behaviours = [
  'good',
  'never_starts',
  'waits',
  'starts_slowly',
  'start_fails',
  'never_stops',
  'throws',
  'rejects',
  'fails',
  'starts_until_told',
] as const;

await runService({
  name: 'fixture',
  settings: z.object({ ...baseSettings, FIXTURE: oneOf(...behaviours).default('good') }),
  start: async ({ config, logger, starting, waits, stopping, fail }) => {
    const { FIXTURE: behaviour } = config;
    if (behaviour === 'start_fails') throw new Error('the log is not there', { cause: new Error('ECONNREFUSED') });
    // A real service is kept alive by its connections.
    const server = createServer().listen(0, '127.0.0.1');
    if (behaviour === 'waits') {
      const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:4222'), { code: 'ECONNREFUSED' });
      await untilReached({ waits, stopping }, { name: 'NATS', url: config.NATS_URL }, () => Promise.reject(refused));
    }
    if (behaviour === 'never_starts') return new Promise(() => {});
    if (behaviour === 'starts_slowly') {
      // Three times the start deadline of its test, in steps that are shorter.
      for (let step = 1; step <= 12; step += 1) {
        await delay(50);
        starting(`step ${step} of 12`);
        logger.info(`step ${step}`);
      }
    }
    if (behaviour === 'starts_until_told') {
      logger.info('starting');
      return new Promise((_, reject) => stopping.addEventListener('abort', () => reject(stopping.reason as Error)));
    }
    process.once('SIGUSR2', () => {
      if (behaviour === 'throws') throw new Error('thrown late');
      if (behaviour === 'rejects') void Promise.reject(new Error('rejected late'));
      if (behaviour === 'fails') fail(new Error('failed late'));
    });
    return {
      details: { behaviour },
      health: () => healthReport({ log: { status: 'ok', position: '7' } }),
      stop: () => {
        if (behaviour === 'never_stops') return new Promise(() => {});
        server.close();
        return Promise.resolve();
      },
    };
  },
});
