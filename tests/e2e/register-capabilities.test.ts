import { beforeAll, describe, expect, it } from 'vitest';
import {
  adminToken,
  type Answer,
  ask,
  type Body,
  createOrg,
  faultLocations,
  gateways,
  type HeaderMap,
  join,
  type Org,
  post,
  verify,
  wellHealth,
} from '../support/ask.ts';
import { freshDomain, vouchFor } from '../support/domains.ts';
import { unique } from '../support/registry.ts';

const contact = { contact_email: 'owner@agent.example' };
let org: Org;
beforeAll(async () => {
  org = await createOrg();
});

const register = (capabilities: unknown, fields: Body = {}, headers: HeaderMap = {}, gateway?: string) =>
  post('/register', { agent_id: unique('agent'), ...contact, capabilities, ...fields }, headers, gateway);
const capabilitiesOf = ({ status, body }: Answer): unknown => (status === 201 ? body['capabilities'] : body);
const weighing1 = (...names: string[]) => names.map((name) => ({ name, weight: 1 }));

type Question = {
  agent_id: string;
  candidate_matches: Record<string, string>;
  candidates: Record<string, Candidate[]>;
};
type Candidate = { name: string; similarity: number };
/** The registry's questions about similar names, if any. */
const questionIn = ({ status, body, text }: Answer): Question => {
  if (status !== 202) throw new Error(`expected a question, got ${status}: ${text}`);
  expect(body['status']).toBe('capability_confirmation_required');
  return body as Question;
};
const answering = (accepted: boolean, { candidate_matches }: Question): Body => ({
  capability_confirmations: Object.fromEntries(Object.keys(candidate_matches).map((name) => [name, accepted])),
  candidate_matches,
});

describe('names that cause no question', () => {
  it('canonical names and aliases are accepted at once, in whatever spelling, and shown by the canonical name', async () => {
    const written = ['Machine-Translation', ' OCR ', { name: 'QUOTING', weight: 2 }];
    expect(capabilitiesOf(await register(written))).toEqual([
      { name: 'machine_translation', weight: 1 },
      { name: 'ocr', weight: 1 },
      { name: 'price_quote', weight: 2 },
    ]);
  });

  it('two names of one capability become one, with the higher weight, and the tiers count the merged list', async () => {
    const written = [
      { name: 'translate', weight: 3 },
      { name: 'Translation', weight: 3 },
      { name: 'machine_translation', weight: 1 },
    ];
    expect(capabilitiesOf(await register(written))).toEqual([{ name: 'machine_translation', weight: 3 }]);
    const answer = await register([...written, { name: 'ocr', weight: 3 }]);
    expect([answer.status, answer.body['code']]).toEqual([400, 'capability_weights_exceeded']);
  });

  it('a name that resembles no known one becomes a new capability', async () => {
    // Always the same one: of names made by chance, some resemble a capability.
    const name = 'zyxwvu';
    expect(capabilitiesOf(await register([name]))).toEqual(weighing1(name));
    expect(capabilitiesOf(await register([name.toUpperCase()], {}, {}, gateways[1]))).toEqual(weighing1(name));
  });

  it('the admin is never asked', async () => {
    expect(capabilitiesOf(await register(['book me a flight'], {}, adminToken))).toEqual(weighing1('book_me_a_flight'));
  });
});

