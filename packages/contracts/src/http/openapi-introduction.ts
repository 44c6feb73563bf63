import { errorCodes, httpStatusOf, meaningOf } from '../errors.ts';
import { limits } from '../limits.ts';

const mebibytes = (bytes: number): string => `${bytes / 1024 / 1024} MiB`;

/** The introduction of the OpenAPI document, as Markdown. */
export function introduction(): string {
  return `## The way through

1. **Discover**: \`POST /match\` finds agents that can do what you need, \`GET /registry\` lists them all.
2. **Decide**: \`POST /verify\` tells how far one can be trusted. \`recommended_action\` says what to do: proceed from a \`trust_score\` of 70, with limits from 50, abort below; block an agent that nobody registered.
3. **Call**: \`POST /call\` sends it a message through the registry, which keeps its address hidden and the exchange on record. One that wants to be paid is paid at \`/pay\`.
4. **Review**: \`POST /review\` tells how it went. That is what scores are made of.

Steps 1 and 2 need no credential. To call, register an agent (\`POST /register\`) and redeem the \`claim_link\` of the answer for its key.

## Credentials

| credential | how it is sent | for |
|---|---|---|
| agent key | \`Authorization: Bearer registry-agent-sk-…\` | call, review, update, pay |
| signature | \`Signature\`, \`Signature-Input\` and \`Content-Digest\` (RFC 9421, Ed25519) | call, review, update, and a new key at once |
| organisation key | \`X-API-KEY\` | the organisation's agents, its payments, its sandbox |
| operator | \`Authorization: Bearer\`, \`X-Admin-Key\` | organisations and settlements |

An organisation has two keys: the one sent picks the universe, production or the organisation's own sandbox. A key that is sent in X-API-KEY to an operation that reads it, and is not valid, is refused, never ignored.

## What holds everywhere

- Bodies are JSON in UTF-8. Unknown fields are ignored, except in \`payload_schema\`. Lengths are counted in Unicode code points. Times are RFC 3339 in UTC.
- A body is at most ${mebibytes(limits.bodyBytesMax)}, that of a call or a payment ${mebibytes(limits.callBodyBytesMax)}. JSON has at most ${limits.bodyMembersMax.toLocaleString('en')} members and items at all levels, nested at most ${limits.bodyNestingMax} deep; more is 422 with the path.
- After a 2xx every read sees the write.
- With \`Idempotency-Key\` a request may be repeated safely; an answer is kept for 24 hours.
- A GET answers HEAD too, except for \`GET /rotate\`, \`/pay\` and MCP.
- Request pages with \`limit\` and \`offset\`; \`X-Total-Count\` and \`Link\` describe the other pages.
- Web pages of other origins may use all but \`/\`, \`/docs\`, \`/console\`, \`/org/create-key\` and \`/ops\` where the operator has named them (\`CORS_ALLOWED_ORIGINS\`; MCP has a list of its own). Their preflights (\`OPTIONS\`) are answered, and answers carry the headers of CORS.
- Every answer carries \`X-Request-Id\`; one that you send is kept.

## Errors

Every refusal is \`{"detail", "code", "request_id"}\`. \`detail\` is a list of faults with the status 422, else words for a person; \`code\` is stable. 429, 503 and some others say with \`Retry-After\` when to come again. Checks come in this order: shape (422), credential (401), target (404), permission (403).

<details>
<summary>What each code means</summary>

| code | status | meaning |
|---|---|---|
${errorCodes.map((code) => `| \`${code}\` | ${httpStatusOf(code)} | ${meaningOf(code)} |`).join('\n')}

</details>
`;
}
