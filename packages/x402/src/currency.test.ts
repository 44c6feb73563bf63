import fc from 'fast-check';
import { expect, it } from 'vitest';
import { networkNames, unitsOf } from './currency.ts';

it.each([
  ['1234567', 6, '1.234567'],
  ['10000', 6, '0.01'],
  ['1', 18, '0.000000000000000001'],
  ['0', 6, '0'],
  ['0007', 0, '7'],
  ['5000000', 6, '5'],
  [
    '115792089237316195423570985008687907853269984665640564039457584007913129639935',
    18,
    '115792089237316195423570985008687907853269984665640564039457.584007913129639935',
  ],
])('%s atomic units of %d decimals are %s', (atomic, decimals, units) => {
  expect(unitsOf(atomic, decimals)).toBe(units);
});

it('loses nothing: the amount times ten to the power of the decimals equals the atomic units', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n }), fc.integer({ min: 0, max: 36 }), (atomic, decimals) => {
      const [whole = '', fraction = ''] = unitsOf(String(atomic), decimals).split('.');
      expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(atomic);
    }),
  );
});

it.each([
  ['base', ['eip155:8453', 'base']],
  ['eip155:8453', ['eip155:8453', 'base']],
  ['eip155:1', ['eip155:1']],
  ['a chain of their own', ['a chain of their own']],
])('%s goes by these names: %j', (network, names) => {
  expect(networkNames(network)).toEqual(names);
});
