import { expect, it } from 'vitest';
import { createCheckTarget } from './check-target.ts';

const names: Record<string, string[]> = {
  'public.test': ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'private.test': ['10.0.0.7'],
  'mixed.test': ['93.184.215.14', '10.0.0.7'],
  'inside.test': ['10.1.2.3'],
  'empty.test': [],
};
const resolve = async (host: string): Promise<string[]> => {
  const addresses = names[host];
  if (addresses === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
  return addresses;
};
const judge = async (url: string, allow = ''): Promise<string> => {
  try {
    return await createCheckTarget({ allow, resolve })(url);
  } catch (error) {
    const { kind, reason } = error as { kind: string; reason: string };
    return `${kind} ${reason}`;
  }
};

it.each([
  ['https://public.test/a', '', 'public'],
  ['https://93.184.215.14:8443', '', 'public'],
  ['https://private.test', '', 'not_allowed private_address'],
  ['https://mixed.test', '', 'not_allowed private_address'],
  ['https://mixed.test', '10.0.0.0/8', 'opened'],
  ['https://inside.test', 'inside.test', 'opened'],
  ['https://inside.test', 'inside.test:8443', 'not_allowed private_address'],
  ['http://127.0.0.1:9000', '127.0.0.1:9000', 'opened'],
  ['http://[::ffff:127.0.0.1]/', '', 'not_allowed private_address'],
  ['http://0x7f.1/', '', 'not_allowed private_address'],
  ['https://public.test:22', '', 'not_allowed denied_port'],
  ['https://empty.test', '', 'unreachable no_address'],
  ['https://nobody.test', '', 'unreachable name_not_found'],
  ['https://user@public.test', '', 'invalid_url userinfo'],
  ['file:///etc/passwd', '', 'invalid_url scheme'],
])('%s, with "%s" opened, is %s', async (url, allow, verdict) => {
  expect(await judge(url, allow)).toBe(verdict);
});
