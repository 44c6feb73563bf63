import { DomainError, type ValidationItem } from '@agent-trust/contracts';
import type { z } from 'zod';
import { edgeLimits } from '../limits.ts';

/** Where in a request a value stands; the first word of `loc`. `arguments` are those of a tool. */
type Place = 'body' | 'query' | 'path' | 'arguments';

/**
 * Parses one part of a request.
 *
 * @throws DomainError validation_failed with one item for each fault, at most `validationItemsMax`.
 */
export function parse<Schema extends z.ZodType>(place: Place, schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new DomainError('validation_failed', `the ${place} is not valid`, {
    items: toItems(place, result.error.issues),
  });
}

/** zod's issues as the wire tells faults: `{loc, msg, type}`. A client's own words are cut before they are sent back. */
function toItems(place: Place, issues: readonly z.core.$ZodIssue[]): ValidationItem[] {
  return issues.slice(0, edgeLimits.validationItemsMax).map((issue) => {
    const { path, fault } = innermost(issue, issue.path);
    return {
      loc: [place, ...path.map((key) => (typeof key === 'number' ? key : cut(String(key))))],
      msg: isMissing(fault) ? 'is required' : cut(fault.message),
      type: fault.code === 'custom' ? 'value_error' : fault.code,
    };
  });
}

/** Of a union, the alternative that got furthest is the one that was meant. */
const innermost = (issue: z.core.$ZodIssue, path: PropertyKey[]): { path: PropertyKey[]; fault: z.core.$ZodIssue } => {
  if (issue.code !== 'invalid_union') return { path, fault: issue };
  const deepest = issue.errors
    .flatMap((errors) => errors.slice(0, 1))
    .filter((inner) => inner.path.length > 0 || inner.code !== 'invalid_type')
    .sort((a, b) => b.path.length - a.path.length)[0];
  return deepest === undefined ? { path, fault: issue } : innermost(deepest, [...path, ...deepest.path]);
};

/** A member that is not there at all; the library would call it undefined, which JSON has no word for. */
const isMissing = (fault: z.core.$ZodIssue): boolean =>
  fault.code === 'invalid_type' && fault.message.endsWith('received undefined');

const cut = (text: string): string =>
  text.length <= edgeLimits.quotedCharsMax ? text : `${text.slice(0, edgeLimits.quotedCharsMax).toWellFormed()}…`;
