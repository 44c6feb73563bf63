import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  capabilityConfirmationRequired,
  confirmationAnswersFromWire,
  confirmationAnswersOnWire,
  confirmationRequestToWire,
} from './wire.ts';

const body = z.object(confirmationAnswersOnWire);
const answersOf = (json: string) => confirmationAnswersFromWire(body.parse(JSON.parse(json)));

describe('answers to a request for confirmation', () => {
  it('are empty if the fields are absent or null', () => {
    const none = { confirmations: {}, candidateMatches: {} };
    expect(answersOf('{}')).toEqual(none);
    expect(answersOf('{"capability_confirmations":null,"candidate_matches":null}')).toEqual(none);
  });

  it('are matched by the normal form of the name', () => {
    expect(
      answersOf('{"capability_confirmations":{"Web-Scrape":true},"candidate_matches":{" web  scrape":"Web Scraping"}}'),
    ).toEqual({ confirmations: { web_scrape: true }, candidateMatches: { web_scrape: 'web_scraping' } });
  });

  it('with names that every object has change nothing', () => {
    const answers = answersOf(
      '{"capability_confirmations":{"__proto__":true,"constructor":true},"candidate_matches":{"__proto__":"x"}}',
    );
    expect(answers.confirmations).toEqual({ constructor: true });
    expect(Object.getPrototypeOf(answers.candidateMatches)).toBe(Object.prototype);
    expect(answers.candidateMatches).toEqual({});
  });

  it.each([
    '{"capability_confirmations":{"a":"yes"}}',
    '{"capability_confirmations":[true]}',
    '{"candidate_matches":{"a":true}}',
    `{"candidate_matches":{"${'a'.repeat(51)}":"b"}}`,
    `{"candidate_matches":{"a":"${'b'.repeat(51)}"}}`,
  ])('are refused if they are invalid: %s', (json) => {
    expect(body.safeParse(JSON.parse(json)).success).toBe(false);
  });
});

it('the request for confirmation has the form that the interface describes', () => {
  const request = {
    outcome: 'confirmation_required' as const,
    candidateMatches: { ocr_scan: 'ocr' },
    candidates: { ocr_scan: [{ name: 'ocr', similarity: 0.8123 }] },
  };
  expect(capabilityConfirmationRequired.parse(confirmationRequestToWire('a', request))).toMatchObject({
    status: 'capability_confirmation_required',
    agent_id: 'a',
    candidate_matches: { ocr_scan: 'ocr' },
    candidates: { ocr_scan: [{ name: 'ocr', similarity: 0.8123 }] },
  });
});
