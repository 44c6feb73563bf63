import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collectSchemas } from './http/openapi-schemas.ts';
import { onWire, snakeCase, toWire } from './wire-form.ts';

const part = z.object({ rootDomain: z.string() }).meta({ id: 'WireFormPart', description: 'A part.' });
const view = z.object({
  agentId: z.string().describe('Whose it is.'),
  a2aCompliant: z.boolean(),
  partsReceived: z.array(part).describe('Its parts.'),
  lastPart: part.nullable(),
  firstPart: part.nullable().default(null),
  rootWeights: z.record(z.string(), z.number()),
});
const value = {
  agentId: 'acme-buyer',
  a2aCompliant: true,
  partsReceived: [{ rootDomain: 'acme.example' }],
  lastPart: null,
  firstPart: { rootDomain: 'globex.example' },
  rootWeights: { aB: 1 },
};
const expected = {
  agent_id: 'acme-buyer',
  a2a_compliant: true,
  parts_received: [{ root_domain: 'acme.example' }],
  last_part: null,
  first_part: { root_domain: 'globex.example' },
  root_weights: { aB: 1 },
};

describe('the wire form of a view', () => {
  it('renames fields at any depth, but no keys of a record', () => {
    expect(toWire(view, value)).toEqual(expected);
    expect(onWire(view).strict().parse(expected)).toEqual(expected);
    expect(onWire(view).safeParse(value).success).toBe(false);
  });

  it('omits what the view does not declare', () => {
    expect(toWire(part, { rootDomain: 'x', keyHash: 'secret' } as z.output<typeof part>)).toEqual({ root_domain: 'x' });
  });

  it('keeps descriptions and the names of its parts', () => {
    const schemas = collectSchemas();
    expect(schemas.ofOutput(onWire(view))['properties']).toMatchObject({
      agent_id: { type: 'string', description: 'Whose it is.' },
      parts_received: { description: 'Its parts.', items: { $ref: '#/components/schemas/WireFormPart' } },
    });
    expect(schemas.components['WireFormPart']).toMatchObject({ properties: { root_domain: { type: 'string' } } });
  });

  it('is the schema itself if no name changes', () => {
    const same = z.object({ name: z.string() });
    expect(onWire(same)).toBe(same);
    expect(['agentId', 'a2aCompliant', 'lag'].map(snakeCase)).toEqual(['agent_id', 'a2a_compliant', 'lag']);
  });
});
