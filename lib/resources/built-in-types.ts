/** All types that Hearth implements itself. Each takes the back-end that it needs (ADR 12). */
import type { FakeProvider } from "#lib/ports/fake-provider.ts";
import type { Ports, Random } from "#lib/ports/ports.ts";
import type { ResourceType } from "#lib/ports/resource-type.ts";
import { NO_FAKE_PROVIDER } from "./fake-provider/fake-provider-calls.ts";
import { testResource } from "./fake-provider/test-resource.ts";
import { testScenario, testTokenless } from "./fake-provider/test-scenario.ts";
import { autoScalingGroup } from "./groups/auto-scaling-group.ts";
import { barrier } from "./groups/barrier.ts";
import { awsAutoScalingGroup, instanceGroup } from "./groups/instance-groups.ts";
import { launchConfiguration } from "./groups/launch-configuration.ts";
import { resourceChain } from "./groups/resource-chain.ts";
import { resourceGroup } from "./groups/resource-group.ts";
import { awsScalingPolicy, heatScalingPolicy } from "./groups/scaling-policies.ts";
import { machineContainer } from "./machine/container.ts";
import { machineFile } from "./machine/file.ts";
import { machinePackage } from "./machine/package.ts";
import { machineService } from "./machine/service.ts";
import { cloudConfig } from "./mime/cloud-config.ts";
import { multipartMime } from "./mime/multipart-mime.ts";
import { cloudFormationStack, stack } from "./nested/stack.ts";
import { withoutProvider } from "./openstack/without-provider.ts";
import { delay } from "./plain/delay.ts";
import { accessPolicy, none, retiredTypes } from "./plain/inert.ts";
import { randomString } from "./plain/random-string.ts";
import { value } from "./plain/value.ts";
import { deployedServer } from "./software/deployed-server.ts";
import { deploymentGroups } from "./software/deployment-group.ts";
import { softwareComponent, softwareConfig, structuredConfig } from "./software/software-config.ts";
import { softwareDeployment, structuredDeployment } from "./software/software-deployment.ts";
import { swiftSignal } from "./wait/swift-signal.ts";
import { swiftSignalHandle } from "./wait/swift-signal-handle.ts";
import { awsWaitCondition, waitCondition } from "./wait/wait-condition.ts";
import {
  awsWaitConditionHandle,
  updateWaitConditionHandle,
  waitConditionHandle,
} from "./wait/wait-condition-handle.ts";

export interface BackEnds {
  readonly engine: Ports;
  readonly random: Random;
  readonly fakeProvider: FakeProvider;
  /** Default: true. A deployment has the test types only if its operator enables them. */
  readonly hasTestTypes?: boolean;
}

export const ownTypes = ({
  engine,
  random,
  fakeProvider,
  hasTestTypes = true,
}: BackEnds): readonly ResourceType[] => [
  accessPolicy,
  delay,
  none,
  ...retiredTypes,
  value,
  randomString(random),
  ...(hasTestTypes ? testTypes(fakeProvider) : refusedTestTypes()),
  softwareConfig(engine.softwareConfigs),
  softwareComponent(engine.softwareConfigs),
  structuredConfig(engine.softwareConfigs),
  softwareDeployment(engine),
  structuredDeployment(engine),
  ...deploymentGroups(engine),
  deployedServer(engine),
  machineFile(engine),
  machineService(engine),
  machinePackage(engine),
  machineContainer(engine),
  cloudConfig(engine.softwareConfigs),
  multipartMime(engine),
  barrier(engine),
  resourceGroup(engine),
  resourceChain(engine),
  autoScalingGroup(engine),
  instanceGroup(engine),
  awsAutoScalingGroup(engine),
  launchConfiguration,
  heatScalingPolicy(engine),
  awsScalingPolicy(engine),
  waitConditionHandle(engine),
  updateWaitConditionHandle(engine),
  awsWaitConditionHandle(engine),
  waitCondition(engine),
  awsWaitCondition(engine),
  swiftSignalHandle(engine),
  swiftSignal(engine),
  stack(engine),
  cloudFormationStack(engine),
];

const testTypes = (provider: FakeProvider): readonly ResourceType[] => [
  testResource(provider),
  testScenario(provider),
  testTokenless(provider),
];

/**
 * The test types of a host that has them disabled. They are still known, so a stack with such
 * resources cannot be deleted silently while its objects remain.
 */
const refusedTestTypes = (): readonly ResourceType[] =>
  testTypes(NO_FAKE_PROVIDER).map(({ type, schema }) => {
    const why = `${type} is a type for tests, which are off here. A deployment has them with the setting testTypes=yes.`;
    const hidden = { ...schema, support: { ...schema.support, status: "HIDDEN" as const } };
    return withoutProvider({ type, schema: hidden }, why);
  });
