import { expect, it } from 'vitest';
import { settlementIdOf } from './settlement-id.ts';

const paid = { receiverAgentId: 'a', paymentDigest: '00' };
const id = (network: string | null, confirmationRef: string | null, by = paid): string =>
  settlementIdOf({ network, confirmationRef }, by);

it('is the same for one transaction, whoever reports it and however the network is named', () => {
  const other = { receiverAgentId: 'b', paymentDigest: '11' };
  expect(id('base', '0xAB')).toBe(id('eip155:8453', '0xab', other));
  expect(id('base', '0xab')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
});

it('differs by network and transaction', () => {
  const ids = [
    id('base', '0x1'),
    id('base', '0x2'),
    id('base-sepolia', '0x1'),
    id(null, '0x1'),
    id('solana', 'aB'),
    id('solana', 'ab'),
  ];
  expect(new Set(ids)).toHaveProperty('size', ids.length);
});

it('without a transaction, depends on the payment and the payee', () => {
  expect(id('base', null)).toBe(id('polygon', null));
  expect(id('base', null)).not.toBe(id('base', null, { ...paid, paymentDigest: '01' }));
  expect(id('base', null)).not.toBe(id('base', null, { ...paid, receiverAgentId: 'b' }));
});
