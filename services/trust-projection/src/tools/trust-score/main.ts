/**
 * `trust:score`: reads one history a line (JSON) from standard input and prints `{"score":…,"unrounded":…}` for each, in order. Ends at the
 * first line that cannot be scored, with exit code 2. The scores are computed by the direct form: they rest on the policy's text alone.
 */
import { once } from 'node:events';
import { runCommand } from '@agent-trust/command-line';
import { BadHistoryError, parseHistory, policyV1, scoreDirect } from '@agent-trust/trust-policy';
import { LineTooLongError, linesOf } from './lines.ts';

/** Longest input line: some 400,000 reviews. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;
const EXIT_BAD_INPUT = 2;

const usage = `Usage: npm run -s trust:score < history.jsonl

Reads one history a line (JSON) from standard input and prints its score by trust policy v1, one line for each, in order.
docs/trust-policy.md describes the members of a line. The command takes no arguments.

Exit codes: 0 every line was scored; 2 a line that cannot be scored, or wrong arguments.`;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The output line for one input line; null for a blank one. */
const scoreLine = (bytes: Uint8Array): string | null => {
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

await runCommand({
  usage,
  options: {},
  run: async () => {
    let lineNumber = 1;
    try {
      for await (const { number, bytes } of linesOf(process.stdin, LINE_BYTES_MAX)) {
        lineNumber = number;
        const scored = scoreLine(bytes);
        if (scored !== null && !process.stdout.write(scored)) await once(process.stdout, 'drain');
      }
      return 0;
    } catch (error) {
      if (error instanceof LineTooLongError) lineNumber = error.lineNumber;
      else if (!(error instanceof BadHistoryError)) throw error;
      process.stderr.write(`line ${lineNumber}: ${error.message}\n`);
      process.stdin.destroy();
      return EXIT_BAD_INPUT;
    }
  },
});
