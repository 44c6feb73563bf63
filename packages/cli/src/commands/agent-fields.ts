import type { CapabilityConfirmationRequired, RegisterRequest } from '@agent-trust/client';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { type Io, textOrFile } from '../io.ts';
import { safeLine, shellWord } from '../output/safe-text.ts';
import type { Context } from '../program/command.ts';
import { choice, choices, given, type OptionValues, text, texts } from '../program/option.ts';
import { UsageError } from '../errors.ts';

/** The fields of an agent that registration and update share; an option with the name of a field of the interface sets that field. */
export const agentFieldOptions = {
  capabilities: texts('-c, --capability <name[:weight]>', 'what it can do, weight 1 to 3'),
  endpoint_url: text('--endpoint-url <url>', 'where it is called; never shown to others'),
  message_protocol: choice('--message-protocol <protocol>', 'what it speaks', ['a2a', 'mcp', 'raw']),
  a2a_compliant: choice('--a2a-compliant <yes|no>', 'whether it speaks A2A in full', ['yes', 'no']),
  http_methods: choices('--http-method <method>', 'how a plain endpoint is called; the first is the default', [
    'GET',
    'POST',
  ]),
  accepted_content_types: texts('--content-type <type>', 'a media type that it takes', [
    'text/plain',
    'application/json',
  ]),
  specialty: text('--specialty <text>', 'what it is good at'),
  settlement_rail: texts('--settlement-rail <rail>', 'how it is paid', ['x402', 'stripe', 'manual']),
  price_schedule: texts('--price <task=number>', 'what it asks for a task'),
  payment_network: text('--payment-network <network>', 'network that it is paid on'),
  payment_pay_to: text('--payment-pay-to <address>', 'address that it is paid to'),
  payment_asset: text('--payment-asset <asset>', 'asset that it is paid in'),
  contact_email: text('--contact-email <address>', 'who answers for it'),
  contact_info: text('--contact-info <text>', 'how to reach them'),
  org_name: text('--org-name <name>', 'its organisation, by the admin alone; a key of an organisation decides it'),
  org_domain: text('--org-domain <domain>', 'domain of its organisation; needs an organisation or admin credential'),
  protocol: text('--protocol <name>', 'name of a protocol of its own'),
  accepted_terms_format: text('--terms-format <name>', 'format of the terms that it accepts'),
  signup_help: text('--signup-help <text>', 'how to sign up with it'),
  auth_header_name: text('--auth-header-name <name>', 'header in which it expects its credential'),
  sameCapability: texts('--same-capability <submitted=canonical>', 'a submitted name means this canonical one'),
  newCapability: texts('--new-capability <submitted>', 'a submitted name means none of those that are close to it'),
  fields: text('--fields <json>', 'further fields as JSON, @file or -; options win', 'file'),
} as const;

type AgentFields = Omit<RegisterRequest, 'agent_id'>;

const capabilityOf = (given: string): string | { name: string; weight: number } => {
  const [, name = given, weight] = /^(.*):([1-3])$/u.exec(given) ?? [];
  return weight === undefined ? given : { name, weight: Number(weight) };
};

const pairOf = (given: string, option: string): [string, string] => {
  const at = given.lastIndexOf('=');
  if (at <= 0) throw new UsageError(`${option} takes name=value, not "${given}"`);
  return [given.slice(0, at), given.slice(at + 1)];
};

const priceOf = (given: string): { task: string; price: number } => {
  const [task, price] = pairOf(given, '--price');
  if (!Number.isFinite(Number(price)) || price === '') throw new UsageError(`--price ${given}: ${price} is no number`);
  return { task, price: Number(price) };
};

/** Parses a JSON object given as text, @file or -. */
export async function jsonObject(
  given: string,
  option: string,
  io: Pick<Io, 'readStdin'>,
): Promise<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(await textOrFile(given, io));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${option} is no JSON (${(error as Error).message})`, { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${option} must be a JSON object`);
  return value as Record<string, unknown>;
}

/** The fields that a command line sets, by their names in the interface; others are absent. */
export async function agentFields(
  options: OptionValues<typeof agentFieldOptions>,
  io: Pick<Io, 'readStdin'>,
): Promise<AgentFields> {
  const { sameCapability = [], newCapability = [], fields: json, ...named } = options;
  const same = sameCapability.map((pair) => pairOf(pair, '--same-capability'));
  const answers = [...same.map(([name]) => [name, true]), ...newCapability.map((name) => [name, false])];
  const names = Object.keys(agentFieldOptions).filter((name) => name in named) as (keyof typeof named)[];
  const fields = {
    ...Object.fromEntries(names.map((name) => [name, named[name]])),
    capabilities: named.capabilities?.map(capabilityOf),
    a2a_compliant: named.a2a_compliant === undefined ? undefined : named.a2a_compliant === 'yes',
    price_schedule: named.price_schedule?.map(priceOf),
    capability_confirmations: answers.length === 0 ? undefined : Object.fromEntries(answers),
    candidate_matches: same.length === 0 ? undefined : Object.fromEntries(same),
  };
  const further = json === undefined ? {} : await jsonObject(json, '--fields', io);
  return { ...further, ...given(fields) } as AgentFields;
}

export function askToConfirm(asked: CapabilityConfirmationRequired, context: Context): ExitCode {
  const { out } = context;
  context.answer(asked, () => {
    out.line(
      'Nothing was written yet: these capabilities are close to others. Repeat the command with an answer for each:',
    );
    for (const [submitted, close] of Object.entries(asked.candidates)) {
      const canonical = asked.candidate_matches[submitted] ?? close[0]?.name ?? '';
      out.line(`  ${out.paint('bold', safeLine(submitted))}`);
      for (const name of new Set([canonical, ...close.map((one) => one.name)]))
        out.line(`    is ${safeLine(name)}:  --same-capability ${safeLine(shellWord(`${submitted}=${name}`))}`);
      out.line(`    is none of them:  --new-capability ${safeLine(shellWord(submitted))}`);
    }
  });
  return exitCodes.confirmationRequired;
}
