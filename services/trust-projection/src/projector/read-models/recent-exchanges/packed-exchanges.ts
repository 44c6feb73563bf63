import { hash } from 'node:crypto';
import { limits } from '@agent-trust/contracts';
import type { EndedExchange } from './ended-exchange.ts';

/*
 * Many exchanges are one text, because the row is rewritten at the end of each: nothing is parsed or serialised then, and memory holds
 * bytes. Every part has a fixed width and is padded, so the texts of two exchanges compare as the exchanges do: by their beginning, then by
 * the rest. That order does not depend on the order in which the log names their ends, which is another one once they are archived.
 */
const radix = 36;
const widths = { began: 9, answer: 5, outcome: 1, organisation: 10 } as const;
const outcomeAt = widths.began + widths.answer;
const organisationAt = outcomeAt + widths.outcome;
const width = organisationAt + widths.organisation;

const answerMsMax = radix ** widths.answer - 1;
const rememberedMs = limits.livenessDaysMax * 86_400_000;
const letters = { answered: 'a', failed: 'f', timed_out: 't' } as const;
const codes = {
  answered: letters.answered.charCodeAt(0),
  timedOut: letters.timed_out.charCodeAt(0),
  digits: '0'.charCodeAt(0),
  digitsEnd: '9'.charCodeAt(0) + 1,
  letters: 'a'.charCodeAt(0),
} as const;

const padded = (value: number, digits: number): string => value.toString(radix).padStart(digits, '0');

const beganText = (ms: number): string => padded(Math.max(0, Math.floor(ms)), widths.began);

/** The beginning of a hash is enough to tell a hundred organisations apart: two are taken for one in one window of 200 million. */
const organisationText = (orgId: string | null): string =>
  orgId === null ? padded(0, widths.organisation) : hash('sha256', orgId).slice(0, widths.organisation);

const packed = ({ beganMs, answerMs, outcome, callerOrgId }: EndedExchange): string =>
  beganText(beganMs) +
  padded(Math.min(Math.max(0, answerMs), answerMsMax), widths.answer) +
  letters[outcome] +
  organisationText(callerOrgId);

/**
 * The recent exchanges after one more: the last hundred of those that began at most thirty days before the newest. The result is the same in
 * whatever order the exchanges come.
 *
 * @param exchanges as this function returned them; empty before the first
 */
export function withExchange(exchanges: string, ended: EndedExchange): string {
  const added = packed(ended);
  let at = exchanges.length;
  while (at > 0 && exchanges.slice(at - width, at) > added) at -= width;
  const all = exchanges.slice(0, at) + added + exchanges.slice(at);
  let from = Math.max(0, all.length - limits.livenessExchangesMax * width);
  const newest = all.slice(all.length - width, all.length - width + widths.began);
  const earliest = beganText(Number.parseInt(newest, radix) - rememberedMs);
  while (all.slice(from, from + widths.began) < earliest) from += width;
  return all.slice(from);
}

/** What follows is read at the end of every exchange: bytes are read several times as fast as the characters of a text. */
const bytes = Buffer.alloc(limits.livenessExchangesMax * width);

/**
 * Reads exchanges by their place from the oldest. Valid until the next call.
 *
 * @param exchanges as `withExchange` returned them
 */
export function readExchanges(exchanges: string) {
  bytes.write(exchanges, 'latin1');
  return {
    count: exchanges.length / width,
    beganMs: (place: number): number => numberAt(place * width, widths.began),
    answerMs: (place: number): number => numberAt(place * width + widths.began, widths.answer),
    wasAnswered: (place: number): boolean => bytes[place * width + outcomeAt] === codes.answered,
    hasTimedOut: (place: number): boolean => bytes[place * width + outcomeAt] === codes.timedOut,
    /** A positive number that stands for the caller's organisation; 0 without one. */
    organisation: (place: number): number => numberAt(place * width + organisationAt, widths.organisation),
  };
}

/** parseInt of a part of the bytes. */
const numberAt = (from: number, digits: number): number => {
  let value = 0;
  for (let at = from; at < from + digits; at += 1) {
    const code = bytes[at] as number;
    value = value * radix + (code < codes.digitsEnd ? code - codes.digits : code - codes.letters + 10);
  }
  return value;
};
