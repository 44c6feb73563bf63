import { z } from 'zod';
import { textHeader, wordHeader } from '../http/headers.ts';
import { optionalQueryInteger, pageHeaders, pageQuery } from '../http/query-integer.ts';
import { answer, type Headers, route, type Route } from '../http/route.ts';
import { limits } from '../limits.ts';
import { agentId, text } from '../text.ts';
import {
  exampleCheckpoint,
  exampleConsistencyProof,
  exampleInclusionProof,
  exampleLogKey,
  exampleReceipt,
  exampleReviewLeaf,
} from './examples.ts';
import { consistencyProofWire, inclusionProofWire, logKeyWire, receiptWire, reviewLeafWire } from './wire.ts';

const notKept: Headers = { 'Cache-Control': wordHeader('It changes with each event.', ['no-cache']) };

export const logCheckpointRoute = route({
  method: 'GET',
  path: '/log/checkpoint',
  operationId: 'getLogCheckpoint',
  summary: 'The signed head of the log',
  description:
    'A checkpoint of the RFC 6962 tree over all events, in the form of C2SP tlog-checkpoint, signed by the key of /log/key. Its size never ' +
    'decreases. Keep one to prove later that nothing before it was rewritten.',
  tag: 'Verifiable log',
  credentials: ['none'],
  answers: {
    200: answer(
      'The newest checkpoint.',
      z.string().describe('Origin, size and root, each on a line; an empty line; the signature.'),
      exampleCheckpoint,
      { contentType: 'text/plain', headers: notKept },
    ),
  },
  errors: ['log_inconsistent'],
});

export const logKeyRoute = route({
  method: 'GET',
  path: '/log/key',
  operationId: 'getLogKey',
  summary: 'The public key of the log',
  description:
    'Verifies checkpoints and signed verdicts. Get it once from a trusted source, and keep it: a key fetched anew each time proves nothing.',
  tag: 'Verifiable log',
  credentials: ['none'],
  answers: {
    200: answer('The key in both of its forms.', logKeyWire, exampleLogKey, {
      headers: { 'Cache-Control': textHeader('How long it may be cached.', 'public, max-age=300') },
    }),
  },
});

const size = (absent: string) => optionalQueryInteger(1, limits.logSizeMax, absent);
const newest = 'Leaves of the tree; default: those of the newest signed checkpoint, which is then in the answer.';

export const logInclusionProofRoute = route({
  method: 'GET',
  path: '/log/proof/inclusion',
  operationId: 'getLogInclusionProof',
  summary: 'Proof that an event is in the log',
  description: 'For the event with this index or this id; give one of the two.',
  tag: 'Verifiable log',
  credentials: ['none'],
  query: z
    .object({
      index: optionalQueryInteger(0, limits.logSizeMax, 'Which leaf, from 0.'),
      event_id: text(limits.tokenCharsMax, 1).optional().describe('Id of the event.'),
      size: size(newest),
    })
    .refine(({ index, event_id: eventId }) => (index === undefined) !== (eventId === undefined), {
      message: 'one of index and event_id must be given, and not both',
      path: ['index'],
    }),
  answers: { 200: answer('The proof.', inclusionProofWire, exampleInclusionProof, { headers: notKept }) },
  errors: ['not_in_log', 'log_inconsistent'],
});

export const logConsistencyProofRoute = route({
  method: 'GET',
  path: '/log/proof/consistency',
  operationId: 'getLogConsistencyProof',
  summary: 'Proof that the log has only grown',
  description: 'That the tree of an earlier checkpoint is the beginning of a later one.',
  tag: 'Verifiable log',
  credentials: ['none'],
  query: z
    .object({
      from: optionalQueryInteger(1, limits.logSizeMax, 'Leaves of the earlier tree; required.'),
      to: size(newest),
    })
    .refine(({ from }) => from !== undefined, { message: 'is required', path: ['from'] })
    .refine(({ from, to }) => from === undefined || to === undefined || from <= to, {
      message: 'must not be less than from',
      path: ['to'],
    }),
  answers: { 200: answer('The proof.', consistencyProofWire, exampleConsistencyProof, { headers: notKept }) },
  errors: ['not_in_log', 'log_inconsistent'],
});

const group = (description: string) => text(limits.tokenCharsMax, 1).describe(description);
const numberPart = 'Part of the tile number in C2SP tlog-tiles notation: x and three digits, …';
const lastPart = 'The last three digits of the number, or of a partial tile three digits and .p.';
const tileParts = ['first', 'second', 'third', 'fourth'] as const;

