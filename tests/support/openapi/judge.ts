import { carefulReaderOf, type OpenApiDocument } from './careful-reader.ts';
import type { Exchange } from './exchange.ts';
import { noOperation, prismProxyOf } from './prism.ts';

/**
 * Checks exchanges against an OpenAPI document, by Prism and by a careful reader. Returns the violations, each with route, status and
 * location, e.g. `POST /verify 404: body.code: …`.
 */
export async function judgeOf(document: OpenApiDocument): Promise<(exchange: Exchange) => Promise<string[]>> {
  const prism = await prismProxyOf(document);
  const reader = carefulReaderOf(document);
  return async (exchange) => {
    const { method, target, status } = exchange;
    const byPrism = exchange.isWhole ? await prism(exchange) : [];
    // The careful reader reports unknown operations: it knows the legitimate errors without a route.
    const found = new Set([...byPrism.filter((fault) => fault !== noOperation), ...reader(exchange)]);
    return Array.from(found, (fault) => `${method} ${target.slice(0, 200)} ${status}: ${fault}`);
  };
}
