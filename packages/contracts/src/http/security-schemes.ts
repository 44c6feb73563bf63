import type { JsonSchema } from './openapi-schemas.ts';
import type { RouteCredential } from './route.ts';

const organisationKey = {
  organisation: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-KEY',
    description:
      'A key of an organisation; it picks the universe. `x-organisation-scope` of an operation is the scope that a named key needs.',
  },
};

/** The OpenAPI schemes of each credential, which a request needs together. */
const schemesOf = {
  none: {},
  agent: { agent: { type: 'http', scheme: 'bearer', description: "An agent's key, `registry-agent-sk-…`." } },
  // OpenAPI has no type for message signatures: their three headers are separate schemes, required together.
  signature: {
    signature: {
      type: 'apiKey',
      in: 'header',
      name: 'Signature',
      description:
        'An HTTP message signature (RFC 9421) with the Ed25519 key of an agent: `sig1=:<base64 of 64 bytes>:`. Labels other than `sig1` are ignored.',
    },
    signature_input: {
      type: 'apiKey',
      in: 'header',
      name: 'Signature-Input',
      description:
        '`sig1=("@method" "@path" "content-digest");created=<unix seconds>;keyid="<agent_id>";nonce="<new for every request>"`. More ' +
        'components and parameters may follow, in any order; `alg`, if present, is `"ed25519"`. An agent_id beyond ASCII is a display ' +
        'string (RFC 9651), `keyid=%"caf%c3%a9"`.',
    },
    content_digest: {
      type: 'apiKey',
      in: 'header',
      name: 'Content-Digest',
      description: '`sha-256=:<base64 of the SHA-256 of the body>:` (RFC 9530).',
    },
  },
  organisation: organisationKey,
  production_key: organisationKey,
  sandbox_key: organisationKey,
  admin_token: {
    admin_token: { type: 'http', scheme: 'bearer', description: 'The token of the installation, for emergencies.' },
  },
  operator: {
    operator: {
      type: 'http',
      scheme: 'bearer',
      description:
        "An operator's key, `registry-operator-sk-…`, or a token of the OpenID Connect issuer that the registry is configured for. " +
        '`x-operator-role` of an operation is the role that it needs.',
    },
  },
  admin_key: {
    admin_key: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Admin-Key',
      description: 'The key of the installation, never from a browser.',
    },
  },
} satisfies Record<RouteCredential, Record<string, JsonSchema>>;

/** Every scheme of the document. */
export const securitySchemes: Record<string, JsonSchema> = Object.assign({}, ...Object.values(schemesOf));

/** The headers of a credential. */
export function credentialHeaders(credential: RouteCredential): string[] {
  return Object.values(schemesOf[credential]).map((scheme) => ('name' in scheme ? scheme.name : 'Authorization'));
}

/** The security requirement of one credential; empty if optional. */
export function securityRequirement(credential: RouteCredential): JsonSchema {
  return Object.fromEntries(Object.keys(schemesOf[credential]).map((name) => [name, []]));
}
