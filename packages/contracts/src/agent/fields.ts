import { z } from 'zod';
import { capabilityInput } from '../capability/name.ts';
import { limits } from '../limits.ts';
import { distinctName, text } from '../text.ts';
import { fieldTexts } from './field-texts.ts';

/** The single fields of an agent, shared by the registration input, the update and the events. */

export const messageProtocol = z.enum(['a2a', 'mcp', 'raw']).describe(fieldTexts.message_protocol);
export type MessageProtocol = z.infer<typeof messageProtocol>;

const isHttpUrl = (value: string): boolean => {
  // The WHATWG parser mends `http:///host`, backslashes and line breaks; an address that needs mending is a mistake or a trick.
  if (!/^https?:\/\/[^\s\\/?#][^\s\\]*$/iu.test(value) || !URL.canParse(value)) return false;
  const url = new URL(value);
  return (
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    url.username === '' &&
    url.password === '' &&
    url.hostname !== ''
  );
};

/** An http or https address without user information. Whether it may be reached is decided when it is called. */
export const endpointUrl = text(limits.endpointUrlCharsMax, 1)
  .refine(isHttpUrl, { message: 'must be an http or https URL without user information' })
  .meta({ format: 'uri', description: fieldTexts.endpoint_url, examples: ['https://agents.acme.example/a2a'] });

/** Lower case, punycode, no trailing dot: the form in which domains are compared and stored. */
export function normaliseDomain(domain: string): string | null {
  const bare = domain.trim().replace(/\.$/u, '');
  if (bare === '' || /[/:@?#\\%\s[\]]/u.test(bare) || !URL.canParse(`http://${bare}`)) return null;
  const host = new URL(`http://${bare}`).hostname;
  const labels = host.split('.');
  const isName = labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/u.test(label));
  // An all-numeric last label is an IPv4 address in the WHATWG parser, never a domain.
  return isName && labels.length >= 2 && !/^\d+$/u.test(labels.at(-1) ?? '') && host.length <= limits.orgDomainCharsMax
    ? host
    : null;
}

/** A domain name, turned into its normal form. */
export const orgDomain = text(limits.orgDomainCharsMax, 1)
  .transform(normaliseDomain)
  .refine((domain) => domain !== null, { message: 'must be a domain name' })
  .transform((domain) => domain as string);

const isNotBlank: [(name: string) => boolean, { message: string }] = [
  (name) => name.trim() !== '',
  { message: 'must not be blank' },
];

/** The name of an organisation that exists; whatever names were once given, they are found. */
export const orgName = text(limits.orgNameCharsMax, 1).refine(...isNotBlank);

/** The name of a new organisation, which must not look like another's. */
export const newOrgName = distinctName(limits.orgNameCharsMax).refine(...isNotBlank);

export const email = text(limits.emailCharsMax, 3)
  .refine((value) => z.email().safeParse(value).success, {
    message: 'must be an e-mail address',
  })
  .meta({ format: 'email' });

export const token = text(limits.tokenCharsMax, 1);
const tokenList = z.array(token).max(limits.listEntriesMax);

/** A list of settlement rails; a bare string is a list of one. Known rails: x402, stripe, manual. */
export const settlementRails = z.union([token.transform((rail) => [rail]), tokenList]);

/** Outbound methods, the first one the default of /call for plain endpoints. */
export const httpMethods = z
  .array(
    z
      .string()
      .regex(/^[A-Za-z]{1,16}$/u, { message: 'must be an HTTP method' })
      .transform((method) => method.toUpperCase()),
  )
  .max(limits.listEntriesMax);

export const priceScheduleEntry = z
  .object({
    task: text(limits.priceTaskCharsMax, 1).describe('What is done for the price.'),
    price: z.number().positive().describe('What it costs, in units of payment_asset.'),
  })
  .meta({ id: 'PriceScheduleEntry', description: 'What a task costs.' });
export const priceSchedule = z.array(priceScheduleEntry).max(limits.priceScheduleEntriesMax);

const unit = (description: string) => text(limits.tokenCharsMax).nullish().describe(description);
/** Units that the agent expects in payloads; the one place where an unknown field is a fault. */
export const payloadSchema = z
  .strictObject({
    currency: unit('The currency of amounts, such as EUR.'),
    date_format: unit('The form of dates, such as YYYY-MM-DD.'),
    quantity_unit: unit('The unit of quantities, such as piece.'),
    weight_unit: unit('The unit of weights, such as kg.'),
  })
  .meta({ id: 'PayloadSchema', description: fieldTexts.payload_schema });

export const acceptedContentTypes = tokenList;
export const capabilities = z.array(capabilityInput).max(limits.capabilitiesMax);
/** A name of an HTTP header (RFC 9110 §5.1). */
export const headerName = token.refine((name) => /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/u.test(name), {
  message: 'must be a header name',
});
