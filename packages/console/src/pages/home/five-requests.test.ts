import { describe, expect, it } from 'vitest';
import { fiveRequests } from './five-requests.ts';

// The secret part may have hyphens, too.
const orgKey = `registry-org-sk-${'a'.repeat(20)}-sk-${'c'.repeat(19)}`;
const operatorKey = `registry-operator-sk-${'b'.repeat(43)}`;
const textOf = (requests: ReturnType<typeof fiveRequests>, part: 'command' | 'shown'): string =>
  requests.map((request) => request[part]).join('\n');

describe('the five requests', () => {
  it('create an organisation with the key of an operator', () => {
    const requests = fiveRequests('http://127.0.0.1:8080', { organisation: null, operator: operatorKey });
    expect(requests).toHaveLength(5);
    expect(requests[0]?.command).toContain(`Authorization: Bearer ${operatorKey}`);
  });

  it('take the key of an organisation instead', () => {
    const requests = fiveRequests('http://127.0.0.1:8080', { organisation: orgKey, operator: operatorKey });
    expect(requests[0]?.command).toBe(`N=$RANDOM$RANDOM\nORG_KEY='${orgKey}'`);
    expect(textOf(requests, 'command')).not.toContain(operatorKey);
  });

  it('name a variable where the reader has no key', () => {
    const [first] = fiveRequests('http://127.0.0.1:8080', { organisation: null, operator: null });
    expect(first?.command).toContain('"X-Admin-Key: $ADMIN_KEY"');
    expect(first?.command).toContain(`ADMIN_KEY="\${ADMIN_KEY:-$(node -p`);
  });

  it('show keys shortened', () => {
    const requests = fiveRequests('http://127.0.0.1:8080', { organisation: orgKey, operator: null });
    expect(textOf(requests, 'shown')).toContain("ORG_KEY='registry-org-sk-…'");
    expect(textOf(requests, 'shown')).not.toContain(orgKey);
  });

  it('quote an address that a shell would read as more than one', () => {
    const [, second] = fiveRequests("https://registry.test/it's", { organisation: orgKey, operator: null });
    expect(second?.command).toContain(String.raw`'https://registry.test/it'\''s/register'`);
  });
});
