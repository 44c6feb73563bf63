/** Cards as public agents of each line of A2A publish them. */

const skill = (id: string, name: string, more: object = {}): object => ({
  id,
  name,
  description: `${name}.`,
  tags: [id],
  ...more,
});

export const card02 = {
  name: 'Currency Agent',
  description: 'Helps with exchange rates for currencies',
  url: 'https://agents.example.com/',
  version: '1.0.0',
  capabilities: { streaming: true, pushNotifications: true },
  defaultInputModes: ['text', 'text/plain'],
  defaultOutputModes: ['text', 'text/plain'],
  skills: [
    skill('convert_currency', 'Currency Exchange Rates Tool', {
      examples: ['What is exchange rate between USD and GBP?'],
    }),
  ],
};

export const card03 = {
  protocolVersion: '0.3.0',
  name: 'GeoSpatial Route Planner',
  description: 'Plans routes with traffic in mind.',
  url: 'https://georoute.example.com/a2a/v1',
  preferredTransport: 'JSONRPC',
  additionalInterfaces: [
    { url: 'https://georoute.example.com/a2a/v1', transport: 'JSONRPC' },
    { url: 'https://georoute.example.com/a2a/grpc', transport: 'GRPC' },
    { url: 'https://georoute.example.com/a2a/json', transport: 'HTTP+JSON' },
  ],
  provider: { organization: 'Example Geo Services Inc.', url: 'https://www.examplegeoservices.com' },
  iconUrl: 'https://georoute.example.com/icon.png',
  version: '1.2.0',
  documentationUrl: 'https://docs.example.com/georoute',
  capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: false },
  securitySchemes: { google: { type: 'openIdConnect', openIdConnectUrl: 'https://accounts.example.com/oidc' } },
  security: [{ google: ['openid'] }],
  defaultInputModes: ['application/json', 'text/plain'],
  defaultOutputModes: ['application/json', 'image/png'],
  skills: [
    skill('route-optimizer-traffic', 'Traffic-Aware Route Optimizer'),
    skill('custom-map-generator', 'Personalized Map Generator'),
  ],
  supportsAuthenticatedExtendedCard: true,
  signatures: [{ protected: 'e30', signature: 'c2ln' }],
};

export const card10 = {
  name: 'GeoSpatial Route Planner',
  description: 'Plans routes with traffic in mind.',
  supportedInterfaces: [
    { url: 'https://georoute.example.com/grpc', protocolBinding: 'GRPC', protocolVersion: '1.0' },
    { url: 'https://georoute.example.com/a2a/v1', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    { url: 'https://georoute.example.com/json', protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' },
  ],
  provider: { organization: 'Example Geo Services Inc.', url: 'https://www.examplegeoservices.com' },
  version: '2.0.0',
  capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: true },
  securitySchemes: {
    google: { openIdConnectSecurityScheme: { openIdConnectUrl: 'https://accounts.example.com/oidc' } },
  },
  securityRequirements: [{ schemes: { google: { list: ['openid'] } } }],
  defaultInputModes: ['application/json'],
  defaultOutputModes: ['application/json'],
  skills: [skill('route-optimizer-traffic', 'Traffic-Aware Route Optimizer')],
};
