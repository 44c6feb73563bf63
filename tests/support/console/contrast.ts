import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Of texts with their backgrounds (WCAG 2.2, 1.4.3), as axe-core measures them. */
export type Contrast = {
  /** The lowest, to 1. */
  lowest: number;
  /** The texts that were measured, and those with a background that axe cannot see through. */
  measured: number;
  unknown: number;
};

/** Of all texts that a page shows now. Disabled controls have no rule. */
export async function contrastOf(page: Page): Promise<Contrast> {
  await page.evaluate(axe.source);
  const { ratios, unknown } = (await page.evaluate(measure)) as { ratios: number[]; unknown: number };
  return { lowest: Math.min(...ratios), measured: ratios.length, unknown };
}

export function lowestOf(contrasts: readonly Contrast[]): Contrast {
  return {
    lowest: Math.min(...contrasts.map(({ lowest }) => lowest)),
    measured: contrasts.reduce((sum, { measured }) => sum + measured, 0),
    unknown: contrasts.reduce((sum, { unknown }) => sum + unknown, 0),
  };
}

const measure = `axe.run(document, { runOnly: ['color-contrast'] }).then(({ passes, violations, incomplete }) => ({
  ratios: [...passes, ...violations].flatMap(({ nodes }) => nodes.flatMap(({ any }) => any.map(({ data }) => data.contrastRatio))),
  unknown: incomplete.flatMap(({ nodes }) => nodes).length,
}))`;
