/** The records of software configuration as items. */
import * as z from "zod";
import { number, oneOf, sealed, text } from "./attributes.ts";

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
  derivedConfigId: text,
  name: text,
  action: text,
  status: oneOf(["IN_PROGRESS", "COMPLETE", "FAILED"]),
  statusReason: text,
  derivedConfig: sealed,
  outputValues: sealed,
  createdAt: number,
  updatedAt: number,
});

export const signalTargetItem = z.object({
  derivedConfigId: text,
  tenant: text,
  stackId: text,
  resourceId: text,
  serverId: text,
  deploymentId: text,
  generation: number,
  expiresAt: number,
});
