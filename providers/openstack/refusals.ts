/** What OpenStack's types say of a property that they do not honour. */
import type { RefusedProperty } from "../refused-properties.ts";

export const textOfRefusal = ({ property, why }: RefusedProperty): string =>
  `${property} is not possible with OpenStack: ${why}`;

export const OWN_PROJECT = "an object belongs to the project of the application credential";
