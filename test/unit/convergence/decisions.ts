import type { DecidedRow, Decision } from "#lib/convergence/decide.ts";
import { present } from "#lib/errors.ts";
import type { PropertySchemas } from "#lib/model/property-schema.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";

/** The actions that bring a row to its target, except ADOPT. All of them decide alike. */
export const CONVERGING = ["CREATE", "UPDATE", "RESTORE", "ROLLBACK"] as const;

/** A row that never succeeded has no template. */
export const rowIn = (state: string): DecidedRow | null => {
  if (state === "none") return null;
  const [action, status] = present(STATES[state], state);
  const neverGood = action === "INIT" || (action === "CREATE" && status === "FAILED");
  return {
    action,
    status,
    name: "r",
    type: "Test::Plain",
    templateId: neverGood ? null : "former",
    updateDone: "former",
    statusReason: "",
    outcomeUnknown: false,
    externalId: null,
    checkFailed: action === "CHECK" && status === "FAILED",
    health: null,
  };
};

/**
 * Every state in which a visit decides. A row IN_PROGRESS has an operation, which the visit handles
 * first.
 */
export const STATES: Readonly<
  Record<string, readonly [DecidedRow["action"], DecidedRow["status"]]>
> = {
  INIT: ["INIT", "COMPLETE"],
  "CREATE COMPLETE": ["CREATE", "COMPLETE"],
  "CREATE FAILED": ["CREATE", "FAILED"],
  "UPDATE COMPLETE": ["UPDATE", "COMPLETE"],
  "UPDATE FAILED": ["UPDATE", "FAILED"],
  "DELETE COMPLETE": ["DELETE", "COMPLETE"],
  "DELETE FAILED": ["DELETE", "FAILED"],
  "SUSPEND COMPLETE": ["SUSPEND", "COMPLETE"],
  "SUSPEND FAILED": ["SUSPEND", "FAILED"],
  "RESUME COMPLETE": ["RESUME", "COMPLETE"],
  "RESUME FAILED": ["RESUME", "FAILED"],
  "CHECK COMPLETE": ["CHECK", "COMPLETE"],
  "CHECK FAILED": ["CHECK", "FAILED"],
  "ADOPT COMPLETE": ["ADOPT", "COMPLETE"],
  "ADOPT FAILED": ["ADOPT", "FAILED"],
  "SNAPSHOT COMPLETE": ["SNAPSHOT", "COMPLETE"],
  "SNAPSHOT FAILED": ["SNAPSHOT", "FAILED"],
};

export const word = (decision: Decision): string => {
  if (decision.kind === "step") return `${decision.action} first`;
  return decision.kind === "act" ? decision.action : decision.kind;
};

const PROPERTIES: PropertySchemas = {
  inPlace: { type: "string", description: "can be changed in place", updateAllowed: true },
  fixed: { type: "string", description: "replaces the resource when it changes" },
};

const plain: ResourceType = {
  type: "Test::Plain",
  schema: { description: "", properties: PROPERTIES, attributes: {} },
  lifecycle: { tokenPolicy: { tokens: "kept" }, callMsMax: 1, operationMsMax: 1 },
};

const { schema, lifecycle } = plain;

const repairable: ResourceType = { ...plain, lifecycle: { ...lifecycle, repairable: true } };

const changeable: ResourceType = { ...plain, lifecycle: { ...lifecycle, repairable: "changes" } };

const nesting = {
  read: async () => ({ template: {}, parameters: {} }),
  snippet: () => null,
};

export const TYPES = {
  plain,
  repairable,
  changeable,
  nesting: { ...repairable, nesting },
  "always new": { ...plain, lifecycle: { ...lifecycle, replacedByEveryUpdate: true } },
  /** Its own rule replaces the resource for a change that its schema allows in place. */
  picky: { ...plain, schema: { ...schema, mustReplace: () => true } },
} satisfies Record<string, ResourceType>;

export type TypeName = keyof typeof TYPES;

export const SAME_TARGET = {
  isOfType: true,
  before: { inPlace: "a", fixed: "b" },
  after: { inPlace: "a", fixed: "b" },
  hasOtherMetadata: false,
  checkFailed: false,
  externalId: null,
  mendsDrift: false,
} as const;
