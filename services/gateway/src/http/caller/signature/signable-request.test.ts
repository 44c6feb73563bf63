import { authorityOf } from '@agent-trust/http-signature';
import type { FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { ownAuthorities, signableRequest } from './signable-request.ts';

const requestWith = (parts: {
  host?: string;
  protocol?: string;
  url?: string;
  rawHeaders?: string[];
}): FastifyRequest =>
  ({
    host: parts.host ?? 'registry.example',
    protocol: parts.protocol ?? 'http',
    raw: { method: 'POST', url: parts.url ?? '/rotate?a=%41', rawHeaders: parts.rawHeaders ?? [] },
  }) as unknown as FastifyRequest;

describe('a request as it was signed', () => {
  it('has its header lines as they were sent', () => {
    const rawHeaders = ['Host', 'registry.example', 'X-A', '1', 'x-a', '2', 'Cookie', 'a', 'Cookie', 'b'];
    expect(signableRequest(requestWith({ rawHeaders }), 'http://registry.example')).toEqual({
      method: 'POST',
      scheme: 'http',
      authority: 'registry.example',
      requestTarget: '/rotate?a=%41',
      headers: [
        ['Host', 'registry.example'],
        ['X-A', '1'],
        ['x-a', '2'],
        ['Cookie', 'a'],
        ['Cookie', 'b'],
      ],
    });
  });

  it('has the scheme that a trusted proxy reports, or that of BASE_URL behind a proxy that reports none', () => {
    const schemeOf = (host: string, protocol: string, baseUrl: string): string =>
      signableRequest(requestWith({ host, protocol }), baseUrl).scheme;
    expect(schemeOf('elsewhere.example', 'https', 'http://registry.example')).toBe('https');
    expect(schemeOf('registry.example', 'http', 'https://registry.example')).toBe('https');
    expect(schemeOf('Registry.Example:443', 'http', 'https://registry.example')).toBe('https');
    expect(schemeOf('registry.example', 'http', 'https://Registry.Example:443/')).toBe('https');
    expect(schemeOf('registry.example:80', 'http', 'https://registry.example')).toBe('http');
    expect(schemeOf('registry.example:8443', 'http', 'https://registry.example')).toBe('http');
    expect(schemeOf('elsewhere.example', 'http', 'https://registry.example')).toBe('http');
    expect(schemeOf('127.0.0.1:8080', 'http', 'http://127.0.0.1:8080')).toBe('http');
  });
});

describe("the gateway's own hosts", () => {
  const isOwn = (host: string, baseUrl: string, address: string): boolean =>
    ownAuthorities(baseUrl, address).has(
      authorityOf(signableRequest(requestWith({ host, protocol: baseUrl.split(':', 1)[0] ?? '' }), baseUrl)),
    );

  it('are those of BASE_URL and of the listening address', () => {
    expect(isOwn('Registry.Example', 'https://registry.example', 'http://10.0.0.5:8080')).toBe(true);
    expect(isOwn('registry.example:443', 'https://registry.example', 'http://10.0.0.5:8080')).toBe(true);
    expect(isOwn('10.0.0.5:8080', 'https://registry.example', 'http://10.0.0.5:8080')).toBe(true);
    expect(isOwn('registry.example:8443', 'https://registry.example', 'http://10.0.0.5:8080')).toBe(false);
    expect(isOwn('evil.example', 'https://registry.example', 'http://10.0.0.5:8080')).toBe(false);
    expect(isOwn('localhost:8080', 'https://registry.example', 'http://10.0.0.5:8080')).toBe(false);
  });

  it('include, on loopback, all of its names', () => {
    for (const host of ['localhost:8080', '127.0.0.1:8080', '[::1]:8080']) {
      expect(isOwn(host, 'http://127.0.0.1:8080', 'http://127.0.0.1:8080')).toBe(true);
    }
    expect(isOwn('localhost:9', 'http://127.0.0.1:8080', 'http://127.0.0.1:8080')).toBe(false);
  });
});
