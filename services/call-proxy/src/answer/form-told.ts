import type { Contacted } from '../contact-agent.ts';
import { wantsOtherForm } from '../request/a2a-version-one.ts';
import { isSuccess } from './answer-kind.ts';

/** Errors that tell of the wire form are short. */
const errorBytesMax = 64 * 1024;

const parsed = (body: Uint8Array): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return null;
  }
};

/**
 * What an answer tells of the wire form that its message had: that the server knows it (it has done what was asked), that it does not, or
 * nothing, as other errors and demands for payment do.
 */
export function formTold(answer: Contacted): 'known' | 'unknown' | 'nothing' {
  const isGood = isSuccess(answer.statusCode);
  if (answer.kind === 'events' || answer.body.byteLength > errorBytesMax) return isGood ? 'known' : 'nothing';
  const value = parsed(answer.body);
  if (wantsOtherForm(value)) return 'unknown';
  return isGood && typeof value === 'object' && value !== null && 'result' in value ? 'known' : 'nothing';
}
