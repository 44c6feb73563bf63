import { createRequire } from 'node:module';
import { isatty } from 'node:tty';
import type { DestinationStream } from 'pino';
import sonicBoom from 'sonic-boom';

/** Log text that may wait for a slow reader of standard output; more is dropped. */
const pendingLogBytesMax = 1024 * 1024;
/** Lines are gathered for this long: with a write for each, access lines took a tenth of a gateway's time. A killed process loses them. */
const gatherMs = 20;
const gatheredCharsMax = 64 * 1024;
/** Waits of 100 ms for a full pipe when the process ends, before the rest is dropped. */
const fullPipeRetriesMax = 20;

/**
 * Where log lines go: readable text on a terminal, else JSON lines, written without waiting: a slow or closed reader costs log lines, never
 * the service. (The sonic-boom 4 that pino brings retries a broken pipe for ever when it flushes at exit; 5 does not.)
 */
export function standardOutput(): DestinationStream {
  if (isatty(1)) {
    const pretty = createRequire(import.meta.url)('pino-pretty') as (options: object) => DestinationStream;
    return pretty({ colorize: true, sync: true, ignore: 'pid,service,instance', messageFormat: '{service}: {msg}' });
  }
  let retriesLeft = Number.POSITIVE_INFINITY;
  const output = new sonicBoom.SonicBoom({
    fd: 1,
    sync: false,
    minLength: 0,
    maxLength: pendingLogBytesMax,
    retryEAGAIN: () => retriesLeft-- > 0,
  });
  let isClosed = false;
  output.on('error', () => {
    isClosed = true;
  });
  let gathered = '';
  const pass = (): void => {
    const lines = gathered;
    gathered = '';
    if (!isClosed && lines !== '') output.write(lines);
  };
  const flushSync = (): void => {
    retriesLeft = fullPipeRetriesMax;
    try {
      pass();
      if (!isClosed) output.flushSync();
    } catch {
      isClosed = true;
    }
  };
  process.on('exit', flushSync);
  return {
    write: (line) => {
      if (gathered === '') setTimeout(pass, gatherMs).unref();
      gathered += line;
      if (gathered.length > gatheredCharsMax) pass();
    },
  };
}
