import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { cloudFormationStack } from "./cloudformation-stack.ts";
import { stack } from "./stack.ts";

export const nestedTypes = (engine: Ports): readonly ResourceType[] => [
  stack(engine),
  cloudFormationStack(engine),
];
