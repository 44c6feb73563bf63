import { afterAll, afterEach, inject } from 'vitest';

const { violationsUrl } = inject('stack');

const failOnViolation = async (): Promise<void> => {
  const violations = (await (await fetch(violationsUrl)).json()) as string[];
  if (violations.length > 0)
    throw new Error(`answers that the OpenAPI document does not describe:\n${[...new Set(violations)].join('\n')}`);
};

/** The test that was given an answer outside the OpenAPI document fails, whatever client it asked with; so does one whose setup was. */
afterEach(failOnViolation);
afterAll(failOnViolation);
