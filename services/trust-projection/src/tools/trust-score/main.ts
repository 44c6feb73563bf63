import { once } from 'node:events';
import process from 'node:process';
import { BadHistoryError, parseHistory, policyV1, scoreDirect } from '@agent-trust/trust-policy';
import { LineTooLongError, linesOf } from './lines.ts';

/**
 * `trust:score`: reads one history a line (JSON) from standard input and prints `{"score":…,"unrounded":…}` for each, in order.
 * The first line that cannot be scored ends it: one line on standard error that names it, exit code 2.
 *
 * It computes by the direct form, so that what it prints rests on the policy's text and on no clever bookkeeping.
 */

/** Longest input line: some 400,000 reviews. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;
const EXIT_BAD_INPUT = 2;

const USAGE = `Usage: pnpm -s trust:score < history.jsonl

Reads one history a line (JSON) from standard input and prints its score by trust policy v1, one line for each, in order. What a line
holds is told in docs/trust-policy.md.

Exit codes: 0 every line was scored; 2 a line that cannot be scored, or wrong arguments.`;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const run = async (): Promise<number> => {
  let lineNumber = 1;
  try {
    for await (const { number, bytes } of linesOf(process.stdin, LINE_BYTES_MAX)) {
      lineNumber = number;
      const answer = answerTo(bytes);
      if (answer !== null && !process.stdout.write(answer)) await once(process.stdout, 'drain');
    }
    return 0;
  } catch (error) {
    if (error instanceof LineTooLongError) lineNumber = error.lineNumber;
    else if (!(error instanceof BadHistoryError)) throw error;
    process.stderr.write(`line ${lineNumber}: ${error.message}\n`);
    process.stdin.destroy();
    return EXIT_BAD_INPUT;
  }
};

/** The output line for one input line; null for a blank one. */
const answerTo = (bytes: Uint8Array): string | null => {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new BadHistoryError('is not UTF-8');
  }
  if (text.trim() === '') return null;
  const { prior, reviews } = parseHistory(text);
  const { score, unrounded } = scoreDirect(prior, reviews, policyV1);
  return `${JSON.stringify({ score, unrounded })}\n`;
};

// A reader that has seen enough (`| head`) closes the pipe: no fault of ours and nothing left to do.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

// pnpm passes its own separator on.
const [argument] = process.argv.slice(2).filter((given) => given !== '--');
if (argument === '--help' || argument === '-h') {
  process.stdout.write(`${USAGE}\n`);
} else if (argument !== undefined) {
  // Who names a file would wait for ever: the program would, for standard input.
  process.stderr.write(`trust:score takes no arguments, and reads standard input.\n${USAGE}\n`);
  process.exitCode = EXIT_BAD_INPUT;
} else {
  process.exitCode = await run();
}
