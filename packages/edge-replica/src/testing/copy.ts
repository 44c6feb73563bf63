/** A deep copy of data and of instances of classes whose fields are all ordinary properties. What is in two places is copied twice. */
export function copy<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((one: unknown) => copy(one)) as Value;
  if (value instanceof Map) {
    const made = new Map<unknown, unknown>();
    for (const [key, one] of value) made.set(key, copy(one));
    return made as Value;
  }
  const made = Object.create(Object.getPrototypeOf(value) as object) as Record<string, unknown>;
  for (const name in value) if (Object.hasOwn(value, name)) made[name] = copy(value[name]);
  return made as Value;
}

/** A text that is the same for equal values. */
export function textOf(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
    case 'number':
    case 'boolean':
      return String(value);
    case 'string':
      return `"${value}"`;
    case 'object': {
      if (value === null) return '-';
      let text = '';
      if (Array.isArray(value)) {
        for (const one of value) text += `${textOf(one)},`;
        return `[${text}]`;
      }
      if (value instanceof Map) {
        for (const [key, one] of value) text += `${String(key)}:${textOf(one)},`;
        return `(${text})`;
      }
      for (const name in value)
        if (Object.hasOwn(value, name)) text += `${textOf((value as Record<string, unknown>)[name])},`;
      return `{${text}}`;
    }
    default:
      return '';
  }
}
