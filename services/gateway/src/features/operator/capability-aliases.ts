import {
  type CapabilityAliasWire,
  confirmCapabilityAlias,
  confirmCapabilityAliasRoute,
  undoCapabilityAlias,
  undoCapabilityAliasRoute,
} from '@agent-trust/contracts';
import { write } from '../../bus/read-your-writes.ts';
import { type Endpoint, endpoint } from '../../http/endpoint.ts';

const confirm = endpoint(confirmCapabilityAliasRoute, ({ params, body, actor, request }, gateway) => {
  const { alias } = params;
  const { name, reason } = body;
  const input = { alias, name, reason, actor };
  return write(gateway, request, confirmCapabilityAlias, input, () => ({ alias, name }) satisfies CapabilityAliasWire);
});

const undo = endpoint(undoCapabilityAliasRoute, ({ params, body, actor, request }, gateway) => {
  const { alias } = params;
  const input = { alias, reason: body.reason, actor };
  return write(
    gateway,
    request,
    undoCapabilityAlias,
    input,
    () => ({ alias, name: null }) satisfies CapabilityAliasWire,
  );
});

export const capabilityAliasEndpoints: readonly Endpoint[] = [confirm, undo];
