import { z } from 'zod';

const units: Record<string, string | undefined> = { string: 'character', array: 'item', object: 'member' };

const boundWords = (origin: string, bound: string, value: number | bigint): string => {
  const unit = units[origin];
  return unit === undefined
    ? `must be ${bound} ${value}`
    : `must have ${bound} ${value} ${unit}${Number(value) === 1 ? '' : 's'}`;
};

/** Names at most this many members; more would hide the rest of an error. */
const membersNamedMax = 20;

/** A member that is ignored where it is misspelt would let the default hold, silently. */
const unknownMemberWords = (names: readonly string[], schema: unknown): string => {
  const allowed = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const unknown = names.slice(0, membersNamedMax).map((name) => JSON.stringify(name));
  const rule = allowed.length === 0 ? '' : `: it may have ${allowed.slice(0, membersNamedMax).join(', ')}`;
  return `has no member ${unknown.join(', ')}${rule}`;
};

/** The issue names the member that tells the forms of a value apart, but its input is the whole value. */
const lacksDiscriminator = ({
  input,
  discriminator,
}: Pick<z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>, 'input' | 'discriminator'>): boolean =>
  typeof discriminator === 'string' &&
  typeof input === 'object' &&
  input !== null &&
  Reflect.get(input, discriminator) === undefined;

/** What a value must be, in words for a person; zod's own speak of its types (`Too big: expected number to be <=10`). Undefined leaves it to zod. */
const wordsFor = (issue: z.core.$ZodRawIssue): string | undefined => {
  switch (issue.code) {
    case 'unrecognized_keys':
      return unknownMemberWords(issue.keys, issue.inst);
    case 'invalid_type':
      if (issue.expected === 'int' && typeof issue.input === 'number') return 'must be a whole number';
      return issue.input === undefined ? 'is required' : undefined;
    case 'invalid_value':
      return issue.input === undefined ? 'is required' : undefined;
    case 'invalid_union':
      return issue.input === undefined || lacksDiscriminator(issue) ? 'is required' : undefined;
    case 'too_big':
      return boundWords(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum);
    case 'too_small':
      return boundWords(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum);
    case 'invalid_key':
      return `the name ${issue.issues[0]?.message ?? 'is not allowed'}`;
    default:
      return undefined;
  }
};

// For every schema of the process: the same fault has the same words in a body, a query, a message and a policy's file.
z.config({ customError: wordsFor });
