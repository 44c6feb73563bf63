import { DomainError, getLogTile, logTileRoutes } from '@agent-trust/contracts';
import { parseTilePath } from '@agent-trust/transparency-log';
import { ask } from '../../bus/ask.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

/** The tile never changes, a partial one neither: it is the beginning of the fuller ones. */
const forever = 'public, max-age=31536000, immutable';

const notInLog = (): DomainError => new DomainError('not_in_log', 'the signed tree has no such tile');

/** One endpoint for each length that the path of a tile can have. */
export const tiles: readonly Endpoint[] = logTileRoutes.map((route) =>
  endpoint(route, async ({ params, request, reply }, gateway) => {
    // In the order of the path: the schema's own.
    const tile = parseTilePath(Object.values(params).join('/'));
    if (tile === null) throw notInLog();
    const { hashes } = await ask(gateway, request, getLogTile, tile);
    if (hashes === null) throw notInLog();
    return reply.header('cache-control', forever).type('application/octet-stream').send(Buffer.from(hashes, 'base64'));
  }),
);
