import type { RegisterRequest } from '@agent-trust/client';
import { type Io, textOrFile } from '../io.ts';
import { choice, choices, type OptionValues, text, texts } from '../program/option.ts';
import { UsageError } from '../usage-error.ts';

/** The fields of an agent that registration and update share. */
export const agentFieldOptions = {
  capability: texts('-c, --capability <name[:weight]>', 'what it can do, weight 1 to 3'),
  endpointUrl: text('--endpoint-url <url>', 'where it is called; never shown to others'),
  messageProtocol: choice('--message-protocol <protocol>', 'what it speaks', ['a2a', 'mcp', 'raw']),
  a2aCompliant: choice('--a2a-compliant <yes|no>', 'whether it speaks A2A in full', ['yes', 'no']),
  httpMethod: choices('--http-method <method>', 'how a plain endpoint is called; the first is the default', [
    'GET',
    'POST',
  ]),
  contentType: texts('--content-type <type>', 'a media type that it takes', ['text/plain', 'application/json']),
  specialty: text('--specialty <text>', 'what it is good at'),
  rail: texts('--settlement-rail <rail>', 'how it is paid', ['x402', 'stripe', 'manual']),
  price: texts('--price <task=number>', 'what it asks for a task'),
  paymentNetwork: text('--payment-network <network>', 'network that it is paid on'),
  paymentPayTo: text('--payment-pay-to <address>', 'address that it is paid to'),
  paymentAsset: text('--payment-asset <asset>', 'asset that it is paid in'),
  contactEmail: text('--contact-email <address>', 'who answers for it'),
  contactInfo: text('--contact-info <text>', 'how to reach them'),
  orgName: text('--org-name <name>', 'its organisation, by the admin alone; a key of an organisation decides it'),
  orgDomain: text('--org-domain <domain>', 'domain of its organisation; needs an organisation or admin credential'),
  protocol: text('--protocol <name>', 'name of a protocol of its own'),
  termsFormat: text('--terms-format <name>', 'format of the terms that it accepts'),
  signupHelp: text('--signup-help <text>', 'how to sign up with it'),
  authHeaderName: text('--auth-header-name <name>', 'header in which it expects its credential'),
  sameCapability: texts('--same-capability <submitted=canonical>', 'a submitted name means this canonical one'),
  newCapability: texts('--new-capability <submitted>', 'a submitted name means none of those that are close to it'),
  fields: text('--fields <json>', 'further fields as JSON, @file or -; options win', 'file'),
} as const;

export type AgentFields = Omit<RegisterRequest, 'agent_id'>;

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
  given: OptionValues<typeof agentFieldOptions>,
  io: Pick<Io, 'readStdin'>,
): Promise<AgentFields> {
  const same = (given.sameCapability ?? []).map((pair) => pairOf(pair, '--same-capability'));
  const fresh = given.newCapability ?? [];
  const answers = [...same.map(([name]) => [name, true]), ...fresh.map((name) => [name, false])];
  const named: AgentFields = {
    capabilities: given.capability?.map(capabilityOf) as NonNullable<AgentFields['capabilities']>,
    endpoint_url: given.endpointUrl as string,
    message_protocol: given.messageProtocol as NonNullable<AgentFields['message_protocol']>,
    a2a_compliant: (given.a2aCompliant === undefined ? undefined : given.a2aCompliant === 'yes') as boolean,
    http_methods: given.httpMethod as string[],
    accepted_content_types: given.contentType as string[],
    specialty: given.specialty as string,
    settlement_rail: given.rail as string[],
    price_schedule: given.price?.map(priceOf) as NonNullable<AgentFields['price_schedule']>,
    payment_network: given.paymentNetwork as string,
    payment_pay_to: given.paymentPayTo as string,
    payment_asset: given.paymentAsset as string,
    contact_email: given.contactEmail as string,
    contact_info: given.contactInfo as string,
    org_name: given.orgName as string,
    org_domain: given.orgDomain as string,
    protocol: given.protocol as string,
    accepted_terms_format: given.termsFormat as string,
    signup_help: given.signupHelp as string,
    auth_header_name: given.authHeaderName as string,
    ...(answers.length === 0
      ? {}
      : { capability_confirmations: Object.fromEntries(answers) as Record<string, boolean> }),
    ...(same.length === 0 ? {} : { candidate_matches: Object.fromEntries(same) }),
  };
  const further = given.fields === undefined ? {} : await jsonObject(given.fields, '--fields', io);
  return { ...further, ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined)) };
}
