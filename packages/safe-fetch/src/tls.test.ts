import { createServer } from 'node:https';
import { getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { certificate, privateKey } from './testing/agents-test-certificate.ts';
import { client, failure, listen, text } from './testing/loopback.ts';

const trusted = getCACertificates('default');
afterEach(() => setDefaultCACertificates(trusted));

const resolve = (): Promise<string[]> => Promise.resolve(['127.0.0.1']);
const serveTls = (): Promise<number> =>
  listen(
    createServer({ cert: certificate, key: privateKey }, (request, response) => {
      response.end(`for ${String((request.socket as TLSSocket & { servername?: string }).servername)}`);
    }),
  );

describe('TLS', () => {
  it('checks the certificate against the name of the URL, although it connects to a checked address', async () => {
    setDefaultCACertificates([...trusted, certificate]);
    const port = await serveTls();
    expect(await text(client({ resolve }), `https://agents.test:${port}/`)).toBe('for agents.test');
    expect(await text(client({ resolve }), `https://agents.test.:${port}/`)).toBe('for agents.test');
    for (const host of ['other.test', '127.0.0.1']) {
      const error = await failure(client({ resolve })(`https://${host}:${port}/`));
      expect(error).toMatchObject({ kind: 'unreachable', reason: 'tls' });
    }
  });

  it('refuses a certificate that no authority has signed', async () => {
    const error = await failure(client({ resolve })(`https://agents.test:${await serveTls()}/`));
    expect(error).toMatchObject({ kind: 'unreachable', reason: 'tls' });
  });
});
