/** Every resource type that Hearth has. Nobody else switches on the name of a type. */
import type { ResourceType, ResourceTypes } from "#lib/ports/resource-type.ts";
import { isTemplateName } from "#lib/template/registry.ts";
import { barrier } from "./barrier.ts";
import { cloudConfig } from "./cloud-config.ts";
import { deployedServer } from "./deployed-server.ts";
import { deploymentGroups } from "./deployment-group.ts";
import { multipartMime } from "./multipart-mime.ts";
import { none } from "./none.ts";
import { randomStringType } from "./random-string.ts";
import { softwareComponent } from "./software-component.ts";
import { softwareConfig } from "./software-config.ts";
import { softwareDeployment, structuredDeployment } from "./software-deployment.ts";
import { stack } from "./stack.ts";
import { structuredConfig } from "./structured-config.ts";
import { templateResource } from "./template-resource.ts";
import { testResource } from "./test-resource.ts";
import { testScenario } from "./test-scenario.ts";
import { value } from "./value.ts";
import { awsWaitCondition, waitCondition } from "./wait-condition.ts";
import {
  awsWaitConditionHandle,
  updateWaitConditionHandle,
  waitConditionHandle,
} from "./wait-condition-handle.ts";

const TYPES: readonly ResourceType[] = [
  none,
  value,
  randomStringType,
  testResource,
  testScenario,
  softwareConfig,
  softwareComponent,
  structuredConfig,
  cloudConfig,
  multipartMime,
  softwareDeployment,
  structuredDeployment,
  ...deploymentGroups,
  barrier,
  deployedServer,
  waitConditionHandle,
  updateWaitConditionHandle,
  awsWaitConditionHandle,
  waitCondition,
  awsWaitCondition,
  stack,
];

export const resourceTypes = (): ResourceTypes => {
  const byName = new Map(TYPES.map((type) => [type.type, type]));
  return {
    // Templates of requests are types too, all of the same kind.
    get: (type) => byName.get(type) ?? (isTemplateName(type) ? templateResource : null),
    names: () =>
      TYPES.filter(({ isHidden }) => !isHidden)
        .map(({ type }) => type)
        .sort(),
  };
};
