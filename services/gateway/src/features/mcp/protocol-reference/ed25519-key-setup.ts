import { common, type Explanation, toolStep } from './topic.ts';

const makeKey = `import { generateKeyPairSync } from 'node:crypto';
import { writeFileSync, readFileSync } from 'node:fs';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');
writeFileSync('agent-key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' });
console.log(JSON.stringify({ public_key: publicKey.export({ format: 'jwk' }).x }));
`;

const rotateSigned = (
  baseUrl: string,
): string => `import { createHash, createPrivateKey, randomUUID, sign } from 'node:crypto';

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
      'An agent that registers a public_key (Ed25519, the 32 raw bytes in base64url without padding) needs no mailbox and no claim link: it mints its bearer keys itself, by a signed POST /rotate. ' +
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
