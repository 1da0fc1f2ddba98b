/** The records of software configuration as items. */
import * as z from "zod";
import { EVIDENCE_KINDS } from "#lib/software-config/model.ts";
import { number, oneOf, orNull, sealed, text } from "./attributes.ts";

export const configItem = z.object({
  tenant: text,
  id: text,
  stackId: text,
  content: sealed,
  createdAt: number,
});

export const serverItem = z.object({
  tenant: text,
  id: text,
  stackId: text,
  resourceName: text,
  gen: number,
  metadata: sealed,
});

export const deploymentItem = z.object({
  tenant: text,
  serverId: text,
  id: text,
  stackId: text,
  resourceId: text,
  resourceName: text,
  generation: number,
  delivery: number,
  derivedConfigId: text,
  name: text,
  action: text,
  status: oneOf(["IN_PROGRESS", "COMPLETE", "FAILED"]),
  statusReason: text,
  derivedConfig: sealed,
  outputValues: sealed,
  wholeOutputOf: orNull(number),
  inputValues: orNull(sealed),
  createdAt: number,
  updatedAt: number,
});

export const deploymentPlaceItem = z.object({
  tenant: text,
  id: text,
  serverId: text,
  stackId: text,
});

export const signalTargetItem = z.object({
  derivedConfigId: text,
  tenant: text,
  stackId: text,
  resourceId: text,
  serverId: text,
  deploymentId: orNull(text),
  generation: number,
  expiresAt: number,
});

export const evidenceItem = z.object({
  tenant: text,
  stackId: text,
  serverId: text,
  deploymentId: orNull(text),
  kind: oneOf(EVIDENCE_KINDS),
  firstSeenAt: number,
  lastSeenAt: number,
  expiresAt: number,
  count: number,
});
