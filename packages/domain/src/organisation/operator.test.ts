import type { OrganisationEvent } from '@agent-trust/contracts';
import { describe, expect, it } from 'vitest';
import { atSecond, givenFor, organisationCreated, someHash } from '../testing/index.ts';
import { organisationDecider } from './decider.ts';

const given = givenFor(organisationDecider);
const created = organisationCreated();
const { orgId, productionKeyHash, sandboxKeyHash } = created.data;
const organisation = orgId;
const disable = { type: 'DisableOrganisation', organisation, reason: 'abuse', now: atSecond(1) } as const;
const enable = { type: 'EnableOrganisation', organisation, reason: 'mended', now: atSecond(2) } as const;
const newKeys = { productionKeyHash: someHash(8), sandboxKeyHash: someHash(9) };
const reissue = {
  type: 'ReissueOrganisationKeys',
  organisation,
  ...newKeys,
  reason: 'leak',
  now: atSecond(3),
} as const;
const disabled: OrganisationEvent = {
  type: 'OrganisationDisabled',
  data: { orgId, reason: 'abuse', disabledAt: atSecond(1) },
};
const enabled: OrganisationEvent = {
  type: 'OrganisationEnabled',
  data: { orgId, reason: 'mended', enabledAt: atSecond(2) },
};
const reissued: OrganisationEvent = {
  type: 'OrganisationKeysReissued',
  data: { orgId, ...newKeys, reason: 'leak', reissuedAt: atSecond(3) },
};
const byKey = (presentedKeyHash: string) => ({ type: 'RevokeSandboxKey', presentedKeyHash, now: atSecond(4) }) as const;

describe('an organisation', () => {
  it('is disabled and enabled once at a time', () => {
    given([created]).when(disable).then([disabled]);
    given([created, disabled])
      .when({ ...disable, reason: 'another' })
      .thenNothing();
    given([created, disabled]).when(enable).then([enabled]);
    given([created]).when(enable).thenNothing();
    given([created, disabled, enabled]).when(disable).then([disabled]);
  });

  it('that there is not can be neither, and has no keys', () => {
    for (const command of [disable, enable, reissue]) given([]).when(command).thenRefused('organisation_not_found');
  });

  it('does nothing by its keys while it is disabled', () => {
    given([created, disabled]).when(byKey(productionKeyHash)).thenRefused('organisation_disabled');
    given([created, disabled])
      .when(byKey(someHash(7)))
      .thenRefused('invalid_api_key');
    given([created, disabled, enabled])
      .when(byKey(productionKeyHash))
      .then([{ type: 'SandboxKeyRevoked', data: { orgId, revokedAt: atSecond(4) } }]);
  });
});

describe('reissued keys', () => {
  it('replace both, also those of a disabled organisation', () => {
    given([created]).when(reissue).then([reissued]);
    given([created, disabled]).when(reissue).then([reissued]);
    given([created, reissued]).when(byKey(productionKeyHash)).thenRefused('invalid_api_key');
    given([created, reissued])
      .when(byKey(newKeys.productionKeyHash))
      .then([{ type: 'SandboxKeyRevoked', data: { orgId, revokedAt: atSecond(4) } }]);
  });

  it('are not those that it has', () => {
    for (const keys of [{ productionKeyHash }, { sandboxKeyHash: sandboxKeyHash ?? '' }])
      expect(() =>
        given([created])
          .when({ ...reissue, ...keys })
          .thenNothing(),
      ).toThrow(/same as one/u);
  });
});
