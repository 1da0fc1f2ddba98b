import { createFirstTraversal } from "#lib/convergence/traversal/traversal.ts";
import type { Ports } from "#lib/ports/ports.ts";
import { saveTemplate } from "#lib/stack/record/template-record.ts";
import { type Spec, templateOf, type WorldOptions } from "./spec.ts";

interface FirstRequest {
  readonly owner: { readonly tenant: string; readonly id: string };
  readonly templateId: string;
  readonly spec: Spec;
  readonly adoptedIds: Readonly<Record<string, string>> | undefined;
}

export const acceptFirst = async (
  ports: Ports,
  { owner, templateId, spec, adoptedIds }: FirstRequest,
  {
    timeoutMins = 60,
    disableRollback = true,
  }: Pick<WorldOptions, "timeoutMins" | "disableRollback">,
): Promise<string> => {
  const objects = Object.entries(adoptedIds ?? {});
  const adopted = Object.fromEntries(
    objects.map(([name, physicalResourceId]) => [name, { physicalResourceId, resourceData: {} }]),
  );
  const source = { ...templateOf(spec), adopted };
  await saveTemplate(ports, owner.tenant, owner.id, templateId, source);
  await createFirstTraversal(ports, {
    ...owner,
    name: "simulated",
    description: "",
    templateId,
    action: adoptedIds ? "ADOPT" : "CREATE",
    timeoutMins,
    disableRollback,
    tags: [],
  });
  return "accepted";
};