/**
 * The path of a tile has one segment for each three digits of its number, and one more for a partial tile. A parameter of an OpenAPI path
 * is one segment, so each length is an operation of its own.
 */
const tileRoute = (parts: 1 | 2 | 3 | 4) => {
  const names = tileParts.slice(0, parts);
  const paramTexts = names.map((name, index): [string, string] => [
    name,
    index < parts - 1
      ? `${numberPart} or, before a width, ${lastPart.toLowerCase()}`
      : `${lastPart.slice(0, -1)}; behind .p the width, 1 to 255.`,
  ]);
  return route({
    method: 'GET',
    path: `/log/tile/{level}/${names.map((name) => `{${name}}`).join('/')}`,
    operationId: parts === 1 ? 'getLogTile' : `getLogTileOf${parts}Parts`,
    summary: 'A tile of the tree',
    description:
      'Up to 256 concatenated hashes of 32 bytes: /log/tile/{level}/{number}[.p/{width}] in C2SP tlog-tiles notation with the prefix /log. ' +
      'Proofs of any size can be built from tiles. A tile never changes. Entry bundles are not served, since events are not public.',
    tag: 'Verifiable log',
    credentials: ['none'],
    params: z.object({
      level: group('Level of the tile, 0 for hashes of events.'),
      ...Object.fromEntries(paramTexts.map(([name, description]) => [name, group(description)])),
    }),
    answers: {
      200: answer('The hashes.', z.string().describe('Concatenated hashes of 32 bytes each.'), '…', {
        contentType: 'application/octet-stream',
        headers: { 'Cache-Control': wordHeader('It never changes.', ['public, max-age=31536000, immutable']) },
      }),
    },
    errors: ['not_in_log'],
  });
};

/** The routes of tiles by the number of their segments behind the level. */
export const logTileRoutes = [tileRoute(1), tileRoute(2), tileRoute(3), tileRoute(4)] as const;

export const reviewReceiptRoute = route({
  method: 'GET',
  path: '/agent/{agent_id}/trust/receipt/{transaction_id}',
  operationId: 'getReviewReceipt',
  summary: 'Proof that a review of an agent is in the log',
  description:
    "The review's event, its place in the tree, the proof and the signed checkpoint of that tree, which anybody can verify offline with the " +
    "key of the log. Visible to every caller that sees the review among the agent's ratings.",
  tag: 'Verifiable log',
  credentials: ['none', 'organisation'],
  organisationScope: 'read',
  closedBy: 'PUBLIC_READS',
  params: z.object({
    agent_id: agentId,
    transaction_id: text(limits.tokenCharsMax, 1).describe('The exchange that was reviewed.'),
  }),
  answers: { 200: answer('The receipt.', receiptWire, exampleReceipt, { headers: notKept }) },
  errors: ['agent_not_found', 'review_not_found', 'log_inconsistent'],
});

export const reviewLeavesRoute = route({
  method: 'GET',
  path: '/agent/{agent_id}/reviews/leaves',
  operationId: 'listReviewLeaves',
  summary: "The leaves of an agent's reviews in the log's tree",
  description:
    'Whoever wrote a review and has its receipt sees here that it is not withheld; whoever was reviewed sees that none was added. Every review ' +
    'that the caller may see among the ratings, oldest first, in pages: follow the Link header. New ones come at the end.',
  tag: 'Verifiable log',
  credentials: ['none', 'organisation'],
  organisationScope: 'read',
  closedBy: 'PUBLIC_READS',
  params: z.object({ agent_id: agentId }),
  query: z.object(
    pageQuery('Reviews', limits.reviewLeavesPageMax, limits.reviewLeavesPageDefault, limits.trustOffsetMax),
  ),
  answers: {
    200: answer('One page of leaves.', z.array(reviewLeafWire), [exampleReviewLeaf], {
      headers: { ...pageHeaders, ...notKept },
    }),
  },
  errors: ['agent_not_found'],
});

/** In the order of the OpenAPI document. */
export const logRoutes: readonly Route[] = [
  logCheckpointRoute,
  logKeyRoute,
  logInclusionProofRoute,
  logConsistencyProofRoute,
  ...logTileRoutes,
  reviewReceiptRoute,
  reviewLeavesRoute,
];
