import { describe, expect, it } from 'vitest';
import { closeness, outcomeOf, type RankedCandidate } from './closeness.ts';

const { clearMin, clearLeadMin, clearLabelMin } = closeness;
const candidate = (fields: Partial<RankedCandidate> = {}): RankedCandidate => ({
  name: 'price_quote',
  similarity: 0.9,
  labelSimilarity: 0.9,
  ...fields,
});
const other = (similarity: number): RankedCandidate => candidate({ name: 'freight_quote', similarity });

describe('the outcome for a name that is neither canonical nor an alias', () => {
  it('is unknown if no capability is similar', () => {
    expect(outcomeOf('quilt', [])).toEqual({ name: 'quilt', outcome: 'unknown' });
  });

  it('is clear if one candidate stands out, and reveals only the similarity of the candidates', () => {
    expect(outcomeOf('quotes', [candidate(), other(0.9 - clearLeadMin)])).toEqual({
      name: 'quotes',
      outcome: 'clear',
      candidates: [
        { name: 'price_quote', similarity: 0.9 },
        { name: 'freight_quote', similarity: 0.9 - clearLeadMin },
      ],
    });
  });

  it.each([
    ['not similar enough', [candidate({ similarity: clearMin - 0.01 })]],
    ['not like any label', [candidate({ labelSimilarity: clearLabelMin - 0.01 })]],
    ['not far enough ahead', [candidate(), other(0.9 - clearLeadMin + 0.01)]],
    ['ranked first, and another one is more similar', [candidate(), other(0.95)]],
  ])('is ambiguous if the best is %s', (_case, ranked) => {
    expect(outcomeOf('quotes', ranked).outcome).toBe('ambiguous');
  });

  it('has a limited number of candidates', () => {
    const resolution = outcomeOf(
      'quotes',
      Array.from({ length: 9 }, () => candidate()),
    );
    expect(resolution).toMatchObject({ candidates: { length: 5 } });
  });
});
