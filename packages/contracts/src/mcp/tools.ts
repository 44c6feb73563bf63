import {
  findOrganisationTool,
  getAgentTool,
  getOrganisationRecordTool,
  getRecordHistoryTool,
  importAgentTool,
  listRegistryTool,
  matchAgentsTool,
  verifyAgentTool,
} from './discover-tools.ts';
import { answerReviewTool, callAgentTool, reviewTransactionTool } from './exchange-tools.ts';
import {
  claimBearerKeyTool,
  registerAgentTool,
  retireAgentTool,
  rotateAgentKeyTool,
  setAgentKeyTool,
  updateAgentTool,
} from './onboarding-tools.ts';
import {
  listOrgAgentsTool,
  listOrgDomainsTool,
  previewSandboxMatchTool,
  promoteSandboxAgentTool,
  requestDomainProofTool,
  verifyDomainTool,
} from './organisation-tools.ts';
import { protocolReferenceTool } from './protocol-reference-tool.ts';
import type { Tool } from './tool.ts';

/** Every tool of the MCP server: those of the specification in its order, then additions. */
export const tools: readonly Tool[] = [
  verifyAgentTool,
  matchAgentsTool,
  getAgentTool,
  protocolReferenceTool,
  listRegistryTool,
  importAgentTool,
  registerAgentTool,
  rotateAgentKeyTool,
  claimBearerKeyTool,
  updateAgentTool,
  previewSandboxMatchTool,
  promoteSandboxAgentTool,
  setAgentKeyTool,
  callAgentTool,
  reviewTransactionTool,
  listOrgAgentsTool,
  retireAgentTool,
  listOrgDomainsTool,
  requestDomainProofTool,
  verifyDomainTool,
  answerReviewTool,
  findOrganisationTool,
  getOrganisationRecordTool,
  getRecordHistoryTool,
];
