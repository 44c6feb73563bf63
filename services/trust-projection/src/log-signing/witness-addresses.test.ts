import { formatVerifierKey, noteSigner, signatureTypes } from '@agent-trust/transparency-log';
import { describe, expect, it } from 'vitest';
import { witnessLimits } from './limits.ts';
import { witnessAddresses } from './witness-addresses.ts';

const setting = witnessAddresses();
const keyOf = async (name: string, type: (typeof signatureTypes)[keyof typeof signatureTypes]): Promise<string> =>
  formatVerifierKey((await noteSigner(name, new Uint8Array(32).fill(1), type)).key);
const witness = await keyOf('w.test/1', signatureTypes.cosignatureV1);
const other = await keyOf('w.test/2', signatureTypes.cosignatureV1);
const log = await keyOf('registry.test/log', signatureTypes.ed25519);
const url = 'https://w.test/cosigned.txt';

describe('the addresses of witnesses', () => {
  it('are a key and an address each', () => {
    const parsed = setting.parse(`${witness} ${url}, ${other}  http://127.0.0.1:9/x`);
    expect(parsed.map((one) => [one.key.name, one.url])).toEqual([
      ['w.test/1', url],
      ['w.test/2', 'http://127.0.0.1:9/x'],
    ]);
  });

  it.each([
    ['nothing', ''],
    ['a key alone', witness],
    ['an address alone', url],
    ['another key than a witness signs with', `${log} ${url}`],
    ['a broken key', `${witness.slice(0, -4)} ${url}`],
    ['another scheme', `${witness} file:///etc/passwd`],
    ['credentials in the address', `${witness} https://me:secret@w.test/`],
    ['a witness twice', `${witness} ${url}, ${witness} ${url}`],
    ['an empty entry', `${witness} ${url},`],
    ['more than a key and an address', `${witness} ${url} ${url}`],
  ])('are not %s', (_, text) => expect(setting.safeParse(text).success).toBe(false));

  it('are not more than are read', async () => {
    const keys = await Promise.all(
      Array.from({ length: witnessLimits.witnessesMax + 1 }, (_, at) =>
        keyOf(`w.test/${at}`, signatureTypes.cosignatureV1),
      ),
    );
    const entries = keys.map((key) => `${key} ${url}`);
    expect(setting.parse(entries.slice(1).join(',')).length).toBe(witnessLimits.witnessesMax);
    expect(setting.safeParse(entries.join(',')).success).toBe(false);
  });
});
