import type { Ports } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { deployedServer } from "./deployed-server.ts";
import { deploymentGroups } from "./deployment-group.ts";
import { softwareComponent } from "./software-component.ts";
import { softwareConfig, structuredConfig } from "./software-config.ts";
import { softwareDeployment, structuredDeployment } from "./software-deployment.ts";

export const softwareTypes = (engine: Ports): readonly ResourceType[] => [
  softwareConfig(engine.softwareConfigs),
  softwareComponent(engine.softwareConfigs),
  structuredConfig(engine.softwareConfigs),
  softwareDeployment(engine),
  structuredDeployment(engine),
  ...deploymentGroups(engine),
  deployedServer(engine),
];
