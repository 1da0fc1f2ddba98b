import type { Resource } from "#lib/model/resource.ts";
import { aRow as aNewRow } from "#test/contract/records.ts";

export const aRow = ({
  version = 1,
  ...fields
}: Partial<Resource> & Pick<Resource, "id" | "name">): Resource => ({
  ...aNewRow({
    stackId: "stack",
    type: "Test::Plain",
    generation: 1,
    templateId: "former",
    action: "CREATE",
    statusReason: "state changed",
    physicalResourceId: `object of ${fields.id}`,
    createdAt: 0,
    updatedAt: 0,
    ...fields,
  }),
  version,
});
