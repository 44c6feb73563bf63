/**
 * Bug: a message of some thousand levels is a defect of the registry (500), because some step on its way walks it by recursion.
 * Method: 5,000 levels at every place of a call where any JSON may be, for every kind of target.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { ask, type Body, createOrg, faultLocations, join, type Member } from '../support/ask.ts';
import { startRecordingAgent } from '../support/recording-agent.ts';

const levels = 5_000;
const arrays = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const objects = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

const targets: Record<string, Body> = {
  plain: {},
  'by GET': { http_methods: ['GET'] },
  compliant: { a2a_compliant: true },
  mcp: { message_protocol: 'mcp' },
  raw: { message_protocol: 'raw' },
};
const agentIds: Record<string, string> = {};
let caller: Member;
let asked = 0;
beforeAll(async () => {
  const { key } = await createOrg();
  caller = await join(key);
  const agent = await startRecordingAgent((_request, response) => {
    asked += 1;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  for (const [name, fields] of Object.entries(targets))
    agentIds[name] = (await join(key, { endpoint_url: agent.url, ...fields })).agentId;
  return () => agent.stop();
});

const part = (members: string): string => `{"kind":"data","content_type":"application/json",${members}}`;
const withParts = (parts: string, beside = ''): string =>
  `{"jsonrpc":"2.0","method":"message/send","params":{"message":{"role":"user","parts":[${parts}]}}${beside}}`;
const inContent = 'body.message.params.message.parts.0.content';
/** Messages with something deep, and where its fault is. */
const messages = (deep: string): [string, string, string][] => [
  ['a content', withParts(part(`"content":${deep}`)), inContent],
  ['a content as text', withParts(part(`"content":${JSON.stringify(deep)}`)), inContent],
  [
    'a content in the form of SDKs',
    withParts(`{"kind":"data","data":${deep}}`),
    'body.message.params.message.parts.0.data',
  ],
  [
    'a member of a part',
    withParts(part(`"content":{},"metadata":${deep}`)),
    'body.message.params.message.parts.0.metadata',
  ],
  ['a member of the envelope', withParts(part('"content":{}'), `,"x":${deep}`), 'body.message.x'],
];

const call = (target: string, message: string) =>
  ask('POST', '/call', {
    body: `{"caller_agent_id":"${caller.agentId}","agent_id":"${agentIds[target]}","message":${message}}`,
    headers: caller.auth,
  });

describe.each(Object.keys(targets))('a message of 5,000 levels to an agent that is called: %s', (target) => {
  it.each([
    ['arrays', arrays],
    ['objects', objects],
  ])('is refused with the path wherever it is deep: %s', async (_what, deep) => {
    const before = asked;
    for (const [place, message, at] of messages(deep)) {
      // To agents that take any JSON, the text of a part is a string like others.
      if (place === 'a content as text' && (target === 'mcp' || target === 'raw')) continue;
      const answer = await call(target, message);
      expect([place, answer.status, answer.body['code'], ...faultLocations(answer)]).toEqual([
        place,
        422,
        expect.stringMatching(/^(?:validation_failed|invalid_message)$/u),
        expect.stringMatching(new RegExp(`^${at}`, 'u')),
      ]);
    }
    expect(asked).toBe(before);
  });

  it('is served if it is as deep as a body may be', async () => {
    const before = asked;
    const answer = await call(target, withParts(part(`"content":{"a":${'['.repeat(248)}${']'.repeat(248)}}`)));
    expect([answer.status, answer.body['status_code']]).toEqual([200, 200]);
    expect(asked).toBe(before + 1);
  });
});
