import { describe, expect, it } from 'vitest';
import { hideAddress } from './hide-address.ts';
import { namesAddress } from './names-address.ts';

const hidden = (text: string, endpoint: string): string =>
  Buffer.from(hideAddress(Buffer.from(text), endpoint)).toString();

describe('a page', () => {
  it.each([
    ['https://api.hidden.example/rpc', 'Apache at API.hidden.example Port 443', 'Apache at agent.invalid'],
    ['http://localhost:4021/', 'Apache Server at localhost Port 4021', 'Apache Server at agent.invalid'],
    ['http://agent:4021/', 'an agent on Port 4021', 'an agent on Port 4021'],
    ['https://hidden.example:8443/rpc', '<a href="http://hidden.example:8443/x">', '<a href="http://agent.invalid/x">'],
    ['https://hidden.example./', 'at hidden.example.', 'at agent.invalid'],
    ['https://hidden.example/', 'u=https%3A%2F%2Fhidden.example%3A443%2F', 'u=https%3A%2F%2Fagent.invalid%2F'],
    ['http://127.0.0.1:4021/', 'Error:\\n127.0.0.1:4021', 'Error:\\nagent.invalid'],
    ['http://[2001:db8::7]:4021/', 'at [2001:db8::7]:4021 and 2001:db8::7', 'at agent.invalid and agent.invalid'],
    ['https://bücher.example/', 'xn--bcher-kva.example, bücher.example', 'agent.invalid, agent.invalid'],
    [
      'http://agent:4021/',
      '{"agent_id":"the agent","at":"http://agent/","on":"agent:4021"}',
      '{"agent_id":"the agent","at":"http://agent.invalid/","on":"agent.invalid"}',
    ],
  ])('of %s loses its address: %s', (endpoint, page, expected) => expect(hidden(page, endpoint)).toBe(expected));

  it('that does not tell it keeps every byte', () => {
    const bytes = Buffer.from([0, 255, 0xc3, 0x28, 10, 13]);
    expect(hideAddress(bytes, 'https://hidden.example/')).toBe(bytes);
    const around = Buffer.concat([bytes, Buffer.from('hidden.example'), bytes]);
    expect(hideAddress(around, 'https://hidden.example/')).toEqual(
      Buffer.concat([bytes, Buffer.from('agent.invalid'), bytes]),
    );
  });
});

// In which writings it is looked for: see traces.test.ts of x402.
it.each([
  'at HIDDEN.example',
  'hidden%2Eexample',
  'http://0x7f.1/',
  Buffer.from('//hidden.example').toString('base64'),
])('a header that tells it is known: %s', (value) => {
  const endpoint = value.includes('0x7f') ? 'http://127.0.0.1:9/' : 'https://hidden.example:8443/rpc';
  expect([namesAddress(value, endpoint), namesAddress('Bearer realm="agents"', endpoint)]).toEqual([true, false]);
});
