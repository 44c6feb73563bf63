import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { serviceEnvironment, serviceKinds } from './services.ts';

const address = (service: string): string => `nats://${service}.test`;
const environmentOf = (name: string, given: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const kind = serviceKinds.find((service) => service.name === name);
  if (kind === undefined) throw new Error(`${name} is no service`);
  const addresses = { natsUrlFor: address, eventLogUrlFor: address, readModelsUrlFor: address };
  return serviceEnvironment(kind, given, {}, addresses, { baseUrl: 'http://127.0.0.1', compileCacheFolder: '/tmp' });
};

describe("a service's environment", () => {
  it.each(serviceKinds.map(({ name }) => name))(
    'has the key of the embedding model only for the service that uses it: %s',
    (name) => {
      const environment = environmentOf(name, {
        EMBEDDINGS_URL: 'https://models.test/v1',
        EMBEDDINGS_API_KEY: 'a key',
        LOG_LEVEL: 'info',
      });
      const expected = name === 'trust-projection' ? ['https://models.test/v1', 'a key'] : [undefined, undefined];
      expect([environment['EMBEDDINGS_URL'], environment['EMBEDDINGS_API_KEY']]).toEqual(expected);
      expect(environment['LOG_LEVEL']).toBe('info');
    },
  );

  it('has enough threads for name lookups, as many as the image, unless configured otherwise', () => {
    const image = readFileSync(new URL('../../../infra/docker/Dockerfile', import.meta.url), 'utf8');
    const ofImage = /UV_THREADPOOL_SIZE=(\d+)/u.exec(image)?.[1];
    expect(Number(ofImage)).toBeGreaterThanOrEqual(32);
    expect(environmentOf('call-proxy', {})).toMatchObject({ UV_THREADPOOL_SIZE: ofImage });
    expect(environmentOf('call-proxy', { UV_THREADPOOL_SIZE: '64' })).toMatchObject({ UV_THREADPOOL_SIZE: '64' });
  });

  it('omits empty variables, so that defaults apply', () => {
    expect(environmentOf('trust-projection', { EMBEDDINGS_MODEL: '' })).not.toHaveProperty('EMBEDDINGS_MODEL');
  });
});
