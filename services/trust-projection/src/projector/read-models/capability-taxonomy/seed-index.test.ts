import { describe, expect, it } from 'vitest';
import { SeedIndex, type SearchedCapability } from './seed-index.ts';

const capability = (name: string, fields: Partial<SearchedCapability> = {}): SearchedCapability => ({
  name,
  aliases: [],
  phrases: [],
  description: '',
  ...fields,
});
const index = new SeedIndex([
  capability('log_analysis', {
    aliases: ['error_log_search'],
    phrases: ['Kibana', 'where did it crash', 'parser for messages'],
  }),
  capability('image_generation', {
    aliases: ['text_to_image'],
    phrases: ['Draw a robot in the kitchen', 'stable diffusion'],
  }),
  capability('image_editing', { phrases: ['crop', 'make it brighter'] }),
  capability('bookkeeping', { phrases: ['ledger'] }),
  capability('route_directions', { phrases: ['what is the quickest way'] }),
  capability('document_comparison', { phrases: ['parser of differences'] }),
  capability('lawyer_search', { phrases: ['find an attorney'] }),
  capability('time_zone_lookup'),
  capability('party_planning', { aliases: ['wedding_planning'] }),
  capability('video_editing', { phrases: ['jump cuts', 'ffmpeg scripts'] }),
]);
const close = (name: string): string[] => index.rank(index.ask(name), []).map((candidate) => candidate.name);

describe('a name is close to a capability', () => {
  it.each([
    ['by a word of the trade, although the other words belong elsewhere', 'kibana parser', 'log_analysis'],
    ['in another order', 'generation_of_images', 'image_generation'],
    ['by what the picture is called otherwise', 'photo generation', 'image_generation'],
    ['with a swapped letter', 'image_genertaion', 'image_generation'],
    ['with the words apart', 'book keeper', 'bookkeeping'],
    [
      'by a known run of words, stop words among them',
      'what is the quickest way home from our new office',
      'route_directions',
    ],
    ['with words that any request may have', 'please find me a good lawyer', 'lawyer_search'],
    ['by the beginning of a word', 'robotics', 'image_generation'],
    ['with words in one', 'timezone', 'time_zone_lookup'],
    ['by what an agent is called that does it', 'party planner', 'party_planning'],
  ])('%s: %s', (_case, name, expected) => {
    expect(close(name)[0]).toBe(expected);
  });

  it.each([
    'bake a cake',
    'jump sorcery',
    // English words, not misspelt ones.
    'welding',
    'fingerprint of weeding',
    // Its parts are words of different capabilities.
    'timelawyer',
    // One letter differs, but it is the first: another word.
    'drop',
    'rop',
    // Nothing but what any request may have.
    'my best agent',
    'helper bot',
    '',
    '12 34',
    'the',
  ])('not to %s', (name) => {
    expect(close(name)).toEqual([]);
  });

  it('the more, the fewer senses the words have that it has', () => {
    const [ofTheTrade, everyday] = ['ffmpeg', 'jump'].map((name) => index.rank(index.ask(name), [])[0]);
    expect(ofTheTrade?.name).toBe('video_editing');
    expect(ofTheTrade?.similarity).toBeGreaterThan(everyday?.similarity ?? 0);
  });

  it('beside the best one from half of its similarity on', () => {
    const [best, ...others] = index.rank(index.ask('edit_an_image'), []);
    expect(others.map(({ name }) => name)).toContain('image_generation');
    for (const { similarity } of others) expect(similarity).toBeGreaterThanOrEqual((best?.similarity ?? 1) / 2);
  });

  it('the same whatever the order of the capabilities, best first', () => {
    const names = index.rank(index.ask('edit_an_image'), []);
    expect(names[0]?.name).toBe('image_editing');
    expect(names.map(({ similarity }) => similarity)).toEqual(
      names.map(({ similarity }) => similarity).toSorted((a, b) => b - a),
    );
  });
});

describe('what words mean', () => {
  const seed = new SeedIndex([
    capability('mortgage_advice', { phrases: ['home loan', 'borrow for a house', 'interest rate of a loan'] }),
    capability('image_editing', { phrases: ['crop a picture', 'brighter photo'] }),
    capability('medication_management', { phrases: ['when to take pills', 'doses of medicine'] }),
  ]);
  const examine = (name: string) => seed.examine(seed.ask(name));

  it.each([
    ['lender for a cottage', 'mortgage_advice'],
    ['antibiotics for a patient', 'medication_management'],
  ])('orders capabilities that share no word with %s', (name, expected) => {
    expect(examine(name).seen[0]).toMatchObject({ name: expected, words: 0 });
  });

  it('tells the words of the taxonomy from those of everyday texts', () => {
    expect(examine('invoice workflow').signs.domain).toBeGreaterThan(0);
    expect(examine('wooden sword').signs.domain).toBeLessThan(0);
    expect(examine('zzxxyy').signs).toMatchObject({ domain: 0, domainMin: 0 });
  });
});

describe('labels that agents brought', () => {
  const rank = (name: string, learned: { label: string; name: string }[]) => index.rank(index.ask(name), learned);

  it('are offered under the name that they lead to', () => {
    expect(rank('keeping_bees', [{ label: 'bee_keeping', name: 'apiary' }])[0]?.name).toBe('apiary');
    expect(rank('ask_kibana', [{ label: 'kibana_queries', name: 'log_analysis' }])[0]?.name).toBe('log_analysis');
  });

  it('must agree in more, and never differ in a number', () => {
    expect(rank('bee_hotel', [{ label: 'bee_keeping', name: 'bee_keeping' }])).toEqual([]);
    expect(rank('repair_model_18', [{ label: 'model_17_repair', name: 'model_17_repair' }])).toEqual([]);
    expect(rank('repair_model_17', [{ label: 'model_17_repair', name: 'model_17_repair' }])).toHaveLength(1);
  });
});

describe('a model of meaning', () => {
  it('adds seed capabilities, and no others', () => {
    const byMeaning = new Map([
      ['image_editing', 0.8],
      ['not_in_the_seed', 0.9],
    ]);
    expect(index.rank(index.ask('zzz'), [], byMeaning)).toEqual([
      { name: 'image_editing', similarity: 0.8, labelSimilarity: 0 },
    ]);
  });
});

it('an empty taxonomy is close to nothing', () => {
  const empty = new SeedIndex([]);
  expect(empty.rank(empty.ask('image_generation'), [])).toEqual([]);
});
