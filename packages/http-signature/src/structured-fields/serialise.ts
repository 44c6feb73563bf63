import type { BareItem, Dictionary, InnerList, Item, List, Member, Parameters } from './types.ts';

/** RFC 9651 §4.1: the one text of a value. A RangeError means a value that the type cannot hold, which no parsed one is. */
export function serialiseDictionary(dictionary: Dictionary): string {
  return [...dictionary]
    .map(([key, member]) =>
      isTrue(member)
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

const isTrue = (member: Member): boolean =>
  member.kind === 'item' && member.value.type === 'boolean' && member.value.value;

const serialiseParameters = (parameters: Parameters): string =>
  [...parameters]
    .map(([key, value]) =>
      value.type === 'boolean' && value.value
        ? `;${serialiseKey(key)}`
        : `;${serialiseKey(key)}=${serialiseBareItem(value)}`,
    )
    .join('');

const serialiseKey = (key: string): string => demand(key, /^[a-z*][a-z0-9_\-.*]*$/, 'key');

export function serialiseBareItem(bare: BareItem): string {
  switch (bare.type) {
    case 'integer':
      return serialiseInteger(bare.value);
    case 'decimal':
      return serialiseDecimal(bare.thousandths);
    case 'string':
      return `"${demand(bare.value, /^[\x20-\x7e]*$/, 'string').replaceAll(/["\\]/g, '\\$&')}"`;
    case 'token':
      return demand(bare.value, /^[A-Za-z*][A-Za-z0-9:/!#$%&'*+\-.^_`|~]*$/, 'token');
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

const serialiseInteger = (value: number): string => {
  if (!Number.isInteger(value) || Math.abs(value) > 999_999_999_999_999) {
    throw new RangeError(`${value} is no structured field integer`);
  }
  return String(value + 0);
};

const serialiseDecimal = (thousandths: number): string => {
  if (!Number.isInteger(thousandths) || Math.abs(thousandths) > 999_999_999_999_999) {
    throw new RangeError(`${thousandths} thousandths are no structured field decimal`);
  }
  const digits = String(Math.abs(thousandths)).padStart(4, '0');
  const fraction = digits.slice(-3).replace(/0{1,2}$/, '');
  return `${thousandths < 0 ? '-' : ''}${digits.slice(0, -3)}.${fraction}`;
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

const demand = (text: string, pattern: RegExp, what: string): string => {
  if (!pattern.test(text)) throw new RangeError(`${JSON.stringify(text)} is no structured field ${what}`);
  return text;
};
