/**
 * Bug: one part of a program reads an address as harmless and another as 127.0.0.1 (server-side request forgery).
 * Method: every spelling passes through the whole client, with an empty OUTBOUND_ALLOW, and must be refused before any connection. The resolver
 * knows only a few names, so a spelling that is mistaken for a name shows as `unreachable`.
 */
import { describe, expect, it } from 'vitest';
import { checkAddresses } from './check-addresses.ts';
import { parseOutboundAllow } from './outbound-allow.ts';
import { OutboundError } from './outbound-error.ts';
import { isPublicAddress, parseAddress } from './public-address.ts';
import { createSafeFetch } from './safe-fetch.ts';
import { parseTargetUrl } from './target-url.ts';

const names = ['localhost', 'localhost.localdomain', '127.0.0.1.nip.io', 'a.test', 'metadata.google.internal'];
const closed = createSafeFetch({
  allow: '',
  resolve: (host) =>
    names.includes(host) ? Promise.resolve(['127.0.0.1']) : Promise.reject(new Error('unknown name')),
});

const refusal = async (url: string): Promise<OutboundError> => {
  const error: unknown = await closed(url).catch((reason: unknown) => reason);
  if (error instanceof OutboundError) return error;
  throw new Error(`${url} was not refused`);
};

const invalid: readonly [url: string, reason: string][] = [
  ['', 'scheme'],
  ['/health', 'scheme'],
  ['ftp://a.test/', 'scheme'],
  ['file:///etc/passwd', 'scheme'],
  ['gopher://127.0.0.1:6379/_FLUSHALL', 'scheme'],
  ['data:text/plain,x', 'scheme'],
  ['javascript:1', 'scheme'],
  ['ws://127.0.0.1/', 'scheme'],
  ['unix:/var/run/docker.sock', 'scheme'],
  ['http:127.0.0.1', 'no_host'],
  ['http:/127.0.0.1/', 'no_host'],
  ['http:///127.0.0.1/', 'no_host'],
  ['http://', 'no_host'],
  ['http://?x', 'no_host'],
  ['http://user@a.test/', 'userinfo'],
  ['http://user:pass@a.test/', 'userinfo'],
  ['http://@127.0.0.1/', 'userinfo'],
  ['http://a.test@127.0.0.1/', 'userinfo'],
  ['http://a.test:80@127.0.0.1/', 'userinfo'],
  ['http://a.test\\@127.0.0.1/', 'forbidden_character'],
  ['http:\\\\127.0.0.1/', 'forbidden_character'],
  ['http://127.0.0.1\t/', 'forbidden_character'],
  ['http://127.0.\n0.1/', 'forbidden_character'],
  [' http://127.0.0.1/', 'forbidden_character'],
  ['http://a.test/\r\nHost: b', 'forbidden_character'],
  ['http://a.test/\u0000', 'forbidden_character'],
  ['http://a.test/\u2028', 'forbidden_character'],
  ['http://a.test:0/', 'port_zero'],
  ['http://a.test:65536/', 'malformed'],
  ['http://a.test:-1/', 'malformed'],
  ['http://a.test:8o/', 'malformed'],
  ['http://[::1/', 'malformed'],
  ['http://[::1%25lo]/', 'malformed'],
  ['http://[fe80::1%25eth0]/', 'malformed'],
  ['http://[fe80::1%eth0]/', 'malformed'],
  ['http://[127.0.0.1]/', 'malformed'],
  ['http://[v1.x]/', 'malformed'],
  ['http://1.2.3.4.5/', 'malformed'],
  ['http://256.0.0.1/', 'malformed'],
  ['http://127.0.0.09/', 'malformed'],
  ['http://4294967296/', 'malformed'],
  ['http://a.0x7f/', 'malformed'],
  ['http://127.0.0.1%00.a.test/', 'malformed'],
  ['http://a test/', 'forbidden_character'],
  ['http://*.a.test/', 'host_name'],
  ['http://a..test/', 'host_name'],
  ['http://a.test../', 'host_name'],
  ['http://./', 'host_name'],
  ["http://a'b.test/", 'host_name'],
  ['http://-a.test/', 'host_name'],
  [`http://${'a'.repeat(64)}.test/`, 'host_name'],
  [`http://${'a.'.repeat(127)}test/`, 'host_name'],
  [`http://a.test/${'x'.repeat(8_192)}`, 'too_long'],
];

const privateTargets: readonly string[] = [
  'http://127.0.0.1/',
  'HTTP://127.0.0.1/',
  'http://127.0.0.1./',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.0.0.1/',
  'http://0x7F.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://0177.0x0.1/',
  'http://00000177.0.0.1/',
  'http://127.0.0.1:80/',
  'http://127.255.255.254:8080/x?y#z',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://①②⑦.0.0.1/',
  'http://%31%32%37.0.0.1/',
  'http://127.0.0.%31/',
  'http://0/',
  'http://0.0.0.0/',
  'http://0.0.0.0:8080/',
  'http://0x0/',
  'http://10.0.0.1/',
  'http://167772161/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.1.1/',
  'http://100.64.0.1/',
  'http://100.100.100.200/latest/meta-data/',
  'http://169.254.169.254/latest/meta-data/',
  'http://0xa9fea9fe/',
  'http://168.63.129.16/',
  'http://192.0.0.192/',
  'http://192.0.2.1/',
  'http://192.88.99.1/',
  'http://198.18.0.1/',
  'http://198.51.100.1/',
  'http://203.0.113.1/',
  'http://224.0.0.1/',
  'http://239.255.255.250/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::]/',
  'http://[::1]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[0000::0001]:8080/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::FFFF:7f00:1]/',
  'http://[0:0:0:0:0:ffff:127.0.0.1]/',
  'http://[::ffff:169.254.169.254]/',
  'http://[::127.0.0.1]/',
  'http://[::8.8.8.8]/',
  'http://[::ffff:0:127.0.0.1]/',
  'http://[64:ff9b::127.0.0.1]/',
  'http://[64:ff9b::8.8.8.8]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:0808:0808::1]/',
  'http://[2001:0:4136:e378:8000:63bf:3fff:fdd2]/',
  'http://[2001:db8::1]/',
  'http://[3fff::1]/',
  'http://[2606:4700::5efe:7f00:1]/',
  'http://[2606:4700::200:5efe:7f00:1]/',
  'http://[fe80::1]/',
  'http://[febf::1]/',
  'http://[fec0::1]/',
  'http://[fc00::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://[5f00::1]/',
  'http://[4000::1]/',
  'http://localhost/',
  'http://localhost./',
  'http://LOCALHOST:8080/',
  'http://ⓛocalhost/',
  'http://localhost.localdomain/',
  'http://127.0.0.1.nip.io/',
  'https://a.test/',
  'http://metadata.google.internal/',
];

