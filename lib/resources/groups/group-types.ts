/** Groups of like members, and what groups of every family are built with. */
import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { barrier } from "./barrier.ts";
import { resourceChain } from "./resource-chain.ts";
import { resourceGroup } from "./resource-group.ts";

export const groupTypes = (engine: Ports): readonly ResourceType[] => [
  barrier(engine),
  resourceGroup(engine),
  resourceChain(engine),
];