describe('a name similar to a capability', () => {
  it('causes a question with the candidates and their similarity; nothing is written', async () => {
    const org_domain = `${unique('asked')}.example`;
    const agent_id = unique('asked');
    const answer = await register(['Detect fraud in payments'], { agent_id, org_domain }, org.key);
    const question = questionIn(answer);
    expect(question.agent_id).toBe(agent_id);
    expect(question.candidate_matches).toEqual({ detect_fraud_in_payments: 'fraud_detection' });
    const candidates = question.candidates['detect_fraud_in_payments'] ?? [];
    expect(candidates[0]?.name).toBe('fraud_detection');
    for (const { similarity } of candidates) {
      expect(similarity).toBeGreaterThan(0);
      expect(similarity).toBeLessThanOrEqual(1);
      expect(similarity).toBe(Number(similarity.toFixed(4)));
    }
    expect(answer.text).not.toContain('claim');
    expect((await verify(agent_id)).status).toBe(404);
    // A question reserves neither the agent_id nor the domain.
    expect((await register([], { agent_id: unique('other'), org_domain }, org.key)).status).toBe(201);
    expect((await register([], { agent_id })).status).toBe(201);
  });

  it('answered with yes means the candidate for this agent from then on, and causes the question again for others', async () => {
    const name = 'Translate some texts';
    const { auth, agentId } = await join();
    const update = (fields: Body) => post('/update', { agent_id: agentId, ...fields }, auth);
    const question = questionIn(await update({ capabilities: [name] }));
    const answered = await update({ capabilities: [name], ...answering(true, question) });
    expect(answered.body['capabilities']).toEqual(weighing1('machine_translation'));
    expect((await update({ capabilities: [] })).body['capabilities']).toEqual([]);
    expect((await update({ capabilities: ['TRANSLATE-some-texts'] })).body['capabilities']).toEqual(
      weighing1('machine_translation'),
    );
    questionIn(await register([name]));
    questionIn(await register([name], {}, org.key));
  });

  it('answered with yes by an organisation with a proved domain becomes an alias, which causes no question for the next agent', async () => {
    const name = 'Translate texts';
    const proven = await createOrg();
    await vouchFor(freshDomain(), proven);
    const question = questionIn(await register([{ name, weight: 2 }]));
    const agreed = await register([{ name, weight: 2 }], answering(true, question), proven.key);
    expect(capabilitiesOf(agreed)).toEqual([{ name: 'machine_translation', weight: 2 }]);
    for (const [credential, gateway] of [
      [{}, gateways[1]],
      [org.key, gateways[0]],
      [org.sandboxKey, gateways[1]],
    ] as const) {
      const next = await register(['TRANSLATE-TEXTS'], {}, credential, gateway);
      expect(capabilitiesOf(next)).toEqual(weighing1('machine_translation'));
    }
  });

  it('is made an alias by the operator, or kept from being one', async () => {
    const name = 'converting_of_currencies';
    const question = questionIn(await register([name]));
    const meant = question.candidate_matches[name] ?? '';
    const judge = (act: string, body: Body) => post(`/ops/capability-aliases/${name}/${act}`, body, adminToken);
    expect((await judge('confirm', { name: meant, reason: 'usual' })).body).toEqual({ alias: name, name: meant });
    expect(capabilitiesOf(await register([name], {}, {}, gateways[1]))).toEqual(weighing1(meant));
    expect((await judge('undo', { reason: 'misleading' })).body).toEqual({ alias: name, name: null });
    expect((await judge('undo', { reason: 'misleading' })).status).toBe(200);
    questionIn(await register([name], {}, {}, gateways[1]));
    const proven = await createOrg();
    await vouchFor(freshDomain(), proven);
    await register([name], answering(true, question), proven.key);
    questionIn(await register([name]));
    expect((await post(`/ops/capability-aliases/${name}/undo`, { reason: 'r' }, org.key)).status).toBe(401);
  });

  it('answered with no becomes a capability, which causes no question for the next agent', async () => {
    const name = 'weather_forecasting_service';
    const question = questionIn(await register([name]));
    expect(capabilitiesOf(await register([name], answering(false, question)))).toEqual(weighing1(name));
    expect(capabilitiesOf(await register([name]))).toEqual(weighing1(name));
  });

  it('can be answered with no without naming a candidate', async () => {
    const name = 'summarising_meetings';
    questionIn(await register([name]));
    expect(capabilitiesOf(await register([name], { capability_confirmations: { [name]: false } }))).toEqual(
      weighing1(name),
    );
  });

  it('can mean any of the offered candidates, under the name as the client spelled it', async () => {
    const name = 'Flight Reservations';
    const question = questionIn(await register([name]));
    const offered = question.candidates['flight_reservations'] ?? [];
    expect(offered.length).toBeGreaterThan(1);
    const meant = offered.at(-1)?.name ?? '';
    const answers = {
      capability_confirmations: { [name]: true },
      candidate_matches: { 'flight  reservations': meant },
    };
    expect(capabilitiesOf(await register([name], answers))).toEqual(weighing1(meant));
    questionIn(await register([name]));
  });

  it('answered with yes to a candidate that was not offered, or to none, causes the question again', async () => {
    const name = 'quoting_of_prices';
    const question = questionIn(await register([name]));
    for (const candidate_matches of [
      { [name]: 'flight_booking' },
      { [name]: name },
      { [name]: '' },
      { other: 'ocr' },
      {},
      null,
    ]) {
      const again = await register([name], { capability_confirmations: { [name]: true }, candidate_matches });
      expect(questionIn(again).candidate_matches).toEqual(question.candidate_matches);
    }
    // Candidates without a yes or no are no answer.
    questionIn(await register([name], { candidate_matches: question.candidate_matches }));
    questionIn(await register([name], { ...answering(true, question), capability_confirmations: null }));
  });

  it('causes a question until it is answered; every request must contain all answers so far', async () => {
    const names = ['invoices_reading', 'image_describing', 'ocr'];
    const both = questionIn(await register(names));
    expect(Object.keys(both.candidate_matches)).toEqual(['invoices_reading', 'image_describing']);
    expect(Object.keys(both.candidates)).toEqual(['invoices_reading', 'image_describing']);
    const first = { invoices_reading: false };
    const second = questionIn(await register(names, { capability_confirmations: first }));
    expect(Object.keys(second.candidate_matches)).toEqual(['image_describing']);
    const done = await register(names, {
      capability_confirmations: { ...first, image_describing: true },
      candidate_matches: second.candidate_matches,
    });
    const meant = second.candidate_matches['image_describing'] ?? '';
    expect(capabilitiesOf(done)).toEqual(weighing1('invoices_reading', meant, 'ocr'));
  });

  it('merges with its candidate if the request has both', async () => {
    const names = ['Translating of documents', { name: 'document_translation', weight: 3 }];
    const question = questionIn(await register(names));
    const offered = question.candidates['translating_of_documents']?.map(({ name }) => name);
    expect(offered).toContain('document_translation');
    const answers = {
      capability_confirmations: { translating_of_documents: true },
      candidate_matches: { translating_of_documents: 'document_translation' },
    };
    expect(capabilitiesOf(await register(names, answers))).toEqual([{ name: 'document_translation', weight: 3 }]);
  });

  it('learned in a sandbox stays there', async () => {
    const name = 'booking_of_hotels';
    const question = questionIn(await register([name], {}, org.sandboxKey));
    const learned = await register([name], answering(true, question), org.sandboxKey);
    const meant = question.candidate_matches[name] ?? '';
    expect(capabilitiesOf(learned)).toEqual(weighing1(meant));
    expect(capabilitiesOf(await register([name], {}, org.sandboxKey))).toEqual(weighing1(meant));
    questionIn(await register([name]));
    questionIn(await register([name], {}, org.key));
    questionIn(await register([name], {}, (await createOrg()).sandboxKey));
  });
});