describe('spellings of a target', () => {
  it.each(invalid)('%j is not a URL that is contacted', async (url, reason) => {
    expect(await refusal(url)).toMatchObject({ kind: 'invalid_url', reason });
  });

  it.each(privateTargets)('%j is refused as private', async (url) => {
    expect(await refusal(url)).toMatchObject({ kind: 'not_allowed', reason: 'private_address' });
  });

  it.each([...invalid.map(([url]) => url), ...privateTargets])('the refusal of %j does not repeat it', async (url) => {
    const { message } = await refusal(url);
    expect(message).not.toMatch(/\d{2,}|127|localhost|\.test|169|::/);
  });

  it.each([
    ['http://A.Test', 'a.test', 80, 0, 'http://a.test/'],
    ['https://a.test./x', 'a.test', 443, 0, 'https://a.test/x'],
    ['http://bücher.test/', 'xn--bcher-kva.test', 80, 0, 'http://xn--bcher-kva.test/'],
    ['https://a.test:443/%7Ex?q=%20#frag', 'a.test', 443, 0, 'https://a.test/%7Ex?q=%20'],
    ['http://a_b.test:65535/', 'a_b.test', 65_535, 0, 'http://a_b.test:65535/'],
    ['http://8.8.8.8:1024/@x', '8.8.8.8', 1_024, 4, 'http://8.8.8.8:1024/@x'],
    ['http://134744072/', '8.8.8.8', 80, 4, 'http://8.8.8.8/'],
    ['http://[2606:4700:4700:0::1111]/', '2606:4700:4700::1111', 80, 6, 'http://[2606:4700:4700::1111]/'],
  ])('%j is read as %s port %i', (text, host, port, family, href) => {
    const target = parseTargetUrl(text);
    expect({ ...target, url: target.url.href }).toEqual({ host, port, family, url: href });
  });
});

describe('isPublicAddress', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '9.255.255.255',
    '11.0.0.0',
    '100.63.255.255',
    '100.128.0.0',
    '126.255.255.255',
    '128.0.0.0',
    '169.253.255.255',
    '172.15.255.255',
    '172.32.0.0',
    '192.167.255.255',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00::1',
    '3ffe:ffff::1',
    '::ffff:8.8.8.8',
  ])('%s is', (text) => {
    const address = parseAddress(text);
    expect(address && isPublicAddress(address)).toBe(true);
  });

  it.each(['fe80::1%eth0', '1.2.3', '0x7f.0.0.1', '127.1', '01.2.3.4', 'a.test', '', '1.2.3.4/8', '[::1]'])(
    '%j is not an address',
    (text) => expect(parseAddress(text)).toBeUndefined(),
  );
});

describe('addresses of a name', () => {
  const check = (allow: string, addresses: string[], port = 443, host = 'a.test'): string => {
    try {
      checkAddresses(parseOutboundAllow(allow), { host, port }, addresses);
      return 'passes';
    } catch (error) {
      return (error as OutboundError).reason;
    }
  };

  it('passes when all are public', () => expect(check('', ['8.8.8.8', '2606:4700::1111'])).toBe('passes'));

  it.each([
    [['8.8.8.8', '127.0.0.1']],
    [['127.0.0.1', '8.8.8.8']],
    [['8.8.8.8', '::1']],
    [['8.8.8.8', '::ffff:10.0.0.1']],
  ])('refuses %j for the private one', (addresses) => expect(check('', addresses)).toBe('private_address'));

  it('refuses a name without addresses, with too many, and with invalid ones', () => {
    expect(check('', [])).toBe('no_address');
    expect(
      check(
        '',
        Array.from({ length: 65 }, () => '8.8.8.8'),
      ),
    ).toBe('too_many_addresses');
    expect(check('0.0.0.0/0,[::/0]', ['fe80::1%eth0'])).toBe('unknown_address');
  });

  it.each([22, 25, 53, 445, 465, 2113, 2375, 4222, 5432, 6379, 6443, 9200, 11_211, 27_017])(
    'refuses port %i',
    (port) => {
      expect(check('', ['8.8.8.8'], port)).toBe('denied_port');
      expect(check('8.8.8.8,127.0.0.0/8', ['127.0.0.1'], port)).toBe('denied_port');
      expect(check(`127.0.0.0/8:${port}`, ['127.0.0.1'], port)).toBe('passes');
    },
  );

  it.each([80, 443, 1_024, 3_000, 8_000, 8_080, 8_443, 9_000, 32_768, 65_535])('allows port %i', (port) =>
    expect(check('', ['8.8.8.8'], port)).toBe('passes'),
  );
});
