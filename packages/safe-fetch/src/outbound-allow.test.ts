import { describe, expect, it } from 'vitest';
import { isOpened, parseOutboundAllow } from './outbound-allow.ts';
import { parseAddress } from './public-address.ts';

const opens = (text: string, host: string, port: number, address: string): boolean => {
  const parsed = parseAddress(address);
  if (!parsed) throw new Error(`${address} is no address`);
  return isOpened(parseOutboundAllow(text), host, port, parsed);
};

describe('OUTBOUND_ALLOW', () => {
  it.each([
    ['127.0.0.0/8', 'a.test', 80, '127.9.9.9'],
    ['127.0.0.1', '127.0.0.1', 9_000, '127.0.0.1'],
    ['127.0.0.1:9000', '127.0.0.1', 9_000, '127.0.0.1'],
    ['10.0.0.0/8:8080', 'a.test', 8_080, '10.1.2.3'],
    ['10.1.2.3/8', 'a.test', 80, '10.200.0.1'],
    ['0.0.0.0/0', 'a.test', 80, '169.254.169.254'],
    ['[::1]', '::1', 80, '::1'],
    ['[::1]:8080', '::1', 8_080, '::1'],
    ['[fd00::]/8', 'a.test', 80, 'fd12::1'],
    ['[fd00::]/8:443', 'a.test', 443, 'fd12::1'],
    ['[fd00::/8]', 'a.test', 80, 'fdff::1'],
    ['[fd00::/8]:443', 'a.test', 443, 'fd12::1'],
    ['[::ffff:127.0.0.1]', 'a.test', 80, '127.0.0.1'],
    ['127.0.0.0/8', 'a.test', 80, '::ffff:127.0.0.1'],
    ['agents.internal', 'agents.internal', 80, '10.0.0.1'],
    ['Agents.Internal.:8443', 'agents.internal', 8_443, '::1'],
    ['localhost', 'localhost', 1_234, '127.0.0.1'],
    [' 10.0.0.1 , 127.0.0.1 ', 'a.test', 80, '127.0.0.1'],
    ['127.0.0.1:80,127.0.0.1:81', 'a.test', 81, '127.0.0.1'],
  ])('%j opens %s port %i at %s', (text, host, port, address) => expect(opens(text, host, port, address)).toBe(true));

  it.each([
    ['', 'a.test', 80, '127.0.0.1'],
    [' ', 'a.test', 80, '127.0.0.1'],
    ['127.0.0.1', 'a.test', 80, '127.0.0.2'],
    ['127.0.0.1:9000', 'a.test', 9_001, '127.0.0.1'],
    ['10.0.0.0/8', 'a.test', 80, '11.0.0.0'],
    ['0.0.0.0/0', 'a.test', 80, '::1'],
    ['[::/0]', 'a.test', 80, '127.0.0.1'],
    ['[fd00::/8]:443', 'a.test', 80, 'fd12::1'],
    ['agents.internal', 'x.agents.internal', 80, '10.0.0.1'],
    ['agents.internal', 'agents.internal.evil.test', 80, '10.0.0.1'],
    ['agents.internal:8443', 'agents.internal', 443, '10.0.0.1'],
    ['localhost', '127.0.0.1', 80, '127.0.0.1'],
  ])('%j does not open %s port %i at %s', (text, host, port, address) =>
    expect(opens(text, host, port, address)).toBe(false),
  );

  it.each([
    '*',
    '*.internal',
    '127.0.0.1/33',
    '127.0.0.1/x',
    '127.0.0.1:0',
    '127.0.0.1:65536',
    '127.0.0.1:',
    '127.1',
    '0x7f.0.0.1',
    '::1',
    'fd00::/8',
    '[::1',
    '[::1]x',
    '[fd00::/129]',
    '[::ffff:127.0.0.0/104]',
    '[a.test]',
    '[127.0.0.1]',
    'http://a.test',
    'a.test/8',
    'a test',
    'a.test,,b.test',
    '127.0.0.1,',
  ])('%j is refused with a message that names the item', (text) =>
    expect(() => parseOutboundAllow(text)).toThrow(/^OUTBOUND_ALLOW: ".*" is not a host name/),
  );
});
