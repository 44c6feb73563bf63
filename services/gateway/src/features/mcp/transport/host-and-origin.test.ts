import { describe, expect, it } from 'vitest';
import { McpRefusal } from '../mcp-refusal.ts';
import { checkHostAndOrigin } from './host-and-origin.ts';

const gateway = {
  authorities: new Set(['registry.example', '10.0.0.5:8080']),
  settings: { ALLOWED_HOSTS: ['gateway'], MCP_ALLOWED_HOSTS: ['inside.example:81'] },
};
const origins = new Set(['https://app.example']);
const check = (host: string | undefined, origin?: string) => () =>
  checkHostAndOrigin({ host, origin }, gateway, origins);

describe('Host', () => {
  it.each([
    'registry.example',
    'REGISTRY.example:8443',
    '10.0.0.5:8080',
    'localhost',
    'localhost:9999',
    '127.0.0.1:8080',
    '[::1]:8080',
    'gateway:8080',
    'inside.example:81',
  ])('%s is the gateway’s own', (host) => {
    expect(check(host)).not.toThrow();
  });

  it.each([
    undefined,
    '',
    'evil.example',
    'registry.example.evil.example',
    'localhost.evil.example',
    'evil.example:8080',
    'inside.example:82',
    'localhost:8080@evil.example',
    '127.0.0.1.evil.example:8080',
  ])('%s is refused', (host) => {
    expect(check(host)).toThrow(McpRefusal);
    expect(check(host)).toThrow('the operator can add it to ALLOWED_HOSTS');
  });
});

describe('Origin', () => {
  it.each([
    ['https://app.example', 'registry.example'],
    ['https://registry.example', 'registry.example'],
    ['http://localhost:8080', 'localhost:8080'],
  ])('%s may talk to %s', (origin, host) => {
    expect(check(host, origin)).not.toThrow();
  });

  it.each([
    ['https://evil.example', 'registry.example'],
    ['null', 'registry.example'],
    ['http://localhost:3000', 'localhost:8080'],
    ['https://app.example.evil.example', 'registry.example'],
    ['file://registry.example', 'registry.example'],
    ['http://evil.example', 'evil.example'],
  ])('%s may not talk to %s', (origin, host) => {
    expect(check(host, origin)).toThrow(McpRefusal);
  });
});
