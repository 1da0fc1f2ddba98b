/**
 * A declared type as a resource type. Templates are checked against it. A stack that would have to
 * make such an object is refused, because nothing here can make one.
 */
import type { Handler, ResourceType } from "#lib/ports/resource-type.ts";
import { OWN_LIFECYCLE } from "#lib/resources/lifecycles.ts";
import { isForAdministrators } from "./administrators-types.ts";
import type { DeclaredType } from "./declared-type.ts";

/** What a user may do instead, for the types that have more than stubs. */
const INSTEAD: Readonly<Record<string, string>> = {
  "AWS::IAM::AccessKey": "No API here takes such keys: machines report to signed URLs. ",
  "AWS::IAM::User": "No API here knows such users: machines report to signed URLs. ",
  "AWS::EC2::Instance": "Machines that exist already are servers with --inventory FILE. ",
  "OS::Nova::Server": "Machines that exist already are servers with --inventory FILE. ",
};

const STUBS =
  "Run the stack with --stubs to rehearse it, or map the type in the resource registry.";

const refuseWith =
  (why: string): Handler =>
  async ({ resourceName }) => ({
    state: "failed",
    reason: `${resourceName}: ${why}`,
    errorType: "NotSupported",
  });

export const withoutProvider = ({ type, schema, takesSnapshots }: DeclaredType): ResourceType => {
  const why = `No provider makes ${type} here. ${INSTEAD[type] ?? ""}${STUBS}`;
  const refuse = refuseWith(why);
  return {
    type,
    schema,
    withoutProvider: why,
    ...(isForAdministrators(type) ? { isReserved: true } : {}),
    lifecycle: { ...OWN_LIFECYCLE, handleCreate: refuse, handleUpdate: refuse },
    ...(takesSnapshots ? { snapshots: { handleSnapshotDelete: refuse } } : {}),
  };
};
