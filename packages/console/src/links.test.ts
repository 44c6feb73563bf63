import { describe, expect, it } from 'vitest';
import { chainLink, traceLink } from './links.ts';

const settings = {
  traceUrl: 'https://traces.test/trace/{trace_id}?also={trace_id}',
  chainExplorers: {
    base: { transaction: 'https://scan.test/tx/{transaction}', address: 'https://scan.test/address/{address}#tokens' },
    solana: { transaction: 'https://sol.test/{transaction}' },
  },
};
const nothing = { traceUrl: null, chainExplorers: {} };
const traceId = '0af7651916cd43dd8448eb211c80319c';

describe('the link to a trace', () => {
  it('has the id of a recorded trace wherever the address wants it', () => {
    const address = `https://traces.test/trace/${traceId}?also=${traceId}`;
    expect(traceLink(settings, `00-${traceId}-b7ad6b7169203331-01`)).toBe(address);
    expect(traceLink(settings, `00-${traceId}-b7ad6b7169203331-03`)).toBe(address);
  });

  it.each([
    ['of a trace that was not recorded', `00-${traceId}-b7ad6b7169203331-00`],
    ['of what is no trace', 'javascript:alert(1)'],
    ['of an event without one', undefined],
    ['of something else', 7],
  ])('is not there %s', (_, traceparent) => {
    expect(traceLink(settings, traceparent)).toBeNull();
  });

  it('is not there where none is configured', () => {
    expect(traceLink(nothing, `00-${traceId}-b7ad6b7169203331-01`)).toBeNull();
  });
});

describe('the link to an explorer', () => {
  it.each([
    ['transaction', 'base', '0xAb12', 'https://scan.test/tx/0xAb12'],
    ['address', 'base', '0x11', 'https://scan.test/address/0x11#tokens'],
    ['transaction', 'solana', '5VERv8', 'https://sol.test/5VERv8'],
    ['transaction', 'base', 'a:b', 'https://scan.test/tx/a%3Ab'],
    ['address', 'solana', '5VERv8', null],
    ['transaction', 'other', '0xAb12', null],
    ['transaction', 'constructor', '0xAb12', null],
    ['transaction', null, '0xAb12', null],
    ['transaction', 'base', null, null],
    ['transaction', 'base', '', null],
    ['transaction', 'base', '..', null],
    ['transaction', 'base', '../../login', null],
    ['transaction', 'base', '0x1?a=b', null],
    ['transaction', 'base', '$&', null],
  ] as const)('of the %s on %s: %s', (kind, network, reference, expected) => {
    expect(chainLink(settings, kind, { network, reference })).toBe(expected);
    expect(chainLink(nothing, kind, { network, reference })).toBeNull();
  });
});
