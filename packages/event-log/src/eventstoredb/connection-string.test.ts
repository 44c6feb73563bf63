import { describe, expect, test } from 'vitest';
import { EventLogSetupError } from '../errors.ts';
import { readConnectionString } from './connection-string.ts';

const read = (url: string) => readConnectionString(url, 'registry-write');
const host = (address: string, port = 2113) => ({ address, port });

describe('a connection string', () => {
  test.each([
    ['esdb://a', 'node', [host('a')]],
    ['esdb://a:2114?tls=false', 'node', [host('a', 2114)]],
    ['esdb://a:2113,b:2113,c:2114?tls=false', 'seeds', [host('a'), host('b'), host('c', 2114)]],
    ['esdb://10.0.0.1,10.0.0.2', 'seeds', [host('10.0.0.1'), host('10.0.0.2')]],
    ['esdb+discover://cluster.example:2113', 'name', [host('cluster.example')]],
    ['esdb://user:pass@a:2113/?nodePreference=follower', 'node', [host('a')]],
  ])('%s names a %s', (url, kind, endpoints) => expect(read(url)).toMatchObject({ kind, endpoints }));

  test('gives the user, decoded, to servers with TLS only', () => {
    const authorization = `Basic ${Buffer.from('ops:p@ss:w').toString('base64')}`;
    expect(read('esdb://ops:p%40ss%3Aw@a,b')).toMatchObject({ authorization, isTls: true });
    expect(read('esdb://ops:p%40ss@a?tls=false')).toMatchObject({ authorization: null, isTls: false });
    expect(read('esdb://a')).toMatchObject({ authorization: null });
  });

  test('has options, and defaults for the others', () => {
    expect(read('esdb://a')).toMatchObject({
      connectionName: 'registry-write',
      keepAliveMs: 1_000,
      keepAliveTimeoutMs: 2_000,
      gossipTimeoutMs: 1_000,
      discoveryIntervalMs: 250,
    });
    const options =
      'keepAliveInterval=10000&keepAliveTimeout=-1&gossipTimeout=5&discoveryInterval=100&connectionName=x%20y';
    expect(read(`esdb://a?${options}`)).toMatchObject({
      connectionName: 'x y',
      keepAliveMs: 10_000,
      keepAliveTimeoutMs: 2 ** 31 - 1,
      gossipTimeoutMs: 5_000,
      discoveryIntervalMs: 100,
    });
  });

  test.each([
    'esdb://',
    'esdb://a:x',
    'esdb://a?tls=perhaps',
    'esdb://a?tlsCAFile=/no/such/file',
    'esdb://a?userCertFile=x',
  ])('%s is refused', (url) => expect(() => read(url)).toThrow(EventLogSetupError));
});
