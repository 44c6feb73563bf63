import type { ReferenceStep } from '@agent-trust/contracts';
import { common, type Explanation, toolStep } from './topic.ts';

const protocolVersion = '2025-11-25';
const headers = {
  'Content-Type': 'application/json',
  Accept: 'application/json, text/event-stream',
  Authorization: 'Bearer <AGENT_KEY>',
};
const rpc = (id: number, content: Record<string, unknown>) => ({ jsonrpc: '2.0', id, ...content });

/** How a connection over streamable HTTP begins, goes on and ends, byte for byte. */
export function mcpHandshake(baseUrl: string): Explanation {
  const url = `${baseUrl}/mcp-http/mcp`;
  const inSession = { ...headers, 'Mcp-Session-Id': '<SESSION_ID>', 'MCP-Protocol-Version': protocolVersion };
  const step = (
    title: string,
    answer: ReferenceStep['answer'],
    body: Record<string, unknown> | undefined,
    more: { method?: string; headers?: Record<string, string>; note?: string } = {},
  ): ReferenceStep => ({
    title,
    kind: 'http',
    method: 'POST',
    url,
    headers: inSession,
    ...(body === undefined ? {} : { body }),
    answer,
    ...more,
  });
  return {
    title: 'Connecting by MCP, and whose credentials a message has',
    explanation:
      `Streamable HTTP is at ${url}; older clients use server-sent events at ${baseUrl}/mcp/sse. An MCP client does the steps below by itself: give it the URL and the headers. ` +
      'Credentials are headers of every request, Authorization: Bearer <AGENT_KEY> and X-API-KEY: <ORG_KEY>; leave out what you do not have, since discovering needs none. ' +
      'Mcp-Session-Id names the session and proves nothing: a key set by set_agent_key works only together with the headers that it was set under, and ends with the session. A session that was not used for half an hour is over: a 404 then means to initialize again.',
    placeholders: { AGENT_KEY: common.AGENT_KEY, AGENT_ID: common.AGENT_ID },
    steps: [
      step(
        'Initialize; the answer names the session',
        {
          status: 200,
          headers: { 'mcp-session-id': '<SESSION_ID>' },
          body: rpc(1, { result: { protocolVersion, serverInfo: { name: 'agent-trust-registry' } } }),
        },
        rpc(1, {
          method: 'initialize',
          params: { protocolVersion, capabilities: {}, clientInfo: { name: 'my-client', version: '1.0.0' } },
        }),
        { headers, note: 'The body comes as JSON or as one server-sent event, so Accept has to name both.' },
      ),
      step('Say that you are ready', { status: 202 }, { jsonrpc: '2.0', method: 'notifications/initialized' }),
      step(
        'Call a tool',
        { status: 200, body: rpc(2, { result: { structuredContent: { agent_id: '<AGENT_ID>' } } }) },
        rpc(2, { method: 'tools/call', params: { name: 'verify_agent', arguments: { agent_id: '<AGENT_ID>' } } }),
        { note: 'tools/list lists the arguments of each tool.' },
      ),
      step('End the session', { status: 200 }, undefined, { method: 'DELETE' }),
    ],
  };
}

const makeKey = `import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
writeFileSync('agent-key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
console.log(JSON.stringify({ public_key: publicKey.export({ format: 'jwk' }).x }));
`;

const rotateSigned = (
  baseUrl: string,
): string => `import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';

const agentId = '<NEW_AGENT_ID>';
const path = '/rotate';
const body = JSON.stringify({ agent_id: agentId });
const digest = \`sha-256=:\${createHash('sha256').update(body).digest('base64')}:\`;
const parameters =
  '("@method" "@path" "content-digest")' +
  \`;alg="ed25519";created=\${Math.floor(Date.now() / 1000)};keyid="\${agentId}";nonce="\${randomUUID()}"\`;
const base = [
  '"@method": POST',
  \`"@path": \${path}\`,
  \`"content-digest": \${digest}\`,
  \`"@signature-params": \${parameters}\`,
].join('\\n');
const signature = sign(null, Buffer.from(base), createPrivateKey(readFileSync('agent-key.pem')));
const response = await fetch(\`${baseUrl}\${path}\`, {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'content-digest': digest,
    'signature-input': \`sig1=\${parameters}\`,
    signature: \`sig1=:\${signature.toString('base64')}:\`,
  },
  body,
});
console.log(JSON.stringify({ status: response.status, body: await response.json() }));
`;

/** How an agent without a mailbox gets its keys: by its own signature. */
export function ed25519KeySetup(baseUrl: string): Explanation {
  return {
    title: 'A key pair of your own, and bearer keys by signature',
    explanation:
      'An agent that registers a public_key (Ed25519, the 32 raw bytes in base64url without padding) needs no mailbox and no claim link: it gets its bearer keys by a signed POST /rotate. ' +
      'A signature (RFC 9421, label sig1) covers @method, @path and content-digest, and names the agent in keyid, the time in created (within 300 seconds) and a nonce that is used once. ' +
      'It covers one HTTP request byte for byte, so it cannot travel through a tool call: sign plain HTTP requests (/rotate, /call, /review, /update), and let the tools act with the bearer key. ' +
      "With an org_domain the key may stand in the domain's /.well-known/http-message-signatures-directory instead. The private key never leaves you.",
    placeholders: { NEW_AGENT_ID: `${common.NEW_AGENT_ID} For this example of ASCII letters, digits and hyphens.` },
    steps: [
      {
        title: 'Make the key pair; the private key stays in agent-key.pem',
        kind: 'script',
        script: makeKey,
        answer: { body: { public_key: '<PUBLIC_KEY>' } },
      },
      toolStep(
        'Register with the public key',
        'register_agent',
        { agent_id: '<NEW_AGENT_ID>', public_key: '<PUBLIC_KEY>' },
        { status: 'registered', agent_id: '<NEW_AGENT_ID>' },
        'An agent that exists gets it by update_agent {agent_id, public_key}. The claim_link of the answer works too, and is not needed.',
      ),
      {
        title: 'Mint a bearer key by a signed request',
        kind: 'script',
        script: rotateSigned(baseUrl),
        answer: {
          body: { status: 200, body: { agent_id: '<NEW_AGENT_ID>', status: 'rotated', agent_key: '<AGENT_KEY>' } },
        },
        note: 'The former key stops working. Each run signs anew: a nonce works once.',
      },
      toolStep('Act as the agent', 'set_agent_key', { agent_key: '<AGENT_KEY>' }, { status: 'set' }),
    ],
  };
}
