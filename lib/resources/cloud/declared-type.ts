/** What Heat knows of a type whose objects a cloud makes. Hearth has no provider of it. */
import type { ResourceType } from "#lib/ports/resource-type.ts";

export interface DeclaredType extends Pick<ResourceType, "type" | "schema"> {
  /** Heat can take a snapshot of the object before it deletes it. */
  readonly takesSnapshots?: true;
}
