/** The verb create: check everything, reserve the name, then begin the first traversal. */
import { createFirstTraversal } from "#lib/convergence/traversal/traversal.ts";
import { stackExists, validationFailed } from "#lib/errors.ts";
import type { JsonObject } from "#lib/json.ts";
import type { Stack } from "#lib/model/stack.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { checkSource } from "#lib/stack/check-source.ts";
import { STACK_TIMEOUT_MINS_DEFAULT } from "#lib/stack/limits.ts";
import { saveTemplate } from "#lib/stack/template-record.ts";
import type { NamedStack } from "#lib/template/scope.ts";
import { WRITE_ATTEMPTS_MAX } from "./accept.ts";
import { adoptedSource } from "./adopted-source.ts";
import { isDeleted } from "./find-stack.ts";
import { checkTimeout, type StackOptions } from "./stack-options.ts";
import { newSource } from "./target-source.ts";
import type { TemplateRequest } from "./template-request.ts";

export const STACK_NAME = /^[a-zA-Z][a-zA-Z0-9_.-]{0,254}$/;

export interface CreateStackRequest extends TemplateRequest, StackOptions {
  readonly askedBy?: string | undefined;
  readonly tenant: string;
  readonly name: string;
  readonly adoptStackData?: string | JsonObject | null;
}

export const checkStackName = (name: string): void => {
  if (STACK_NAME.test(name)) return;
  throw validationFailed(
    `Invalid stack name ${name} must contain only alphanumeric or "_-." characters, must start with alpha and must be 255 characters or less.`,
  );
};

/** As in Heat, a stack that does not exist yet has the id "None". */
export const unborn = ({ name, tenant }: Pick<NamedStack, "name" | "tenant">): NamedStack => ({
  id: "None",
  name,
  tenant,
});

export const createStack = async (ports: Ports, request: CreateStackRequest): Promise<Stack> => {
  const { tenant, name } = request;
  checkStackName(name);
  const timeoutMins = checkTimeout(request.timeoutMins) ?? STACK_TIMEOUT_MINS_DEFAULT;
  const { adoptStackData = null } = request;
  const { source: wanted, tags = [] } =
    adoptStackData === null
      ? { source: await newSource(ports, request) }
      : await adoptedSource(ports, request, adoptStackData);
  const checked = { ...wanted, stack: unborn(request) };
  const template = await checkSource(ports, checked, { timeoutMins });

  const id = await reserveName(ports, tenant, name);
  const templateId = ports.ids.fresh();
  const source = { ...wanted, stack: { id, name, tenant } };
  // Values parsed from a text may reference it, and would keep all of it in memory.
  const near = typeof request.template === "string" ? null : { source: checked, template };
  await saveTemplate(ports, tenant, id, templateId, source, near);
  const created = await createFirstTraversal(ports, {
    tenant,
    askedBy: request.askedBy,
    id,
    name,
    description: template.description,
    templateId,
    action: adoptStackData === null ? "CREATE" : "ADOPT",
    timeoutMins,
    disableRollback: request.disableRollback ?? true,
    tags: request.tags ?? tags,
  });
  if (!created.accepted) throw stackExists(name);
  return created.stack;
};

/**
 * The name is written before the stack. A crash between the writes leaves a name without a stack.
 * The next create uses the id of that name. If two do so, the store's `createStack` accepts one.
 */
const reserveName = async (ports: Ports, tenant: string, name: string): Promise<string> => {
  const freshId = ports.ids.fresh();
  const named = { id: freshId, createdAt: ports.clock.now() };
  for (let attempts = 0; attempts < WRITE_ATTEMPTS_MAX; attempts += 1) {
    const holderId = await ports.store.putStackName(tenant, name, named);
    if (holderId === freshId) return freshId;
    const holder = await ports.store.getStack(tenant, holderId);
    if (!holder) return holderId;
    if (!isDeleted(holder)) break;
    if (await ports.store.takeOverStackName(tenant, name, holderId, named)) return freshId;
    // Another create has taken the name, or the deleted stack was retired and has lost it.
  }
  throw stackExists(name);
};
