import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOrganisationCommand, givenFor, organisationCreated } from '../testing/index.ts';
import { organisationDecider } from './decider.ts';
import { normaliseOrgName, orgIdOfName } from './state.ts';

const given = givenFor(organisationDecider);
const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex');

describe('creating an organisation', () => {
  it('accepts a free name, without surrounding spaces', () => {
    given([])
      .when(createOrganisationCommand({ orgName: '  Acme ' }))
      .then([organisationCreated()]);
  });

  it('refuses a taken name', () => {
    given([organisationCreated()])
      .when(createOrganisationCommand({ orgName: 'ACME' }))
      .thenRefused('org_name_taken');
  });
});

describe('the id of an organisation', () => {
  it.each(['Acme', 'ACME', ' acme ', 'ＡＣＭＥ', '\u00a0acme'])('is the same for %j', (name) => {
    expect(orgIdOfName(name, sha256Hex)).toBe(orgIdOfName('acme', sha256Hex));
  });

  it.each(['acme inc', 'ac me', 'äcme', 'acm'])('differs for %j', (name) => {
    expect(orgIdOfName(name, sha256Hex)).not.toBe(orgIdOfName('acme', sha256Hex));
  });

  it('never changes, because streams are named after it', () => {
    expect(orgIdOfName('Acme', sha256Hex)).toBe(sha256Hex('acme').slice(0, 32));
    expect(orgIdOfName('Straße Ω', sha256Hex)).toBe(sha256Hex('straße ω').slice(0, 32));
  });

  // Building strings of every code point takes seconds on a busy machine.
  it('depends on a normal form that is idempotent', { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) => {
        const normal = normaliseOrgName(name);
        expect(normaliseOrgName(normal)).toBe(normal);
      }),
    );
  });
});
