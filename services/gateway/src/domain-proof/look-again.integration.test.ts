import { listDueDomainProofs, recordDomainCheck } from '@agent-trust/contracts';
import { waitFor } from '@agent-trust/test-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type GatewayUnderTest, startGatewayUnderTest } from '../testing/gateway-under-test.ts';
import type { FindToken } from './find-token.ts';
import { lookAgain } from './look-again.ts';

let under: GatewayUnderTest;
const recorded: { domain: string; isChecked: boolean; method: string | null }[] = [];
const looked: string[] = [];
const actors = new Set<string>();
let failing: string | null = null;

beforeAll(async () => {
  under = await startGatewayUnderTest();
  under.bus.answer(recordDomainCheck, ({ domain, isChecked, method, actor }) => {
    actors.add(actor.kind);
    if (domain === failing) throw new Error('the log is away');
    recorded.push({ domain, isChecked, method });
    return { position: '7' };
  });
});
beforeEach(() => {
  recorded.length = 0;
  looked.length = 0;
  failing = null;
});
afterAll(() => under.stop());

const findToken: FindToken = async (domain, tokenHashes) => {
  looked.push(domain);
  const [tokenHash = ''] = tokenHashes;
  const found = domain.startsWith('kept') ? ({ method: 'https', foundAt: domain, tokenHash } as const) : null;
  return { found, goneFrom: [], detail: '' };
};
const due = (domain: string, over: { isDue?: boolean; tokenHashes?: string[] } = {}) => ({
  domain,
  orgId: 'org',
  method: 'https' as const,
  isLapsed: false,
  tokenHashes: ['a'.repeat(64)],
  isDue: true,
  ...over,
});
const round = async (...proofs: ReturnType<typeof due>[]): Promise<void> => {
  under.bus.answer(listDueDomainProofs, () => ({ proofs }));
  await lookAgain({ rpc: under.gateway.rpc, findToken, logger: under.gateway.logger }, new Date());
};

describe('looking again at proofs', () => {
  it('records what is found and what is not', async () => {
    await round(due('kept.example'), due('gone.example'));
    expect([...actors]).toEqual(['system']);
    expect(recorded.toSorted((a, b) => (a.domain < b.domain ? -1 : 1))).toEqual([
      { domain: 'gone.example', isChecked: true, method: null },
      { domain: 'kept.example', isChecked: true, method: 'https' },
    ]);
  });

  it('goes on with a domain that agents of others still have, without looking', async () => {
    await round(due('kept.example', { isDue: false }), due('kept-vouched.example', { tokenHashes: [] }));
    expect(looked).toEqual([]);
    expect(recorded.map(({ isChecked, method }) => [isChecked, method])).toEqual([
      [false, null],
      [false, null],
    ]);
  });

  it('is not stopped by one that cannot be recorded', async () => {
    failing = 'kept-0.example';
    await round(...Array.from({ length: 9 }, (_, n) => due(`kept-${n}.example`)));
    expect(recorded).toHaveLength(8);
    await waitFor(() => under.logged().includes('a proof could not be looked at'), { description: 'the warning' });
  });
});
