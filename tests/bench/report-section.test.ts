import { expect, it } from 'vitest';
import { sectionOf, withSection } from './report-section.ts';

const report = '# Benchmarks\n\n## One\n\nfirst\n\n## Two\n\nsecond\n\n## Aims\n\n- met\n';

it('finds a section up to the next', () => {
  expect(sectionOf(report, '## One')).toBe('## One\n\nfirst');
  expect(sectionOf(report, '## Three')).toBeUndefined();
});

it('replaces a section, and leaves the others', () => {
  const renewed = withSection(report, '## Two\n\nat $& another time');
  expect(renewed).toBe(report.replace('second', () => 'at $& another time'));
});

it('puts a new section before the aims', () => {
  expect(withSection(report, '## Three\n\nthird')).toBe(report.replace('## Aims', '## Three\n\nthird\n\n## Aims'));
});
