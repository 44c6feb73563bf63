import { randomUUID } from 'node:crypto';
import { WrongExpectedRevisionError } from '../errors.ts';
import { ensureLogFormat, logFormat } from '../log-format.ts';
import type { EncodedAppend } from '../encode-append.ts';
import type { Reader } from './read.ts';

/** Metadata of a stream that is never written: the server stores it among its own events, which readers of the log skip. */
const stream = '$$agent-trust-log';
const property = 'agentTrustLogFormat';

/** Throws if the log is another build's; records this build's format in an empty log. */
export async function checkFormat(reader: Reader, append: (marker: EncodedAppend) => Promise<unknown>): Promise<void> {
  const isEmpty = (await reader.headPosition()) === null;
  let found = await recordedFormat(reader);
  if (found === null && isEmpty) {
    const data = JSON.stringify({ [property]: logFormat });
    const event = { eventId: randomUUID(), type: '$metadata', data, metadata: '{}' };
    await append({ stream, events: [event], bytes: data.length }).catch((error: unknown) => {
      // Another service was faster.
      if (!(error instanceof WrongExpectedRevisionError)) throw error;
    });
    found = await recordedFormat(reader);
  }
  ensureLogFormat(found);
}

const recordedFormat = async (reader: Reader): Promise<number | null> => {
  const number = (await reader.systemEvent(stream))?.data[property];
  return typeof number === 'number' ? number : null;
};
