import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { machineContainer } from "./container.ts";
import { machineFile } from "./file.ts";
import { machinePackage } from "./package.ts";
import { machineService } from "./service.ts";

export const machineWorkTypes = (engine: Ports): readonly ResourceType[] => [
  machineFile(engine),
  machineService(engine),
  machinePackage(engine),
  machineContainer(engine),
];
