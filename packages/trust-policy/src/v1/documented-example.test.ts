import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseHistory } from '../history/history-line.ts';
import { policyV1 } from '../policy/trust-policy.ts';
import { explainDirect } from './direct.ts';
import { contributionsOf } from './trust-score.ts';

const document = readFileSync(new URL('../../../../docs/trust-policy-v1.md', import.meta.url), 'utf8');

describe('the worked example of docs/trust-policy-v1.md', () => {
  const { prior, reviews } = parseHistory(/```json\n(.*)\n```/.exec(document)?.[1] ?? '');
  const { score, reviews: parts } = explainDirect(prior, reviews, policyV1);

  test('lists each review with its value and weight', () => {
    const rows = parts.map(({ value, weight }) => [value.toFixed(4), weight.toFixed(4)]);
    const printed = [...document.matchAll(/^\| (?:buyer|auditor|freelancer),.*?([\d.]+) \|.* = ([\d.]+) \|$/gm)];
    expect(printed.map(([, value, weight]) => [value, weight])).toEqual(rows);
  });

  test('lists each part of the score', () => {
    const rows = contributionsOf(score).map(({ root, weight, cappedWeight, mean, points }) => {
      const numbers = [weight, cappedWeight, mean, points].map((number) => number.toFixed(4));
      return `| ${[root ?? 'prior', ...numbers].join(' | ')} |`;
    });
    expect(document).toContain(rows.join('\n'));
    expect(document).toContain(`the cap is ${score.all.cap.toFixed(4)}`);
    expect(document).toContain(`All weight together is ${(score.strength + score.all.evidenceWeight).toFixed(4)}`);
    expect(document).toContain(`sum to ${score.unrounded.toFixed(4)}; the score is **${score.score}**`);
  });
});
