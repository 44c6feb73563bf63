/**
 * `trust:score`: reads one history a line (JSON) from standard input and prints `{"score":…,"unrounded":…}` for each, in order; with `--policy v2` one
 * small log a line, and the scores of its agents. Ends at the first line that cannot be scored, with exit code 2. By v1 the scores are computed by the
 * direct form: they rest on the policy's text alone. By v2 that would take time with the square of a log's length.
 */
import { once } from 'node:events';
import { ArgumentsError, runCommand } from '@agent-trust/command-line';
import {
  BadHistoryError,
  parseHistory,
  parseSmallLog,
  policyV1,
  scoreDirect,
  scoreSmallLog,
} from '@agent-trust/trust-policy';
import { LineTooLongError, linesOf } from './lines.ts';

/** Longest input line: some 400,000 reviews. */
const LINE_BYTES_MAX = 64 * 1024 * 1024;
const EXIT_BAD_INPUT = 2;

const usage = `Usage: npm run -s trust:score -- [--policy v1|v2] < history.jsonl

Reads one line of JSON at a time from standard input and prints one line for each, in order.
  --policy v1   a line is the history of one agent, the answer its score; the default; docs/trust-policy-v1.md describes the members
  --policy v2   a line is a small log, the answer the scores of its agents, the records of their organisations, and which of these
                are established; docs/trust-policy.md describes the members

Exit codes: 0 every line was scored; 2 a line that cannot be scored, or wrong arguments.`;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What a policy makes of one line. Throws BadHistoryError. */
const answers = {
  v1: (line: string): object => {
    const { prior, reviews } = parseHistory(line);
    const { score, unrounded } = scoreDirect(prior, reviews, policyV1);
    return { score, unrounded };
  },
  v2: (line: string): object => scoreSmallLog(parseSmallLog(line)),
} as const;
type PolicyName = keyof typeof answers;
const isPolicyName = (name: string): name is PolicyName => Object.hasOwn(answers, name);

/** The output line for one input line; null for a blank one. */
const scoreLine = (bytes: Uint8Array, policy: PolicyName): string | null => {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    throw new BadHistoryError('is not UTF-8');
  }
  if (text.trim() === '') return null;
  return `${JSON.stringify(answers[policy](text))}\n`;
};

await runCommand({
  usage,
  options: { policy: { type: 'string', default: 'v1' } },
  run: async ({ policy }) => {
    if (!isPolicyName(policy)) throw new ArgumentsError(`--policy must be v1 or v2, not ${JSON.stringify(policy)}`);
    let lineNumber = 1;
    try {
      for await (const { number, bytes } of linesOf(process.stdin, LINE_BYTES_MAX)) {
        lineNumber = number;
        const scored = scoreLine(bytes, policy);
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
