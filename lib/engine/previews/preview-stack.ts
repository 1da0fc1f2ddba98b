/** The verb preview of a create: the stack that a request would make. */
import { present, stackExists } from "#lib/errors.ts";
import { type Json, mergedMaps } from "#lib/json.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { checkSource } from "#lib/stack/check/check-source.ts";
import { STACK_TIMEOUT_MINS_DEFAULT } from "#lib/stack/limits.ts";
import { NestCount } from "#lib/stack/nested-source.ts";
import { parameterValues } from "#lib/stack/record/parameter-values.ts";
import type { Faults } from "#lib/template/faults.ts";
import { resolveOutputs } from "#lib/template/functions/resolve.ts";
import { stackBudget } from "#lib/template/functions/value-budget.ts";
import { parameterTexts } from "#lib/template/parameters/parameters.ts";
import { type CreateStackRequest, checkStackName, unborn } from "../stacks/create-stack.ts";
import { isDeleted } from "../stacks/find-stack.ts";
import { type OutputView, viewOutput } from "../stacks/show-stack.ts";
import { checkTimeout } from "../stacks/stack-options.ts";
import { newSource } from "../stacks/target-source.ts";
import {
  type Level,
  type Previewed,
  previewResources,
  scopeOfPreview,
} from "./preview-resources.ts";
import { descriptionOf } from "./validate-template.ts";

export interface StackPreview {
  readonly tenant: string;
  readonly name: string;
  readonly description: Json;
  readonly parameters: Readonly<Record<string, string>>;
  readonly timeoutMins: number | null;
  readonly disableRollback: boolean;
  readonly tags: readonly string[];
  readonly outputs: readonly OutputView[];
  readonly resources: readonly Previewed[];
}

export const previewStack = async (
  ports: Ports,
  request: CreateStackRequest,
  faults?: Faults,
): Promise<StackPreview> => {
  const { name, tenant } = request;
  checkStackName(name);
  const timeoutMins = checkTimeout(request.timeoutMins) ?? null;
  const source = { ...(await newSource(ports, request)), stack: unborn(request) };
  const holderId = await ports.store.getStackName(tenant, name);
  const holder = holderId === null ? null : await ports.store.getStack(tenant, holderId);
  if (holder !== null && !isDeleted(holder)) throw stackExists(name);
  const template = await checkSource(ports, source, {
    timeoutMins: timeoutMins ?? STACK_TIMEOUT_MINS_DEFAULT,
    isPreview: true,
    faults,
  });
  const parameters = parameterValues(template, source.environment);
  const level: Level = {
    source,
    template,
    parameters,
    stackName: name,
    depth: 0,
    nests: new NestCount(),
    budget: stackBudget(),
  };
  const scope = scopeOfPreview(level);
  const outputs = [...template.outputs.values()];
  const values = resolveOutputs(template, outputs, scope);
  return {
    tenant,
    name,
    description: descriptionOf(template),
    parameters: mergedMaps(parameterTexts(template, parameters), scope.pseudo),
    timeoutMins,
    disableRollback: request.disableRollback ?? true,
    tags: request.tags ?? [],
    outputs: outputs.map((output, at) => viewOutput(output, present(values[at], output.name))),
    resources: await previewResources(ports, level),
  };
};
