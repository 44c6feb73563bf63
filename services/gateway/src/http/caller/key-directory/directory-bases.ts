import { normaliseDomain } from '@agent-trust/contracts';
import { setting } from '@agent-trust/service-kit';

/** KEY_DIRECTORY_BASE: `domain=http://host:port` items, separated by commas. The value maps each domain, in its compared form, to its base. */
export function directoryBases() {
  return setting('domain=URL items separated by commas, such as acme.test=http://127.0.0.1:9000', readBases);
}

const readBases = (text: string): ReadonlyMap<string, string> | undefined => {
  const bases = new Map<string, string>();
  for (const item of text === '' ? [] : text.split(',')) {
    const [, name = '', base = ''] = /^\s*([^=\s]+)\s*=\s*(https?:\/\/\S+?)\/*\s*$/u.exec(item) ?? [];
    const domain = normaliseDomain(name);
    if (domain === null || !isBase(base)) return undefined;
    bases.set(domain, base);
  }
  return bases;
};

/** The well-known path is put behind it, so nothing may stand there that a path cannot follow. */
const isBase = (base: string): boolean => {
  const url = URL.parse(base);
  return url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
};
