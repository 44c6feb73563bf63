import type { BareItem, Dictionary, InnerList, Item, List, Member, Parameters } from './types.ts';

/** RFC 9651 §4.1: the text of a value. Throws a RangeError for a value that the type cannot represent; no parsed value is one. */
export function serialiseDictionary(dictionary: Dictionary): string {
  return [...dictionary]
    .map(([key, member]) =>
      member.kind === 'item' && isTrue(member.value)
        ? serialiseKey(key) + serialiseParameters(member.parameters)
        : `${serialiseKey(key)}=${serialiseMember(member)}`,
    )
    .join(', ');
}

export function serialiseList(list: List): string {
  return list.map(serialiseMember).join(', ');
}

export function serialiseMember(member: Member): string {
  return member.kind === 'item' ? serialiseItem(member) : serialiseInnerList(member);
}

export function serialiseInnerList({ items, parameters }: InnerList): string {
  return `(${items.map(serialiseItem).join(' ')})${serialiseParameters(parameters)}`;
}

export function serialiseItem({ value, parameters }: Item): string {
  return serialiseBareItem(value) + serialiseParameters(parameters);
}

const isTrue = (value: BareItem): boolean => value.type === 'boolean' && value.value;

const serialiseParameters = (parameters: Parameters): string =>
  Array.from(
    parameters,
    ([key, value]) => `;${serialiseKey(key)}${isTrue(value) ? '' : `=${serialiseBareItem(value)}`}`,
  ).join('');

const serialiseKey = (key: string): string => ensureMatches(key, /^[a-z*][a-z0-9_\-.*]*$/, 'key');

export function serialiseBareItem(bare: BareItem): string {
  switch (bare.type) {
    case 'integer':
      return serialiseInteger(bare.value);
    case 'decimal':
      return serialiseDecimal(bare.thousandths);
    case 'string':
      return `"${ensureMatches(bare.value, /^[\x20-\x7e]*$/, 'string').replaceAll(/["\\]/g, '\\$&')}"`;
    case 'token':
      return ensureMatches(bare.value, /^[A-Za-z*][A-Za-z0-9:/!#$%&'*+\-.^_`|~]*$/, 'token');
    case 'bytes':
      return `:${Buffer.from(bare.value).toString('base64')}:`;
    case 'boolean':
      return bare.value ? '?1' : '?0';
    case 'date':
      return `@${serialiseInteger(bare.seconds)}`;
    case 'display':
      return serialiseDisplayString(bare.value);
    default:
      return bare satisfies never;
  }
}

const serialiseInteger = (value: number): string => String(ensureInRange(value) + 0);

const serialiseDecimal = (thousandths: number): string => {
  const digits = String(Math.abs(ensureInRange(thousandths))).padStart(4, '0');
  const fraction = digits.slice(-3).replace(/0{1,2}$/, '');
  return `${thousandths < 0 ? '-' : ''}${digits.slice(0, -3)}.${fraction}`;
};

const ensureInRange = (value: number): number => {
  if (Number.isInteger(value) && Math.abs(value) <= 999_999_999_999_999) return value;
  throw new RangeError(`${value} is not a whole number of at most 15 digits`);
};

const serialiseDisplayString = (value: string): string => {
  if (!value.isWellFormed()) throw new RangeError('a lone surrogate has no UTF-8');
  const octets = [...Buffer.from(value, 'utf8')].map((octet) =>
    octet === 0x25 || octet === 0x22 || octet < 0x20 || octet > 0x7e
      ? `%${octet.toString(16).padStart(2, '0')}`
      : String.fromCharCode(octet),
  );
  return `%"${octets.join('')}"`;
};

const ensureMatches = (text: string, pattern: RegExp, what: string): string => {
  if (!pattern.test(text)) throw new RangeError(`${JSON.stringify(text)} is not a structured field ${what}`);
  return text;
};
