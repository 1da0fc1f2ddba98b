/** Every resource type that Hearth has. Nobody else switches on the name of a type. */
import type { ResourceType, ResourceTypes } from "#lib/ports/resource-type.ts";
import { barrier } from "#lib/resources/groups/barrier.ts";
import { none } from "#lib/resources/heat/none.ts";
import { randomStringType } from "#lib/resources/heat/random-string.ts";
import { value } from "#lib/resources/heat/value.ts";
import { cloudConfig } from "#lib/resources/mime/cloud-config.ts";
import { multipartMime } from "#lib/resources/mime/multipart-mime.ts";
import { stack } from "#lib/resources/nested/stack.ts";
import { templateResource } from "#lib/resources/nested/template-resource.ts";
import { deployedServer } from "#lib/resources/software/deployed-server.ts";
import { deploymentGroups } from "#lib/resources/software/deployment-group.ts";
import { softwareComponent } from "#lib/resources/software/software-component.ts";
import { softwareConfig } from "#lib/resources/software/software-config.ts";
import {
  softwareDeployment,
  structuredDeployment,
} from "#lib/resources/software/software-deployment.ts";
import { structuredConfig } from "#lib/resources/software/structured-config.ts";
import { testResource } from "#lib/resources/test/test-resource.ts";
import { testScenario } from "#lib/resources/test/test-scenario.ts";
import { awsWaitCondition, waitCondition } from "#lib/resources/wait/wait-condition.ts";
import {
  awsWaitConditionHandle,
  updateWaitConditionHandle,
  waitConditionHandle,
} from "#lib/resources/wait/wait-condition-handle.ts";
import { isTemplateName } from "#lib/template/registry.ts";

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
