import type { ChainExplorer, PageSettings } from '@agent-trust/console/page-settings';
import { list, setting } from '@agent-trust/service-kit';
import { networkNames } from '@agent-trust/x402';

const addressCharactersMax = 2_048;

/** An address whose site is fixed, without a user: it is shown to everybody. */
const isAddress = (text: string): boolean =>
  text.length <= addressCharactersMax && /^https?:\/\/[^/?#@{}\\\s]+[/?#]\S*$/iu.test(text) && URL.canParse(text);

/** TRACE_URL: where people look at a trace. */
export function traceUrl() {
  return setting(
    'an http or https address with {trace_id} in its path, its query or its fragment, such as https://jaeger.example/trace/{trace_id}',
    (text) => (isAddress(text) && text.includes('{trace_id}') ? text : undefined),
  );
}

const explorerForm = /^([^=\s]{1,255})\s*=\s*(\S+)$/u;
type ExplorerItem = { network: string } & ChainExplorer;

/** CHAIN_EXPLORER_URL: where people look at transactions and accounts of a chain, by the name of its network. */
export function chainExplorers() {
  return list(
    'network=address items separated by commas, each an http or https address with {transaction} or {address} in its path, its query or its ' +
      'fragment, such as base=https://basescan.org/tx/{transaction}',
    (item): ExplorerItem | undefined => {
      const [, network = '', template = ''] = explorerForm.exec(item) ?? [];
      const [isTransaction, isAccount] = [template.includes('{transaction}'), template.includes('{address}')];
      if (!isAddress(template) || isTransaction === isAccount) return undefined;
      return { network, ...(isTransaction ? { transaction: template } : { address: template }) };
    },
  );
}

/** The settings as the page's script needs them: payments name a network in more than one way, and the explorer is the same. */
export function pageSettingsOf(given: {
  TRACE_URL?: string | undefined;
  CHAIN_EXPLORER_URL: readonly ExplorerItem[];
}): PageSettings {
  const explorers: Record<string, ChainExplorer> = {};
  for (const { network, ...templates } of given.CHAIN_EXPLORER_URL)
    for (const name of networkNames(network)) explorers[name] = { ...explorers[name], ...templates };
  return { traceUrl: given.TRACE_URL ?? null, chainExplorers: explorers };
}
