import type { OrganisationEvent } from '@agent-trust/contracts';
import { describe, it } from 'vitest';
import { atSecond, givenFor, organisationCreated } from '../testing/index.ts';
import { organisationDecider } from './decider.ts';

const given = givenFor(organisationDecider);
const created = organisationCreated();
const { orgId } = created.data;
const limits = { callsPerDay: 10, registrationsPerDay: 0, readsPerDay: null };
const setLimits = {
  type: 'SetOrganisationLimits',
  organisation: orgId,
  limits,
  reason: 'contract',
  now: atSecond(1),
} as const;
const set: OrganisationEvent = {
  type: 'OrganisationLimitsSet',
  data: { orgId, ...limits, reason: 'contract', setAt: atSecond(1) },
};

describe("an organisation's limits", () => {
  it('are set by the operator, all three at a time', () => {
    given([created]).when(setLimits).then([set]);
    given([created, set])
      .when({ ...setLimits, limits: { ...limits, readsPerDay: 5 } })
      .then([{ ...set, data: { ...set.data, readsPerDay: 5 } } as OrganisationEvent]);
  });

  it('that hold already are not set again', () => {
    given([created, set])
      .when({ ...setLimits, reason: 'another', now: atSecond(2) })
      .thenNothing();
  });

  it('are not those of an organisation that there is not', () => {
    given([]).when(setLimits).thenRefused('organisation_not_found');
  });

  it('also none, and the defaults, are something to set: nothing was set before', () => {
    const defaults = { callsPerDay: null, registrationsPerDay: null, readsPerDay: null };
    given([created])
      .when({ ...setLimits, limits: defaults })
      .then([{ ...set, data: { ...set.data, ...defaults } } as OrganisationEvent]);
  });
});