describe('every refusal precedes a question', () => {
  const close = 'audio_transcribing';

  it('whatever else is wrong is reported first', async () => {
    questionIn(await register([close]));
    const taken = unique('taken');
    const org_domain = `${unique('taken')}.example`;
    expect((await register([], { agent_id: taken, org_domain }, org.key)).status).toBe(201);
    const refused = async (fields: Body, headers: HeaderMap = {}, capabilities: unknown = [close]) => {
      const { status, body } = await register(capabilities, fields, headers);
      return [status, body['code']];
    };
    expect(await refused({ specialty: 9 })).toEqual([422, 'validation_failed']);
    expect(await refused({}, { 'x-api-key': 'wrong' })).toEqual([401, 'invalid_api_key']);
    expect(await refused({ org_name: 'Acme' })).toEqual([403, 'org_fields_forbidden']);
    expect(await refused({ clone_from_agent_id: 'x' })).toEqual([403, 'sandbox_key_required']);
    expect(await refused({ clone_from_agent_id: 'x' }, org.sandboxKey)).toEqual([404, 'agent_not_found']);
    expect(await refused({ public_key: 'x' })).toEqual([400, 'invalid_public_key']);
    expect(await refused({ contact_email: null })).toEqual([422, 'contact_required']);
    expect(await refused({ price_schedule: [{ task: 't', price: 1 }] })).toEqual([422, 'price_schedule_incomplete']);
    expect(await refused({ agent_id: taken })).toEqual([409, 'agent_id_taken']);
    expect(await refused({ org_domain }, org.key)).toEqual([409, 'org_domain_taken']);
    const heavy = [close, { name: 'ocr', weight: 3 }, { name: 'flight_booking', weight: 3 }];
    expect(await refused({}, {}, heavy)).toEqual([400, 'capability_weights_exceeded']);
  });
});

describe('answers', () => {
  it('to unasked questions are ignored', async () => {
    const answers = {
      capability_confirmations: { ocr: true, nothing: false, constructor: true },
      candidate_matches: { ocr: 'flight_booking', nothing: 'x', toString: 'y' },
    };
    expect(capabilitiesOf(await register(['ocr'], answers))).toEqual(weighing1('ocr'));
    expect(
      capabilitiesOf(await register(['ocr'], { capability_confirmations: null, candidate_matches: null })),
    ).toEqual(weighing1('ocr'));
  });

  it('named like members of every object are ordinary names', async () => {
    const body = `{"agent_id":${JSON.stringify(unique('proto'))},"contact_email":"a@b.example",
      "capabilities":["constructor","__proto__","toString","hasOwnProperty"],
      "capability_confirmations":{"__proto__":true,"constructor":false,"_proto_":false,"tostring":false,"hasownproperty":false},
      "candidate_matches":{"__proto__":"ocr","constructor":"ocr"}}`;
    const answer = await ask('POST', '/register', { body });
    // More than three of weight 1: the refusal shows that these counted as four names.
    expect([answer.status, answer.body['code']]).toEqual([400, 'capability_weights_exceeded']);
    const fewer = body.replace('"toString",', '').replace('proto-', 'proto2-');
    expect(capabilitiesOf(await ask('POST', '/register', { body: fewer }))).toEqual(
      weighing1('constructor', '_proto_', 'hasownproperty'),
    );
    expect((await wellHealth()).status).toBe(200);
  });

  it.each([
    ['capability_confirmations', { a: 'yes' }],
    ['capability_confirmations', [true]],
    ['capability_confirmations', { ['a'.repeat(51)]: true }],
    ['capability_confirmations', Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`a${index}`, true]))],
    ['candidate_matches', { a: true }],
    ['candidate_matches', { a: 'b'.repeat(51) }],
    ['candidate_matches', 'a'],
  ])('%s must not be %j', async (field, value) => {
    const answer = await register(['ocr'], { [field]: value });
    expect(answer.status).toBe(422);
    expect(faultLocations(answer)[0]).toMatch(new RegExp(`^body\\.${field}`, 'u'));
  });
});
