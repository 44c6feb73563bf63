import { a2aResponse, agentCard, routes } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { answerMessage, ownCard } from './agent-card.ts';

const card = ownCard('https://registry.example');

describe("the registry's own card", () => {
  it('conforms to its schema, and contains no other address than its own', () => {
    expect(agentCard.parse(card)).toEqual(card);
    // Examples may name other agents.
    const own = { ...card, skills: card.skills.map((skill) => ({ ...skill, examples: [] })) };
    for (const [url] of JSON.stringify(own).matchAll(/https?:\/\/[^"/ ]+/gu))
      expect(url).toBe('https://registry.example');
  });

  it('has a skill for each operation of an agent or an organisation, and none for operators', () => {
    const ids = card.skills.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(
      expect.arrayContaining(['verify', 'match', 'registerAgent', 'importAgent', 'promoteAgent', 'whoami']),
    );
    for (const id of [
      'createOrganisation',
      'listSettlements',
      'getAgentCard',
      'describeInterface',
      'askForDirections',
    ]) {
      expect(routes.map(({ operationId }) => operationId)).toContain(id);
      expect(ids).not.toContain(id);
    }
    expect(JSON.stringify(card)).not.toContain('admin_');
  });

  it("declares a skill's security in both spellings, with described schemes only", () => {
    for (const { security = [], securityRequirements = [] } of card.skills) {
      expect(securityRequirements.map(({ schemes }) => Object.keys(schemes))).toEqual(security.map(Object.keys));
      for (const name of security.flatMap(Object.keys)) expect(card.securitySchemes).toHaveProperty(name);
    }
    expect(card.securitySchemes['organisation']).toMatchObject({
      type: 'apiKey',
      in: 'header',
      name: 'X-API-KEY',
      apiKeySecurityScheme: { location: 'header', name: 'X-API-KEY' },
    });
    expect(card.securitySchemes['agent']).toMatchObject({
      scheme: 'bearer',
      httpAuthSecurityScheme: { scheme: 'bearer' },
    });
  });
});

describe('a message to the registry', () => {
  const ask = (method: string, params?: unknown, id: string | number | null = 7) => {
    const answer = answerMessage({ id, method, params }, card, 'm1');
    return a2aResponse.parse(answer);
  };

  it.each(['message/send', 'SendMessage'])('%s returns directions to the interface', (method) => {
    const { id, result } = ask(method, { message: { contextId: 'c1' } });
    const text = JSON.stringify(result);
    expect([id, text]).toEqual([7, expect.stringContaining('"contextId":"c1"')]);
    for (const place of ['/openapi.json', '/mcp-http/mcp', '/docs', 'POST /verify']) expect(text).toContain(place);
    expect(text.includes('ROLE_AGENT')).toBe(method === 'SendMessage');
  });

  it.each([
    ['message/stream', -32_004],
    ['SendStreamingMessage', -32_004],
    ['tasks/get', -32_001],
    ['CancelTask', -32_001],
    ['agent/getAuthenticatedExtendedCard', -32_601],
    ['toString', -32_601],
  ])('%s is refused with %i', (method, code) => {
    expect(ask(method).error?.code).toBe(code);
  });

  it.each([
    null,
    5,
    'text',
    { message: null },
    { message: { contextId: 5 } },
    { message: { contextId: 'x'.repeat(300) } },
  ])('with parameters %.40j gets an answer without context', (params) => {
    expect(ask('message/send', params, null)).toMatchObject({ id: null, result: { messageId: 'm1' } });
    expect(ask('message/send', params).result).not.toHaveProperty('contextId');
  });
});
