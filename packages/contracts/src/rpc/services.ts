import * as activity from '../activity/rpc.ts';
import * as agentCommands from '../agent/commands.ts';
import * as agentQueries from '../agent/queries.ts';
import * as audit from '../audit/rpc.ts';
import * as capabilityList from '../capability/list-rpc.ts';
import * as capability from '../capability/rpc.ts';
import * as demo from '../demo/rpc.ts';
import * as exchange from '../exchange/rpc.ts';
import * as operatorKey from '../operator-key/rpc.ts';
import * as operations from '../operations/rpc.ts';
import * as operator from '../operator/commands.ts';
import * as organisation from '../organisation/rpc.ts';
import * as organisationKey from '../organisation-key/rpc.ts';
import * as orgDomain from '../org-domain/rpc.ts';
import * as personalData from '../personal-data/commands.ts';
import * as policyLab from '../policy-lab/rpc.ts';
import * as quota from '../quota/rpc.ts';
import * as settlement from '../settlement/rpc.ts';
import * as signIn from '../sign-in/rpc.ts';
import * as transparency from '../transparency/rpc.ts';
import * as trustPolicy from '../trust-policy/rpc.ts';
import * as organisationRecord from '../trust/organisation-record.ts';
import * as trust from '../trust/queries.ts';
import * as webhook from '../webhook/rpc.ts';
import type { ServiceName, StreamMethod, UnaryMethod } from './method.ts';
import * as status from './status.ts';

/** All exports of the slices' rpc files: methods and shapes. */
const exported = {
  ...activity,
  ...agentCommands,
  ...agentQueries,
  ...audit,
  ...capability,
  ...demo,
  ...capabilityList,
  ...exchange,
  ...operations,
  ...operator,
  ...operatorKey,
  ...organisation,
  ...organisationKey,
  ...orgDomain,
  ...personalData,
  ...policyLab,
  ...quota,
  ...settlement,
  ...signIn,
  ...status,
  ...transparency,
  ...trustPolicy,
  ...organisationRecord,
  ...trust,
  ...webhook,
};
type Exported = typeof exported;

/** The unary methods of a service, by the names of their exports. */
export type UnaryMethodsOf<Service extends ServiceName> = {
  [Name in keyof Exported as Exported[Name] extends { kind: 'unary'; service: Service } ? Name : never]: Exported[Name];
};

/** Every method on the bus. */
export const busMethods: readonly (UnaryMethod | StreamMethod)[] = Object.values(exported).filter(
  (value): value is Extract<Exported[keyof Exported], UnaryMethod | StreamMethod> =>
    typeof value === 'object' && 'kind' in value,
);

/** The methods that a service serves, as its slices declare them. */
export function unaryMethodsOf<Service extends ServiceName>(service: Service): UnaryMethodsOf<Service> {
  const ofService = Object.entries(exported).filter(
    ([, value]) => typeof value === 'object' && 'kind' in value && value.kind === 'unary' && value.service === service,
  );
  return Object.fromEntries(ofService) as UnaryMethodsOf<Service>;
}
