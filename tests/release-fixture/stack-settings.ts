/** What a fixture's answers name as the registry's address. */
export const fixtureBaseUrl = 'https://registry.fixture.example';

/** Settings of the stack that writes a fixture, and of the one that takes it over. */
export const stackEnvironment = {
  BASE_URL: fixtureBaseUrl,
  REGISTRATIONS_PER_MINUTE: '0',
  // A claim link that is redeemed after an upgrade.
  CLAIM_TOKEN_TTL_SECONDS: '0',
  CALL_TIMEOUT_MS: '1s',
  OUTBOUND_ALLOW: '127.0.0.0/8,localhost',
};
