import { exitCodeMeanings } from '../exit-codes.ts';
import type { Command } from './command.ts';
import { globalOptions } from './global-options.ts';

/** The steps from a fresh registry to a reviewed call; a test runs them line by line. */
export const gettingStartedSteps: Readonly<Record<string, string>> = {
  "An organisation gets its keys. The operator's key is where npm start keeps it.":
    'agent-trust org create "Acme" --contact-email ops@acme.test --admin-key-file .data/secrets.json --save',
  'Its agent registers, and its bearer key is kept for the commands below.': 'agent-trust register acme-buyer --save',
  "An agent without an organisation registers. The registry's own health page serves as its endpoint.":
    'agent-trust register corner-shop --auth none --contact-email me@shop.test --capability quoting --endpoint-url http://127.0.0.1:8080/health --http-method GET',
  'Can it be trusted? Not before a trusted agent has reviewed it.': 'agent-trust verify corner-shop',
  'Call it through the registry, as acme-buyer.': 'agent-trust call corner-shop "What do 100 bolts cost?"',
  'Review the exchange, and see the trust score change.': 'agent-trust review corner-shop --success --score 9',
};

const indented = (line: string): string => `  ${line}`;

export const gettingStarted = [
  '',
  'Getting started, with "npm start" running, in the same folder ("npx agent-trust" where',
  '"agent-trust" is not found, or: export PATH="$PWD/node_modules/.bin:$PATH"):',
  ...Object.entries(gettingStartedSteps).flatMap(([says, run], at) => [
    indented(`# ${at + 1}. ${says}`),
    indented(run),
  ]),
].join('\n');

const optionWidth = 28;
/** Width at which descriptions are wrapped, so that they fit beside their option on a usual terminal. */
const textWidth = 78;

const wrapped = (words: string, width: number): string[] =>
  words.split(' ').reduce<string[]>((lines, word) => {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) return [...lines, word];
    return [...lines.slice(0, -1), `${last} ${word}`];
  }, []);

const optionLines = Object.values(globalOptions).flatMap(({ flags, description }) =>
  wrapped(description, textWidth - optionWidth).map((line, at) =>
    indented(`${(at === 0 ? flags : '').padEnd(optionWidth)}${line}`),
  ),
);

export const topLevelHelp = [
  '',
  'Options for every command:',
  ...optionLines,
  indented(`${'-h, --help'.padEnd(optionWidth)}show help`),
  indented(`${'-V, --version'.padEnd(optionWidth)}show the version`),
  '',
  'Secrets are taken from the environment, from files (- for standard input) or from the saved profile, never from arguments.',
  'Saved ones are in ~/.config/agent-trust/config.json (XDG_CONFIG_HOME, AGENT_TRUST_CONFIG), readable by you alone; see "agent-trust config show".',
  '',
  'Exit codes:',
  ...exitCodeMeanings.map(([code, meaning]) => indented(`${String(code).padStart(3)}  ${meaning}`)),
  '',
  '"agent-trust <command> --help" shows the options and examples of one command.',
].join('\n');

const deprecationText = ({ since, sunset, instead }: NonNullable<Command['deprecated']>): string =>
  `Deprecated since ${since}, and may be gone from ${sunset} on: ${instead}`;

/** The examples of one command, and a reference to the options of all commands. */
export function commandHelp(command: Command): string {
  const examples = Object.entries(command.examples);
  return [
    ...(command.deprecated === undefined ? [] : ['', deprecationText(command.deprecated)]),
    ...(examples.length > 0 ? ['', 'Examples:'] : []),
    ...examples.flatMap(([says, run]) => [indented(`# ${says}`), indented(run)]),
    '',
    'Options for every command (--json, --url, --agent-id, --auth …) and exit codes: agent-trust --help',
  ].join('\n');
}
